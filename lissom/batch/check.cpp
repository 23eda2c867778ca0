#include <algorithm>
#include <atomic>

#include "lissom/batch/memory.h"
#include "lissom/model/arguments.h"

namespace lissom::batch {

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
  }
  return {.name = "?"};
}

int columns(Quantity quantity, int nv) {
  switch (quantity) {
    case Quantity::mass_matrix:
    case Quantity::inverse_mass_matrix:
    case Quantity::coriolis_matrix:
      return nv * nv;
    case Quantity::centroidal_map:
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

namespace {

// Checks all rows, on all threads; the error names the first bad row.
template <class S>
void check_rows(const Model& model, typename Workspace<S>::Memory& w, const Argument& argument,
                const InputRows<S>& input, bool is_configuration) {
  const auto good = [&](const S* row) {
    return w.kernels.finite(row, input.columns()) &&
           (!is_configuration ||
            std::ranges::all_of(model.quaternions(), [&](int at) { return is_unit_quaternion(row + at); }));
  };
  const long rows = input.rows();
  std::atomic<long> bad = rows;
  w.pool.run([&](int thread) {
    for (long r = rows * thread / w.pool.threads(); r < rows * (thread + 1) / w.pool.threads(); ++r)
      if (!good(input.row(r))) {
        for (long seen = bad; r < seen && !bad.compare_exchange_weak(seen, r);) {
        }
        return;
      }
  });
  if (bad == rows) return;
  const S* const row = input.row(bad);
  expect_finite(argument.of_row(bad), row, input.columns());
  if (is_configuration) expect_unit_quaternions(argument.of_row(bad), model, row);
}

}  // namespace

template <class S>
void check(const Model& model, typename Workspace<S>::Memory& w, const Inputs<S>& inputs,
           std::span<const Output<S>> outputs) {
  if (model.structure_id() != w.structure_id)
    throw Error("workspace is for model '" + w.model_name + "', expected model '" + model.name() +
                "'; make a batch::Workspace for each model");
  struct Input {
    Argument argument;
    const InputRows<S>& rows;
    int columns;
    const char* reader;  // a quantity that reads it; nullptr: none
  };
  Input all[] = {{"q", inputs.q, w.nq, "every quantity"},
                 {"v", inputs.v, w.nv, nullptr},
                 {"a", inputs.a, w.nv, nullptr},
                 {"tau", inputs.tau, w.nv, nullptr}};
  bool external = false;
  const long robots = std::max(0L, inputs.q.rows());
  for (const auto& output : outputs) {
    const auto reads = info(output.quantity);
    if (reads.v) all[1].reader = reads.name;
    if (reads.a) all[2].reader = reads.name;
    if (reads.tau) all[3].reader = reads.name;
    external = external || reads.external;
    if (reads.frame) expect_frame("frame", model, output.frame);
  }
  for (const auto& [argument, rows, columns, reader] : all) {
    if (!reader) continue;
    if (!rows.given()) throw Error(argument.text() + " is missing; " + reader + " reads it");
    expect_shape(argument, rows.rows(), rows.columns(), robots, columns);
  }
  for (const auto& output : outputs)
    expect_shape({info(output.quantity).name, -1, " result"}, output.rows.rows(), output.rows.cols(), robots,
                 columns(output.quantity, w.nv));
  if (external)
    for (std::size_t i = 0; i < inputs.external.size(); ++i) {
      const auto& force = inputs.external[i];
      expect_frame({"external", long(i), ".on"}, model, force.on);
      expect_shape({"external", long(i), ".wrench"}, force.wrench.rows(), force.wrench.columns(), robots, 6);
    }
  for (const auto& input : all)
    if (input.reader) check_rows<S>(model, w, input.argument, input.rows, input.columns == w.nq && &input == all);
  if (external)
    for (std::size_t i = 0; i < inputs.external.size(); ++i)
      check_rows<S>(model, w, {"external", long(i), ".wrench"}, inputs.external[i].wrench, false);
}

template void check<double>(const Model&, Workspace<double>::Memory&, const Inputs<double>&,
                            std::span<const Output<double>>);
template void check<float>(const Model&, Workspace<float>::Memory&, const Inputs<float>&,
                           std::span<const Output<float>>);

}  // namespace lissom::batch
