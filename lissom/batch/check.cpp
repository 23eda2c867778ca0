#include <algorithm>
#include <array>
#include <atomic>

#include "lissom/batch/memory.h"
#include "lissom/model/arguments.h"

namespace lissom::batch {

namespace {

QuantityInfo info_of_derivative(Quantity quantity) {
  QuantityInfo of_inverse{.name = "?", .v = true, .a = true, .external = true, .derivative = true},
      of_forward = of_inverse;
  of_forward.a = false, of_forward.tau = true;
  enum Extra { nothing, direction, weights };
  const auto named = [](QuantityInfo info, const char* name, Extra extra = nothing) {
    info.name = name, info.direction = extra == direction, info.weights = extra == weights;
    return info;
  };
  const auto without_external = [](QuantityInfo info) {
    info.external = false;
    return info;
  };
  switch (quantity) {
    case Quantity::inverse_dynamics_dq:
      return named(of_inverse, "inverse_dynamics_dq");
    case Quantity::inverse_dynamics_dv:
      return named(of_inverse, "inverse_dynamics_dv");
    case Quantity::inverse_dynamics_da:
      return named(of_inverse, "inverse_dynamics_da");
    case Quantity::inverse_dynamics_jvp:
      return named(of_inverse, "inverse_dynamics_jvp", direction);
    case Quantity::inverse_dynamics_vjp:
      return named(of_inverse, "inverse_dynamics_vjp", weights);
    case Quantity::forward_dynamics_dq:
      return named(of_forward, "forward_dynamics_dq");
    case Quantity::forward_dynamics_dv:
      return named(of_forward, "forward_dynamics_dv");
    case Quantity::forward_dynamics_dtau:
      return named(of_forward, "forward_dynamics_dtau");
    case Quantity::forward_dynamics_jvp:
      return named(of_forward, "forward_dynamics_jvp", direction);
    case Quantity::forward_dynamics_vjp:
      return named(of_forward, "forward_dynamics_vjp", weights);
    case Quantity::forward_dynamics_dparameters:
      return named(of_forward, "forward_dynamics_dparameters");
    case Quantity::inverse_dynamics_dparameters:
      return without_external(named(of_inverse, "inverse_dynamics_dparameters"));
    case Quantity::inverse_dynamics_second_order:
      return without_external(named(of_inverse, "inverse_dynamics_second_order", weights));
    case Quantity::forward_dynamics_second_order:
      return without_external(named(of_forward, "forward_dynamics_second_order", weights));
    case Quantity::jacobian_derivatives:
      return {.name = "jacobian_derivatives", .frame = true, .derivative = true};
    case Quantity::centroidal_momentum_derivatives:
      return {.name = "centroidal_momentum_derivatives", .v = true, .derivative = true};
    default:
      return of_inverse;
  }
}

}  // namespace

QuantityInfo info(Quantity quantity) {
  switch (quantity) {
    case Quantity::inverse_dynamics:
      return {.name = "inverse_dynamics", .v = true, .a = true, .external = true};
    case Quantity::forward_dynamics:
      return {.name = "forward_dynamics", .v = true, .tau = true, .external = true};
    case Quantity::bias_forces:
      return {.name = "bias_forces", .v = true};
    case Quantity::gravity_forces:
      return {.name = "gravity_forces"};
    case Quantity::mass_matrix:
      return {.name = "mass_matrix"};
    case Quantity::inverse_mass_matrix:
      return {.name = "inverse_mass_matrix"};
    case Quantity::coriolis_matrix:
      return {.name = "coriolis_matrix", .v = true};
    case Quantity::centroidal_map:
      return {.name = "centroidal_map"};
    case Quantity::center_of_mass:
      return {.name = "center_of_mass"};
    case Quantity::kinetic_energy:
      return {.name = "kinetic_energy", .v = true};
    case Quantity::potential_energy:
      return {.name = "potential_energy"};
    case Quantity::placement:
      return {.name = "placement", .frame = true};
    case Quantity::jacobian:
      return {.name = "jacobian", .frame = true};
    default:
      return info_of_derivative(quantity);
  }
}

int columns(Quantity quantity, int nv, int bodies) {
  switch (quantity) {
    case Quantity::inverse_dynamics_dparameters:
    case Quantity::forward_dynamics_dparameters:
      return nv * 10 * bodies;
    case Quantity::inverse_dynamics_second_order:
    case Quantity::forward_dynamics_second_order:
      return 9 * nv * nv;
    case Quantity::jacobian_derivatives:
      return 6 * nv * nv;
    case Quantity::mass_matrix:
    case Quantity::inverse_mass_matrix:
    case Quantity::coriolis_matrix:
    case Quantity::inverse_dynamics_dq:
    case Quantity::inverse_dynamics_dv:
    case Quantity::inverse_dynamics_da:
    case Quantity::forward_dynamics_dq:
    case Quantity::forward_dynamics_dv:
    case Quantity::forward_dynamics_dtau:
      return nv * nv;
    case Quantity::inverse_dynamics_vjp:
    case Quantity::forward_dynamics_vjp:
      return 3 * nv;
    case Quantity::centroidal_map:
    case Quantity::centroidal_momentum_derivatives:
    case Quantity::jacobian:
      return 6 * nv;
    case Quantity::center_of_mass:
      return 3;
    case Quantity::kinetic_energy:
    case Quantity::potential_energy:
      return 1;
    case Quantity::placement:
      return 12;
    default:
      return nv;
  }
}

template <class S>
bool is_good(const Model& model, const typename Workspace<S>::Memory& w, const InputRows<S>& rows, long row,
             bool is_configuration) {
  const S* const x = rows.row(row);
  return w.kernels.finite(x, rows.columns()) &&
         (!is_configuration ||
          std::ranges::all_of(model.quaternions(), [&](int at) { return is_unit_quaternion(x + at); }));
}

template <class S>
void expect_good(const Model& model, const Argument& argument, const InputRows<S>& rows, long row,
                 bool is_configuration) {
  expect_finite(argument.of_row(row), rows.row(row), rows.columns());
  if (is_configuration) expect_unit_quaternions(argument.of_row(row), model, rows.row(row));
}

namespace {

// Checks all rows, on all threads; the error names the first bad row.
template <class S>
void check_rows(const Model& model, typename Workspace<S>::Memory& w, const Argument& argument,
                const InputRows<S>& input, bool is_configuration) {
  const long rows = input.rows();
  std::atomic<long> bad = rows;
  w.pool.run([&](int thread) {
    for (long r = rows * thread / w.pool.threads(); r < rows * (thread + 1) / w.pool.threads(); ++r)
      if (!is_good<S>(model, w, input, r, is_configuration)) {
        for (long seen = bad; r < seen && !bad.compare_exchange_weak(seen, r);) {
        }
        return;
      }
  });
  if (bad < rows) expect_good<S>(model, argument, input, bad, is_configuration);
}

// The inputs that outputs read.
template <class S>
struct Input {
  Argument argument;
  const InputRows<S>& rows;
  int columns;
  const char* reader;  // a quantity that reads it; nullptr: none
};
template <class S>
std::array<Input<S>, 9> inputs_of(const typename Workspace<S>::Memory& w, const Inputs<S>& inputs,
                                  std::span<const Output<S>> outputs) {
  std::array<Input<S>, 9> all{{{"q", inputs.q, w.nq, "every quantity"},
                               {"v", inputs.v, w.nv, nullptr},
                               {"a", inputs.a, w.nv, nullptr},
                               {"tau", inputs.tau, w.nv, nullptr},
                               {"dq", inputs.dq, w.nv, nullptr},
                               {"dv", inputs.dv, w.nv, nullptr},
                               {"da", inputs.da, w.nv, nullptr},
                               {"dtau", inputs.dtau, w.nv, nullptr},
                               {"weights", inputs.weights, w.nv, nullptr}}};
  for (const auto& output : outputs) {
    const auto reads = info(output.quantity);
    if (reads.v) all[1].reader = reads.name;
    if (reads.a) all[2].reader = reads.name;
    if (reads.tau) all[3].reader = reads.name;
    if (reads.direction) all[4].reader = all[5].reader = all[reads.a ? 6 : 7].reader = reads.name;
    if (reads.weights) all[8].reader = reads.name;
  }
  return all;
}
template <class S>
bool reads_external(std::span<const Output<S>> outputs) {
  return std::ranges::any_of(outputs, [](const auto& output) { return info(output.quantity).external; });
}

}  // namespace

template <class S>
void check_shapes(const Model& model, typename Workspace<S>::Memory& w, const Inputs<S>& inputs,
                  std::span<const Output<S>> outputs) {
  if (model.structure_id() != w.structure_id)
    throw Error("workspace is for model '" + w.model_name + "', expected model '" + model.name() +
                "'; make a batch::Workspace for each model");
  const long robots = std::max(0L, inputs.q.rows());
  for (const auto& output : outputs)
    if (info(output.quantity).frame) expect_frame("frame", model, output.frame);
  for (const auto& [argument, rows, columns, reader] : inputs_of<S>(w, inputs, outputs)) {
    if (!reader) continue;
    if (!rows.given()) throw Error(argument.text() + " is missing; " + reader + " reads it");
    expect_shape(argument, rows.rows(), rows.columns(), robots, columns);
  }
  for (const auto& output : outputs)
    expect_shape({info(output.quantity).name, -1, " result"}, output.rows.rows(), output.rows.cols(), robots,
                 columns(output.quantity, w.nv, model.body_count()));
  if (!reads_external(outputs)) return;
  for (std::size_t i = 0; i < inputs.external.size(); ++i) {
    const auto& force = inputs.external[i];
    expect_frame({"external", long(i), ".on"}, model, force.on);
    expect_shape({"external", long(i), ".wrench"}, force.wrench.rows(), force.wrench.columns(), robots, 6);
  }
}

template <class S>
void check(const Model& model, typename Workspace<S>::Memory& w, const Inputs<S>& inputs,
           std::span<const Output<S>> outputs) {
  check_shapes<S>(model, w, inputs, outputs);
  const auto all = inputs_of<S>(w, inputs, outputs);
  for (const auto& input : all)
    if (input.reader) check_rows<S>(model, w, input.argument, input.rows, &input == &all[0]);
  if (!reads_external(outputs)) return;
  for (std::size_t i = 0; i < inputs.external.size(); ++i)
    check_rows<S>(model, w, {"external", long(i), ".wrench"}, inputs.external[i].wrench, false);
}

// NOLINTBEGIN(bugprone-macro-parentheses): S is a type
#define LISSOM_INSTANTIATE_CHECKS(S)                                                                                \
  template bool is_good<S>(const Model&, const Workspace<S>::Memory&, const InputRows<S>&, long, bool);             \
  template void expect_good<S>(const Model&, const Argument&, const InputRows<S>&, long, bool);                     \
  template void check_shapes<S>(const Model&, Workspace<S>::Memory&, const Inputs<S>&, std::span<const Output<S>>); \
  template void check<S>(const Model&, Workspace<S>::Memory&, const Inputs<S>&, std::span<const Output<S>>);
// NOLINTEND(bugprone-macro-parentheses)
LISSOM_INSTANTIATE_CHECKS(double)
LISSOM_INSTANTIATE_CHECKS(float)

}  // namespace lissom::batch
