#include "lissom/gpu/kernel_writer.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lissom::gpu {
namespace {

using codegen::is_operation;
using codegen::no_node;

std::string number(long i) {
  return std::to_string(i);
}
// first + l * step, as an expression.
std::string at_limb(long first, long step) {
  return step == 0 ? number(first) : "(" + number(first) + " + l * " + number(step) + ")";
}
const char* type_of(Op op) {
  return op == Op::less || op == Op::less_equal ? "const bool " : "const Real ";
}

}  // namespace

KernelWriter::KernelWriter(const Program& program, const KernelOptions& options)
    : program_(program), options_(options), schedule_(codegen::schedule(program)) {
  if (options.roll_limbs && schedule_.segments.size() > 1) loops_ = find_limb_loops(program, schedule_);
  for (int loop = 0; loop < int(loops_.size()); ++loop) {
    const auto& of = loops_[std::size_t(loop)];
    for (int i = 0; i < int(of.operations.size()); ++i)
      if (const auto& operation = of.operations[std::size_t(i)]; !operation.repeated)
        for (int l = 0; l < int(operation.nodes.size()); ++l)
          in_loops_.try_emplace(operation.nodes[std::size_t(l)], Computed{loop, i, l});
    for (int k = 0; k < int(of.sums.size()); ++k) {
      const auto& sum = of.sums[std::size_t(k)];
      replaced_.insert(sum.partial.begin(), sum.partial.end());
      sum_names_[sum.end] = "sum" + number(loop) + "_" + number(k);
    }
  }
  for (int i = 0; i < int(program.results.size()); ++i)
    if (const NodeId n = program.results[std::size_t(i)]; n != no_node) results_of_[n].push_back(i);
}

std::string KernelWriter::statements() {
  text();  // finds what has to be kept
  return text();
}

std::string KernelWriter::text() {
  out_.str("");
  sines_.clear(), loaded_.clear(), written_.clear(), table_.clear();
  tables_.clear();
  for (int loop = 0; loop < int(loops_.size()); ++loop)
    if (const int count = slot_count(loop); count > 0)
      out_ << "  Real kept" << loop << "[" << long(loops_[std::size_t(loop)].limbs.size()) * count << "];\n";
  for (int s = 0; s < int(schedule_.segments.size()); ++s) write_segment(s);
  write_constant_results();
  for (const auto& [loop, rows] : table_) {
    const auto limbs = loops_[std::size_t(loop)].limbs.size();
    tables_ += "__constant__ Real table" + number(loop) + "[" + number(long(limbs)) + "][" + number(long(rows.size())) +
               "] = {";
    std::vector<const std::vector<double>*> columns(rows.size());
    for (const auto& [values, index] : rows) columns[std::size_t(index)] = &values;
    for (std::size_t l = 0; l < limbs; ++l) {
      tables_ += l == 0 ? "{" : ", {";
      for (std::size_t k = 0; k < columns.size(); ++k) tables_ += (k == 0 ? "" : ", ") + constant((*columns[k])[l]);
      tables_ += "}";
    }
    tables_ += "};\n";
  }
  return out_.str();
}

int KernelWriter::slot_count(int loop) const {
  return int(std::ranges::count_if(slots_, [&](const auto& slot) { return slot.first.first == loop; }));
}

void KernelWriter::write_segment(int segment) {
  segment_ = segment;
  const auto& of = schedule_.segments[std::size_t(segment)];
  const auto& limb = program_.limbs[std::size_t(of.limb)];
  out_ << "\n  // " << (limb.name.empty() ? "base" : limb.name) << (of.outward_again ? ", outward again" : "") << "\n";
  if (options_.synchronize && segment > 0) out_ << "  __syncthreads();\n";
  for (int loop = 0; loop < int(loops_.size()); ++loop)
    for (int pass = 0; pass < 2; ++pass)
      if (loops_[std::size_t(loop)].segments[std::size_t(pass)] == segment) write_loop(loop, pass);
  for (int k = of.begin; k < of.end; ++k) {
    const NodeId n = schedule_.order[std::size_t(k)];
    if (!in_loops_.contains(n) && !replaced_.contains(n) && !written_.contains(n)) write_node(n);
  }
}

void KernelWriter::write_node(NodeId n) {
  const auto& node = program_.graph[n];
  written_.insert(n);
  if (const auto sum = sum_names_.find(n); sum == sum_names_.end()) {
    if (node.op != Op::sin && node.op != Op::cos) {
      const int count = codegen::operand_count(node.op);
      const auto a = value(node.a), b = count > 1 ? value(node.b) : "", c = count > 2 ? value(node.c) : "";
      out_ << "  " << type_of(node.op) << "x" << n << " = " << expression(node.op, a, b, c) << ";\n";
    }
  }
  write_results(n);
}
void KernelWriter::write_results(NodeId n) {
  const auto results = results_of_.find(n);
  if (results == results_of_.end()) return;
  const auto x = value(n);
  for (const int i : results->second) store(i, 0, x);
}
// Outputs that are constants or inputs.
void KernelWriter::write_constant_results() {
  for (const auto& [n, results] : results_of_)
    if (!is_operation(program_.graph[n].op)) write_results(n);
}

void KernelWriter::write_loop(int loop, int pass) {
  const auto& of = loops_[std::size_t(loop)];
  std::ostringstream body;
  loop_ = {loop, pass, &body, {}, {}, {}};
  for (int i = 0; i < int(of.operations.size()); ++i)
    if (of.pass[std::size_t(i)] == pass && !of.operations[std::size_t(i)].repeated) write_operation(i);
  if (body.str().empty()) return;
  if (pass == 0)
    for (int k = 0; k < int(of.sums.size()); ++k) {
      const NodeId begin = of.sums[std::size_t(k)].begin;
      const auto start = begin == no_node ? constant(0) : value(begin);  // (may write a load)
      out_ << "  Real sum" << loop << "_" << k << " = " << start << ";\n";
    }
  out_ << "#pragma unroll 1\n  for (int l = 0; l < " << of.limbs.size() << "; ++l) {\n" << body.str() << "  }\n";
}

void KernelWriter::write_operation(int i) {
  const auto& of = loops_[std::size_t(loop_.loop)];
  const auto& operation = of.operations[std::size_t(i)];
  auto& body = *loop_.body;
  loop_.written.insert(i);
  const auto op = program_.graph[operation.nodes.front()].op;
  const auto name = "t" + number(i);
  if (op == Op::sin || op == Op::cos) {
    const auto& angle = operation.operands[0];
    auto& known = loop_.sines[angle];
    if (known.empty()) {
      const auto x = value_in_loop(angle);
      known = number(i);
      body << "    Real s" << known << ", c" << known << ";\n    sine_and_cosine(" << x << ", s" << known << ", c"
           << known << ");\n";
    }
    body << "    const Real " << name << " = " << (op == Op::sin ? "s" : "c") << known << ";\n";
  } else {
    std::array<std::string, 3> x;
    for (int k = 0; k < codegen::operand_count(op); ++k)
      x[std::size_t(k)] = value_in_loop(operation.operands[std::size_t(k)]);
    body << "    " << type_of(op) << name << " = " << expression(op, x[0], x[1], x[2]) << ";\n";
  }
  if (operation.repeated || of.pass[std::size_t(i)] != loop_.pass) return;
  if (const auto slot = slots_.find({loop_.loop, i}); slot != slots_.end())
    body << "    " << saved(loop_.loop, i, "l") << " = " << name << ";\n";
  for (int k = 0; k < int(of.sums.size()); ++k)
    if (const auto& sum = of.sums[std::size_t(k)]; sum.addends == operation.nodes)
      body << "    sum" << loop_.loop << "_" << k << (sum.minus ? " -= " : " += ") << name << ";\n";
  write_results_in_loop(operation.nodes, name);
}
void KernelWriter::write_results_in_loop(const LimbNodes& nodes, const std::string& name) {
  std::vector<std::vector<int>> results;
  for (const NodeId n : nodes) {
    const auto of_node = results_of_.find(n);
    results.push_back(of_node == results_of_.end() ? std::vector<int>{} : of_node->second);
  }
  const auto& first = results.front();
  bool regular = true;
  for (std::size_t l = 1; l < results.size() && regular; ++l)
    for (std::size_t k = 0; (regular = results[l].size() == first.size() && regular) && k < first.size(); ++k)
      regular = &field_of(program_.outputs, results[l][k]) == &field_of(program_.outputs, first[k]) &&
                results[l][k] - results[l - 1][k] == results[1][k] - first[k];
  auto& body = *loop_.body;
  std::swap(out_, body);
  if (regular) {
    for (std::size_t k = 0; k < first.size(); ++k) store(first[k], results[1][k] - first[k], name);
  } else {
    for (std::size_t l = 0; l < results.size(); ++l)
      for (const int i : results[l]) {
        out_ << "  if (l == " << l << ")";
        store(i, 0, name);
      }
  }
  std::swap(out_, body);
}

std::string KernelWriter::expression(Op op, const std::string& a, const std::string& b, const std::string& c) const {
  switch (op) {
    case Op::add:
      return a + " + " + b;
    case Op::sub:
      return a + " - " + b;
    case Op::mul:
      return a + " * " + b;
    case Op::neg:
      return "-" + a;
    case Op::inverse:
      return "inverse(" + a + ")";
    case Op::sqrt:
      return "sqrt(" + a + ")";
    case Op::abs:
      return "fabs(" + a + ")";
    case Op::atan2:
      return "atan2(" + a + ", " + b + ")";
    case Op::less:
      return a + " < " + b;
    case Op::less_equal:
      return a + " <= " + b;
    case Op::select:
      return a + " ? " + b + " : " + c;
    default:
      return a;
  }
}

std::string KernelWriter::constant(double value) const {
  std::array<char, 40> text{};
  const auto end = options_.single_precision ? std::to_chars(text.data(), text.data() + text.size(), float(value)).ptr
                                             : std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string s(text.data(), end);
  if (s.find_first_of(".en") == std::string::npos) s += ".0";
  if (options_.single_precision) s += "f";
  return value < 0 ? "(" + s + ")" : s;
}

const codegen::Field& KernelWriter::field_of(const std::vector<codegen::Field>& fields, int position) const {
  return *std::ranges::find_if(fields,
                               [&](const auto& f) { return position >= f.first && position < f.first + f.count; });
}

std::string KernelWriter::read(int position, int step) const {
  const auto& field = field_of(program_.inputs, position);
  const int element = position - field.first;
  if (is_scalar(field)) return field.name;
  if (options_.tile) return field.name + "_tile[" + at_limb(element - rows_read(field).first, step) + " * THREADS]";
  return "load(row(" + field.name + ", " + field.name + "_pitch, " + at_limb(element, step) + "))";
}

std::string KernelWriter::value(NodeId n) {
  const auto& node = program_.graph[n];
  if (node.op == Op::constant) return constant(node.value);
  if (node.op == Op::input) {
    const auto name = "i" + number(long(node.a));
    if (loaded_.insert(n).second) out_ << "  const Real " << name << " = " << read(int(node.a), 0) << ";\n";
    return name;
  }
  if (const auto sum = sum_names_.find(n); sum != sum_names_.end()) return sum->second;
  if (const auto computed = in_loops_.find(n); computed != in_loops_.end())
    return saved(computed->second.loop, computed->second.operation, number(computed->second.limb));
  if (node.op == Op::sin || node.op == Op::cos) return sine(n);
  if (!written_.contains(n)) write_node(n);  // what a loop reads comes before it
  return "x" + number(long(n));
}

std::string KernelWriter::sine(NodeId n) {
  const auto& node = program_.graph[n];
  const bool again = options_.repeat_sincos && schedule_.segments[std::size_t(segment_)].outward_again;
  auto& name = sines_[{again ? segment_ : -1, node.a}];
  if (name.empty()) {
    const auto angle = value(node.a);
    name = number(long(n)) + (again ? "_" + number(segment_) : "");
    out_ << "  Real s" << name << ", c" << name << ";\n  sine_and_cosine(" << angle << ", s" << name << ", c" << name
         << ");\n";
  }
  return (node.op == Op::sin ? "s" : "c") + name;
}

// The value of an operation of a loop, after the loop or in its second pass.
std::string KernelWriter::saved(int loop, int operation, const std::string& limb) {
  const int count = slot_count(loop);
  const auto slot = slots_.try_emplace({loop, operation}, count).first->second;
  return "kept" + number(loop) + "[" + limb + " * " + number(slot_count(loop)) + " + " + number(slot) + "]";
}

std::string KernelWriter::value_in_loop(const LimbNodes& nodes) {
  if (all_equal(nodes)) return value(nodes.front());
  const auto& of = loops_[std::size_t(loop_.loop)];
  const auto& first = program_.graph[nodes.front()];
  if (first.op == Op::constant) {
    std::vector<double> values;
    for (const NodeId n : nodes) values.push_back(program_.graph[n].value);
    auto& table = table_[loop_.loop];
    const auto index = table.try_emplace(values, int(table.size())).first->second;
    return "table" + number(loop_.loop) + "[l][" + number(index) + "]";
  }
  if (first.op == Op::input) {
    auto& name = loop_.inputs[nodes];
    if (name.empty()) {
      name = "i" + number(long(first.a)) + "l";
      *loop_.body << "    const Real " << name << " = "
                  << read(int(first.a), int(program_.graph[nodes[1]].a) - int(first.a)) << ";\n";
    }
    return name;
  }
  const int i = of.operation(nodes);
  const auto& operation = of.operations[std::size_t(i)];
  const bool sine = first.op == Op::sin || first.op == Op::cos;
  const bool from_first_pass = !operation.repeated && of.pass[std::size_t(i)] != loop_.pass;
  if (from_first_pass && !(sine && options_.repeat_sincos)) return saved(loop_.loop, i, "l");
  if (!loop_.written.contains(i)) write_operation(i);
  return "t" + number(i);
}

void KernelWriter::store(int result, int step, const std::string& x) {
  const auto& field = field_of(program_.outputs, result);
  out_ << "  store(row(" << field.name << ", " << field.name << "_pitch, " << at_limb(result - field.first, step)
       << "), " << x << ");\n";
}

std::pair<int, int> KernelWriter::rows_read(const codegen::Field& field) const {
  int first = field.count, last = -1;
  for (const auto& node : program_.graph.nodes())
    if (node.op == Op::input) {
      const int element = int(node.a) - field.first;
      if (element >= 0 && element < field.count) first = std::min(first, element), last = std::max(last, element);
    }
  return last < 0 ? std::pair(0, 0) : std::pair(first, last - first + 1);
}

}  // namespace lissom::gpu
