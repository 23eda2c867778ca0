#include "lissom/codegen/trace.h"

#include "lissom/codegen/trace_job.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom::codegen {
namespace {

constexpr AlgorithmTraits table[] = {
    {Algorithm::placements, "placements", "fk", "placements of frames in the world"},
    {Algorithm::velocities, "velocities", "", "placements and velocities of frames"},
    {Algorithm::jacobian, "jacobian", "", "the Jacobians of frames"},
    {Algorithm::rnea, "rnea", "inverse_dynamics", "inverse dynamics: the generalized forces that a motion needs"},
    {Algorithm::bias, "bias", "", "bias forces: inverse dynamics at zero acceleration"},
    {Algorithm::gravity, "gravity", "", "gravity forces: inverse dynamics at rest"},
    {Algorithm::crba, "crba", "mass_matrix", "the mass matrix M"},
    {Algorithm::factor, "factor", "", "the factor of the mass matrix, M = L' D L"},
    {Algorithm::aba, "aba", "forward_dynamics", "forward dynamics: the acceleration that forces cause"},
    {Algorithm::centroidal, "centroidal", "", "the centroidal map: momentum about the center of mass per unit of v"},
    {Algorithm::step, "step", "", "one step of semi-implicit Euler"},
    {Algorithm::d_rnea, "d_rnea", "inverse_dynamics_derivatives", "derivatives of inverse dynamics"},
    {Algorithm::d_aba, "d_aba", "forward_dynamics_derivatives", "forward dynamics and its derivatives"},
    {Algorithm::rnea_jvp, "rnea_jvp", "inverse_dynamics_jvp", "the change of inverse dynamics along a direction"},
    {Algorithm::rnea_vjp, "rnea_vjp", "inverse_dynamics_vjp", "the gradient of weights' tau of inverse dynamics"},
    {Algorithm::aba_jvp, "aba_jvp", "forward_dynamics_jvp", "forward dynamics and its change along a direction"},
    {Algorithm::aba_vjp, "aba_vjp", "forward_dynamics_vjp", "forward dynamics and the gradient of weights' a"},
};

}  // namespace

std::span<const AlgorithmTraits> algorithms() {
  return table;
}
const AlgorithmTraits& traits(Algorithm algorithm) {
  for (const auto& row : table)
    if (row.algorithm == algorithm) return row;
  return table[0];  // every enumerator is in the table
}
Algorithm algorithm_of(std::string_view name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const auto& row : table) {
    if (name == row.name || (*row.alias && name == row.alias)) return row.algorithm;
    names.push_back(row.name);
    if (*row.alias) names.push_back(row.alias);
    list += (list.empty() ? "" : ", ") + std::string(row.name);
  }
  const auto hint = did_you_mean(name, names);
  throw Error("no algorithm " + in_quotes(name) + "; " + hint + (hint.empty() ? "" : " ") + "algorithms: " + list);
}

TraceJob::Values TraceJob::input(const std::string& name, std::span<const int> element_limbs,
                                 const std::string& meaning) {
  const auto nodes = program.add_input(name, element_limbs, meaning);
  auto values = zeros(int(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) values[i] = Traced::of(nodes[i]);
  return values;
}
void TraceJob::output(const std::string& name, const Traced* values, std::span<const int> element_limbs,
                      const std::string& meaning) {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < element_limbs.size(); ++i) nodes.push_back(values[i].node);
  program.add_output(name, nodes, element_limbs, meaning);
}
void TraceJob::output_columns(const std::string& name, const Values& values, int matrices, const std::string& meaning) {
  std::vector<int> of;
  for (int i = 0; i < 6 * nv * matrices; ++i) of.push_back(limbs.of_v[std::size_t(i / 6 % nv)]);
  output(name, values.data(), of, meaning);
}
void TraceJob::output_matrix(const std::string& name, const Values& values, int stride, Part part,
                             const std::string& meaning) {
  std::vector<NodeId> nodes;
  std::vector<int> of;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      const bool stored = part == Part::all || (part == Part::upper ? i <= j : i >= j);
      const NodeId entry = stored ? values[i * stride + j].node : part == Part::upper ? values[j * stride + i].node : 0;
      nodes.push_back(options.sparse && (entry == 0 || !stored) ? no_node : entry);
      of.push_back(std::max(limbs.of_v[std::size_t(i)], limbs.of_v[std::size_t(j)]));
    }
  program.add_output(name, nodes, of, meaning);
}

std::vector<const Joint*> TraceJob::moving_joints() const {
  std::vector<const Joint*> joints;
  for (const auto& joint : model.joints())
    if (joint.type != JointType::fixed) joints.push_back(&joint);
  return joints;
}
std::vector<Frame> TraceJob::frames() const {
  std::vector<Frame> frames;
  for (const auto& name : options.frames) frames.push_back(model.frame_at(model.frame(name)));
  if (frames.empty())
    for (const auto* joint : moving_joints()) frames.push_back(model.frame_at(model.frame(joint->child)));
  return frames;
}
std::vector<Frame> TraceJob::jacobian_frames() const {
  auto all = frames();
  if (options.frames.empty()) all.erase(all.begin(), all.end() - 1);
  return all;
}
std::string TraceJob::names_of(const std::vector<Frame>& frames) const {
  std::string text;
  for (const auto& frame : frames) text += (text.empty() ? "" : ", ") + in_quotes(frame.name);
  return text;
}

Program trace(const Model& model, Algorithm algorithm, const TraceOptions& options) {
  if (model.nv() == 0)
    throw Error(in_quotes(model.name()) + " has no degrees of freedom, nothing to generate; try another base");
  Program program;
  program.graph = Graph(options.signed_constants);
  program.algorithm = traits(algorithm).name;
  program.meaning = traits(algorithm).meaning;
  TraceJob job(model, options, program);
  const Recording recording(program.graph, program.algorithm, job.limbs.of_body, options.share_between_passes);
  program.limbs = job.limbs.limbs;
  switch (algorithm) {
    case Algorithm::placements:
    case Algorithm::velocities:
    case Algorithm::jacobian:
    case Algorithm::centroidal:
      trace_kinematics(job, algorithm);
      break;
    case Algorithm::d_rnea:
    case Algorithm::d_aba:
    case Algorithm::rnea_jvp:
    case Algorithm::rnea_vjp:
    case Algorithm::aba_jvp:
    case Algorithm::aba_vjp:
      trace_derivatives(job, algorithm);
      break;
    default:
      trace_dynamics(job, algorithm);
  }
  program.graph.keep(program.results);
  return program;
}

}  // namespace lissom::codegen
