#include "lissom/codegen/body_writer.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace lissom::codegen {
namespace {

template <class S>
std::string shortest(S value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string s(text, end);
  if (s.find_first_of(".en") == std::string::npos) s += ".0";
  return s;
}

}  // namespace

std::string literal(double value) {
  return shortest(value);
}
std::string literal(float value) {
  return shortest(value) + "f";
}

BodyWriter::BodyWriter(const Program& program, const Schedule& schedule, const Layout& layout,
                       const WriterOptions& options)
    : program_(program),
      schedule_(schedule),
      layout_(layout),
      options_(options),
      saved_(program.graph.size(), -1),
      name_(program.graph.size()),
      scope_of_name_(program.graph.size(), -1) {
  if (options_.save_for_last_pass) find_saved();
}

// Values that are computed on the way to the base and used in the last pass.
void BodyWriter::find_saved() {
  const auto again = [&](NodeId i) {
    const int s = layout_.segment[i];
    return s >= 0 && schedule_.segments[std::size_t(s)].outward_again;
  };
  for (const NodeId i : schedule_.order) {
    const Op op = program_.graph[i].op;
    if (again(i) || (options_.recompute_sincos && (op == Op::sin || op == Op::cos))) continue;
    for (const NodeId user : layout_.users[i])
      if (saved_[i] < 0 && again(user)) saved_[i] = saved_count_++;
  }
}

// Names of inputs, and of values that come from elsewhere, are made anew in each part, in CUDA in each segment: there,
// reading twice costs less than keeping.
void BodyWriter::enter(int part, int segment) {
  const bool moved = part != part_ || (options_.language == Language::cuda && segment != segment_);
  if (moved && part == part_ && segment_ >= 0) lines_.push_back("BARRIER();");
  if (moved) ++scope_;
  part_ = part, segment_ = segment;
}

std::string BodyWriter::constant(double value) const {
  const double size = std::abs(value);
  const std::string sign = value < 0 ? "-" : "";
  if (options_.language != Language::c) return sign + "K(" + literal(size) + ")";
  return sign + (options_.single_precision ? literal(float(size)) : literal(size));
}

const Field& BodyWriter::field_of(const std::vector<Field>& fields, int position) const {
  std::size_t i = 0;
  while (position >= fields[i].first + fields[i].count) ++i;
  return fields[i];
}

std::string BodyWriter::input(NodeId n) {
  const int position = int(program_.graph[n].a);
  const Field& field = field_of(program_.inputs, position);
  const auto index = std::to_string(position - field.first);
  if (options_.language != Language::cuda) return field.name + "[" + index + "]";
  if (scope_of_name_[n] != scope_) {
    name_[n] = field.name + index + "_" + std::to_string(scope_);
    scope_of_name_[n] = scope_;
    lines_.push_back("const T " + name_[n] + " = LOAD(" + field.name + ", " + index + ");");
  }
  return name_[n];
}

// A value that was computed before: in this part by its own name; else it is read from where it was kept.
std::string BodyWriter::kept(NodeId n) {
  auto own = "x" + std::to_string(n);
  const bool reload = saved_[n] >= 0 && schedule_.segments[std::size_t(segment_)].outward_again;
  if (!reload && layout_.part[n] == part_) return own;
  if (scope_of_name_[n] != scope_) {
    name_[n] = reload ? own + "_" + std::to_string(scope_) : own;
    scope_of_name_[n] = scope_;
    const auto from =
        reload ? "RELOAD(" + std::to_string(saved_[n]) + ")" : "w[" + std::to_string(layout_.slot[n]) + "]";
    lines_.push_back("const " + options_.type + " " + name_[n] + " = " + from + ";");
  }
  return name_[n];
}

// Sine and cosine of one argument are computed where one of them is first needed.
std::string BodyWriter::late_sine(NodeId n) {
  const NodeId argument = program_.graph[n].a;
  const bool anew = options_.recompute_sincos && options_.language == Language::cuda;
  const bool once = options_.language == Language::cuda && !anew;
  if (scope_of_name_[n] != scope_ && (!once || scope_of_name_[n] < 0)) {
    const auto suffix = std::to_string(argument) + (anew ? "_" + std::to_string(scope_) : "");
    for (const NodeId user : layout_.users[argument]) {
      const Op op = program_.graph[user].op;
      if (op == Op::sin) name_[user] = "s" + suffix, scope_of_name_[user] = scope_;
      if (op == Op::cos) name_[user] = "c" + suffix, scope_of_name_[user] = scope_;
    }
    const auto x = value(argument).text;
    lines_.push_back(options_.type + " s" + suffix + ", c" + suffix + ";");
    const auto both =
        options_.language == Language::c ? "&s" + suffix + ", &c" + suffix : "s" + suffix + ", c" + suffix;
    lines_.push_back(options_.sincos + "(" + x + ", " + both + ");");
  }
  return name_[n];
}

BodyWriter::Expression BodyWriter::value(NodeId n) {
  const Node& node = program_.graph[n];
  if (node.op == Op::constant) return {constant(node.value), node.value < 0 ? Binding::sign : Binding::atom};
  if (node.op == Op::input) return {input(n), Binding::atom};
  if (layout_.angle[n] >= 0)
    return {(node.op == Op::sin ? "sn[" : "cs[") + std::to_string(layout_.angle[n]) + "]", Binding::atom};
  if (layout_.inlined[n]) return operation(n);
  const bool reload = saved_[n] >= 0 && schedule_.segments[std::size_t(segment_)].outward_again;
  if ((node.op == Op::sin || node.op == Op::cos) && layout_.part[n] == part_ && !reload)
    return {late_sine(n), Binding::atom};
  return {kept(n), Binding::atom};
}
std::string BodyWriter::operand(NodeId n, Binding weakest) {
  const auto e = value(n);
  return e.binding < weakest ? "(" + e.text + ")" : e.text;
}

BodyWriter::Expression BodyWriter::operation(NodeId i) {
  const Node& n = program_.graph[i];
  const auto function = [&](const std::string& name) {
    return Expression{name + "(" + value(n.a).text + (n.op == Op::atan2 ? ", " + value(n.b).text : "") + ")",
                      Binding::atom};
  };
  switch (n.op) {
    case Op::add:
      return {operand(n.a, Binding::sum) + " + " + operand(n.b, Binding::product), Binding::sum};
    case Op::sub:
      return {operand(n.a, Binding::sum) + " - " + operand(n.b, Binding::product), Binding::sum};
    case Op::mul:
      return {operand(n.a, Binding::product) + " * " + operand(n.b, Binding::sign), Binding::product};
    case Op::inverse:
      return {constant(1) + " / " + operand(n.a, Binding::sign), Binding::product};
    case Op::neg:
      return {"-" + operand(n.a, Binding::atom), Binding::sign};
    case Op::sqrt:
      return function(options_.single_precision ? "sqrtf" : "sqrt");
    case Op::abs:
      return function(options_.single_precision ? "fabsf" : options_.language == Language::c ? "fabs" : "abs");
    case Op::atan2:
      return function(options_.single_precision ? "atan2f" : "atan2");
    case Op::less:
      return {operand(n.a, Binding::sum) + " < " + operand(n.b, Binding::sum), Binding::sum};
    case Op::less_equal:
      return {operand(n.a, Binding::sum) + " <= " + operand(n.b, Binding::sum), Binding::sum};
    case Op::select: {
      const auto wide = [&](NodeId k) {  // both sides of ?: have to have the same type, for lanes, too
        const auto text = value(k).text;
        return program_.graph[k].op == Op::constant && options_.language == Language::cpp ? "T{} + " + text : text;
      };
      return {"(" + operation(n.a).text + ") ? " + wide(n.b) + " : " + wide(n.c), Binding::sum};
    }
    default:
      return {late_sine(i), Binding::atom};
  }
}

void BodyWriter::store(int result, const std::string& text) {
  const Field& field = field_of(program_.outputs, result);
  const auto index = std::to_string(result - field.first);
  lines_.push_back(options_.language == Language::cuda ? "STORE(" + field.name + ", " + index + ", " + text + ");"
                                                       : field.name + "[" + index + "] = " + text + ";");
}

void BodyWriter::write(NodeId i) {
  if (layout_.inlined[i]) return;
  const Op op = program_.graph[i].op;
  const auto& results = layout_.results[i];
  const bool is_sine = op == Op::sin || op == Op::cos;
  std::string name = "x" + std::to_string(i);
  const auto text = operation(i).text;
  if (is_sine) {
    name = text;
  } else if (layout_.users[i].empty() && results.size() == 1) {
    return store(results.front(), text);
  } else {
    lines_.push_back("const " + options_.type + " " + name + " = " + text + ";");
  }
  for (const int r : results) store(r, name);
  if (layout_.slot[i] >= 0) lines_.push_back("w[" + std::to_string(layout_.slot[i]) + "] = " + name + ";");
  if (saved_[i] >= 0) lines_.push_back("SAVE(" + std::to_string(saved_[i]) + ", " + name + ");");
}

std::vector<std::string> BodyWriter::angles() {
  lines_.clear();
  part_ = layout_.parts.size() == 1 ? 0 : -1, ++scope_;
  for (const NodeId i : layout_.before_angles) write(i);
  for (std::size_t k = 0; k < layout_.angles.size(); ++k)
    lines_.push_back("angle[" + std::to_string(k) + "] = " + value(layout_.angles[k]).text + ";");
  return std::exchange(lines_, {});
}

std::vector<std::string> BodyWriter::part(int index) {
  lines_.clear();
  part_ = index, segment_ = -1, ++scope_;
  for (const NodeId i : layout_.parts[std::size_t(index)]) {
    enter(index, layout_.segment[i]);
    write(i);
  }
  if (index + 1 == int(layout_.parts.size()))  // outputs that need no operation
    for (int r = 0; r < int(program_.results.size()); ++r) {
      const NodeId i = program_.results[std::size_t(r)];
      if (i == no_node || (is_operation(program_.graph[i].op) && layout_.angle[i] < 0)) continue;
      const auto text = value(i).text;
      store(r, program_.graph[i].op == Op::constant && options_.language == Language::cpp ? "T{} + " + text : text);
    }
  return std::exchange(lines_, {});
}

}  // namespace lissom::codegen
