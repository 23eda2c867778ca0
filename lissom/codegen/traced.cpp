#include "lissom/codegen/traced.h"

#include <string_view>
#include <utility>

#include "lissom/model/diagnostic.h"

namespace lissom::codegen {
namespace {

thread_local Recording* current = nullptr;

[[noreturn]] void refuse_branch(const std::source_location& where) {
  const std::string_view path = where.file_name();
  const auto name = path.substr(path.find_last_of('/') + 1);
  throw Error(Recording::algorithm() + " branches on a value (" + std::string(name) + ":" +
              std::to_string(where.line()) +
              "), so it cannot be traced; expected select(condition, a, b) in place of the branch");
}

}  // namespace

Recording::Recording(Graph& graph, std::string algorithm, std::vector<int> limb_of_body, bool share_between_passes)
    : graph_(graph),
      algorithm_(std::move(algorithm)),
      limb_of_body_(std::move(limb_of_body)),
      share_between_passes_(share_between_passes),
      before_(std::exchange(current, this)) {}
Recording::~Recording() {
  current = before_;
}
Graph& Recording::graph() {
  if (!current) throw Error("a Traced number is used while nothing is recorded; make a Recording first");
  return current->graph_;
}
const std::string& Recording::algorithm() {
  static const std::string none = "the code";
  return current ? current->algorithm_ : none;
}

void Recording::enter(int body) {
  if (!current || current->limb_of_body_.empty()) return;
  // A pass outward begins with body 1; a pass inward ends with it, after body 2.
  const bool begins = body == 1 && current->last_body_ != 2;
  if (begins && !current->share_between_passes_) current->graph_.forget();
  current->last_body_ = body;
  current->graph_.enter(current->limb_of_body_[std::size_t(body)]);
}
void Recording::leave() {
  if (current) current->graph_.enter(-1);
}

Condition::operator bool() const {
  refuse_branch(where);
}
bool any(Condition, std::source_location where) {
  refuse_branch(where);
}
bool all(Condition condition, std::source_location where) {
  return any(condition, where);
}

Traced Traced::of(NodeId node) {
  Traced t;
  t.node = node;
  return t;
}
Traced::Traced(double value) : node(value == 0 ? 0 : Recording::graph().constant(value)) {}
Traced operator-(Traced a) {
  return Traced::of(Recording::graph().neg(a.node));
}
Traced operator+(Traced a, Traced b) {
  return Traced::of(Recording::graph().add(a.node, b.node));
}
Traced operator-(Traced a, Traced b) {
  return Traced::of(Recording::graph().sub(a.node, b.node));
}
Traced operator*(Traced a, Traced b) {
  return Traced::of(Recording::graph().mul(a.node, b.node));
}
Traced operator/(Traced a, Traced b) {
  return Traced::of(Recording::graph().div(a.node, b.node));
}
Condition operator<(Located a, Traced b) {
  return {Recording::graph().less(a.value.node, b.node), a.where};
}
Condition operator>(Located a, Traced b) {
  return {Recording::graph().less(b.node, a.value.node), a.where};
}
Condition operator<=(Located a, Traced b) {
  return {Recording::graph().less_equal(a.value.node, b.node), a.where};
}
Condition operator>=(Located a, Traced b) {
  return {Recording::graph().less_equal(b.node, a.value.node), a.where};
}
Traced select(Condition m, Traced a, Traced b) {
  return Traced::of(Recording::graph().select(m.node, a.node, b.node));
}
Traced sqrt(Traced a) {
  return Traced::of(Recording::graph().sqrt(a.node));
}
Traced abs(Traced a) {
  return Traced::of(Recording::graph().abs(a.node));
}
Traced atan2(Traced y, Traced x) {
  return Traced::of(Recording::graph().atan2(y.node, x.node));
}
SinCos<Traced> sincos(Traced x) {
  auto& graph = Recording::graph();
  return {Traced::of(graph.sin(x.node)), Traced::of(graph.cos(x.node))};
}

}  // namespace lissom::codegen
