#include "quantity.h"

#include "lissom/api/kinematics.h"
#include "lissom/api/second_order.h"

namespace lissom::python {

using batch::Quantity;

namespace {

// Which arguments a quantity reads.
struct Reads {
  bool v = false, a = false, tau = false, external = false;
  bool dq_dv = false, da = false, dtau = false, weights = false;
  Reads operator|(const Reads& b) const {
    return {v || b.v,         a || b.a,   tau || b.tau,   external || b.external,
            dq_dv || b.dq_dv, da || b.da, dtau || b.dtau, weights || b.weights};
  }
};
Reads reads(Quantity quantity) {
  switch (quantity) {
    case Quantity::inverse_dynamics:
    case Quantity::inverse_dynamics_dq:
    case Quantity::inverse_dynamics_dv:
    case Quantity::inverse_dynamics_da:
      return {.v = true, .a = true, .external = true};
    case Quantity::forward_dynamics:
    case Quantity::forward_dynamics_dq:
    case Quantity::forward_dynamics_dv:
    case Quantity::forward_dynamics_dtau:
    case Quantity::forward_dynamics_dparameters:
      return {.v = true, .tau = true, .external = true};
    case Quantity::inverse_dynamics_dparameters:
      return {.v = true, .a = true};
    case Quantity::inverse_dynamics_second_order:
      return {.v = true, .a = true, .weights = true};
    case Quantity::forward_dynamics_second_order:
      return {.v = true, .tau = true, .weights = true};
    case Quantity::inverse_dynamics_jvp:
      return {.v = true, .a = true, .external = true, .dq_dv = true, .da = true};
    case Quantity::forward_dynamics_jvp:
      return {.v = true, .tau = true, .external = true, .dq_dv = true, .dtau = true};
    case Quantity::inverse_dynamics_vjp:
      return {.v = true, .a = true, .external = true, .weights = true};
    case Quantity::forward_dynamics_vjp:
      return {.v = true, .tau = true, .external = true, .weights = true};
    case Quantity::bias_forces:
    case Quantity::coriolis_matrix:
    case Quantity::centroidal_momentum_derivatives:
    case Quantity::kinetic_energy:
      return {.v = true};
    default:
      return {};
  }
}

void read_one(Call& call, int& place, int& next, const char* name, nb::handle object, long n) {
  if (!object.is_valid() || object.is_none())
    throw Error(std::string(name) + " is missing, expected an array of shape (…, " + std::to_string(n) + ")");
  call.read(name, object, n);
  place = next++;
}

Places read_needed(const Model& model, const Reads& needed, const QuantityArguments& arguments, Call& call) {
  Places places;
  int next = call.count();
  read_one(call, places.q, next, "q", arguments.q, model.nq());
  if (needed.v) read_one(call, places.v, next, "v", arguments.v, model.nv());
  if (needed.a) read_one(call, places.a, next, "a", arguments.a, model.nv());
  if (needed.tau) read_one(call, places.tau, next, "tau", arguments.tau, model.nv());
  if (needed.dq_dv) {
    read_one(call, places.dq, next, "dq", arguments.dq, model.nv());
    read_one(call, places.dv, next, "dv", arguments.dv, model.nv());
  }
  if (needed.da) read_one(call, places.da, next, "da", arguments.da, model.nv());
  if (needed.dtau) read_one(call, places.dtau, next, "dtau", arguments.dtau, model.nv());
  if (needed.weights) read_one(call, places.weights, next, "weights", arguments.weights, model.nv());
  if (needed.external && !arguments.external.is_none()) {
    places.external = next;
    places.frames = read_external(model, arguments.external, call);
  }
  call.resolve();
  return places;
}

// The shape of a result for one state; no allocation, since it is part of every call.
struct ResultShape {
  std::array<long, 3> lengths{};
  std::size_t axes = 0;
  ResultShape(std::initializer_list<long> shape) : axes(shape.size()) { std::ranges::copy(shape, lengths.begin()); }
  std::span<const long> span() const { return std::span(lengths).first(axes); }
};
ResultShape shape_of(const Model& model, Quantity quantity) {
  const long n = model.nv();
  switch (quantity) {
    case Quantity::mass_matrix:
    case Quantity::inverse_mass_matrix:
    case Quantity::coriolis_matrix:
    case Quantity::inverse_dynamics_dq:
    case Quantity::inverse_dynamics_dv:
    case Quantity::inverse_dynamics_da:
    case Quantity::forward_dynamics_dq:
    case Quantity::forward_dynamics_dv:
    case Quantity::forward_dynamics_dtau:
      return {n, n};
    case Quantity::inverse_dynamics_vjp:
    case Quantity::forward_dynamics_vjp:
      return {3, n};
    case Quantity::centroidal_map:
    case Quantity::centroidal_momentum_derivatives:
    case Quantity::jacobian:
      return {6, n};
    case Quantity::jacobian_derivatives:
      return {6, n, n};
    case Quantity::inverse_dynamics_dparameters:
    case Quantity::forward_dynamics_dparameters:
      return {n, 10L * model.body_count()};
    case Quantity::inverse_dynamics_second_order:
    case Quantity::forward_dynamics_second_order:
      return {3 * n, 3 * n};
    case Quantity::center_of_mass:
      return {3};
    case Quantity::kinetic_energy:
    case Quantity::potential_energy:
      return {};
    case Quantity::placement:
      return {4, 4};
    default:
      return {n};
  }
}

template <class S>
void write_homogeneous(const S* x, S* out) {  // x: the rotation matrix row after row, then the position
  for (int i = 0; i < 3; ++i) {
    std::copy_n(x + 3 * i, 3, out + 4 * i);
    out[4 * i + 3] = x[9 + i];
  }
  std::fill_n(out + 12, 3, S(0));
  out[15] = S(1);
}

// One state in double precision, by the functions for one robot.
void evaluate_single(const Model& model, Workspace& work, Quantity quantity, const Places& places, FrameId frame,
                     std::span<const ExternalForce> forces, const Call& call, long i, double* out) {
  const long n = model.nv();
  const Eigen::Map<const Eigen::VectorXd> q = call.vector(places.q, i);
  const auto v = [&] { return call.vector(places.v, i); };
  const auto result = [&] { return Eigen::Map<Eigen::VectorXd>(out, n); };
  const auto square = [&] { return Eigen::Map<Matrix>(out, n, n); };
  const auto six = [&] { return Eigen::Map<Matrix>(out, 6, n); };
  switch (quantity) {
    case Quantity::inverse_dynamics:
      return inverse_dynamics(model, work, q, v(), call.vector(places.a, i), forces, result());
    case Quantity::forward_dynamics:
      return forward_dynamics(model, work, q, v(), call.vector(places.tau, i), forces, result());
    case Quantity::bias_forces:
      return bias_forces(model, work, q, v(), result());
    case Quantity::gravity_forces:
      return gravity_forces(model, work, q, result());
    case Quantity::mass_matrix:
      return mass_matrix(model, work, q, square());
    case Quantity::inverse_mass_matrix:
      return inverse_mass_matrix(model, work, q, square());
    case Quantity::coriolis_matrix:
      return coriolis_matrix(model, work, q, v(), square());
    case Quantity::centroidal_map:
      six() = centroidal_map(model, work, q);
      return;
    case Quantity::center_of_mass:
      Eigen::Map<Eigen::Vector3d>{out} = to_eigen(center_of_mass(model, work, q));
      return;
    case Quantity::kinetic_energy:
      *out = kinetic_energy(model, work, q, v());
      return;
    case Quantity::potential_energy:
      *out = potential_energy(model, work, q);
      return;
    case Quantity::placement: {
      forward_kinematics(model, work, q);
      using Homogeneous = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
      Eigen::Map<Homogeneous>{out} = isometry(placement(model, work, frame)).matrix();
      return;
    }
    case Quantity::jacobian:
      six() = jacobian(model, work, q, frame);
      return;
    case Quantity::jacobian_derivatives: {
      // Element (r, k, j) of the result is ∂J(r, k)/∂q_j, which C++ has at (6 k + r, j).
      const Eigen::MatrixXd H = jacobian_derivatives(model, work, q, frame);
      Eigen::Map<Matrix> all(out, 6 * n, n);
      for (long r = 0; r < 6; ++r)
        for (long k = 0; k < n; ++k) all.row(r * n + k) = H.row(6 * k + r);
      return;
    }
    case Quantity::centroidal_momentum_derivatives:
      six() = centroidal_momentum_derivatives(model, work, q, v());
      return;
    default:
      return;  // evaluate_derivatives has the others
  }
}

void evaluate_row(const Model& model, Workspace& work, std::span<const Wanted> wanted, const Places& places,
                  FrameId frame, const Call& call, long i) {
  std::vector<ExternalForce> forces;
  if (places.external >= 0) forces = external_at(places.frames, call, places.external, i);
  for (const auto& [quantity, data, size] : wanted)
    if (!comes_with_derivatives(quantity, wanted))
      evaluate_single(model, work, quantity, places, frame, forces, call, i, static_cast<double*>(data) + i * size);
  evaluate_derivatives(model, work, wanted, places, forces, call, i);
}

// Rows are evaluated in pieces of about a tenth of a second, so that Ctrl-C is noticed.
long rows_per_piece(const BoundModel& model) {
  return std::max(1024L, 4'000'000L / std::max(1, model.nv()));
}

template <class S>
void evaluate_rows(const BoundModel& model, std::span<const Wanted> wanted, const Places& places, FrameId frame,
                   const Call& call) {
  // Batches give placements as twelve numbers; Python gets homogeneous matrices.
  std::vector<S> poses;
  const bool has_placement =
      std::ranges::any_of(wanted, [](const auto& w) { return w.quantity == Quantity::placement; });
  if (has_placement) poses.resize(std::size_t(12 * call.rows()));
  const auto lease = model.batch_workspace<S>(call.rows());
  in_pieces(call.rows(), rows_per_piece(model), [&](long first, long count) {
    const auto rows = [&](int place) { return place < 0 ? batch::InputRows<S>() : call.input<S>(place, first, count); };
    std::vector<batch::ExternalForces<S>> external;
    for (std::size_t k = 0; k < places.frames.size(); ++k)
      external.push_back({places.frames[k], call.input<S>(places.external + int(k), first, count)});
    const batch::Inputs<S> inputs{.q = rows(places.q),
                                  .v = rows(places.v),
                                  .a = rows(places.a),
                                  .tau = rows(places.tau),
                                  .external = external,
                                  .dq = rows(places.dq),
                                  .dv = rows(places.dv),
                                  .da = rows(places.da),
                                  .dtau = rows(places.dtau),
                                  .weights = rows(places.weights)};
    std::vector<batch::Output<S>> outputs;
    for (const auto& [quantity, data, size] : wanted) {
      const bool is_pose = quantity == Quantity::placement;
      const long columns = is_pose ? 12 : size;
      S* const out = (is_pose ? poses.data() : static_cast<S*>(data)) + first * columns;
      outputs.push_back({quantity, Eigen::Map<batch::Rows<S>>(out, count, columns), frame});
    }
    batch::evaluate<S>(model, *lease, inputs, outputs);
  });
  for (const auto& w : wanted)
    if (w.quantity == Quantity::placement)
      for (long i = 0; i < call.rows(); ++i) write_homogeneous(poses.data() + 12 * i, static_cast<S*>(w.data) + 16 * i);
}

void evaluate_wanted(const BoundModel& model, std::span<const Wanted> wanted, const Places& places, FrameId frame,
                     const Call& call) {
  if (call.single_precision()) return evaluate_rows<float>(model, wanted, places, frame, call);
  if (!call.single()) return evaluate_rows<double>(model, wanted, places, frame, call);
  const auto lease = model.workspace();
  evaluate_row(model, *lease, wanted, places, frame, call, 0);
}

// The results of a call, which are these quantities; no allocation, since it is part of every call.
struct WantedResults {
  std::array<Wanted, Call::max_results> all{};
  std::size_t count = 0;
  std::span<const Wanted> span() const { return std::span(all).first(count); }
};
WantedResults results_of(std::span<const Quantity> quantities, const Call& call) {
  WantedResults results;
  for (const auto quantity : quantities) {
    const int k = int(results.count++);
    results.all[std::size_t(k)] = {quantity, call.result_data<void>(k), call.result_size(k)};
  }
  return results;
}

}  // namespace

Places read_arguments(const Model& model, std::span<const Quantity> quantities, const QuantityArguments& arguments,
                      Call& call) {
  Reads all;
  for (const auto quantity : quantities) all = all | reads(quantity);
  return read_needed(model, all, arguments, call);
}

void make_result(const Model& model, Quantity quantity, nb::handle out, Call& call, const std::string& name) {
  call.result(out, shape_of(model, quantity).span(), name);
}

void evaluate_results(const BoundModel& model, std::span<const Quantity> quantities, const Places& places,
                      const Call& call) {
  evaluate_wanted(model, results_of(quantities, call).span(), places, world_frame, call);
}

void evaluate_row(const Model& model, Workspace& work, std::span<const Quantity> quantities, const Places& places,
                  FrameId frame, const Call& call, long i) {
  evaluate_row(model, work, results_of(quantities, call).span(), places, frame, call, i);
}

FrameId frame_of(const Model& model, Quantity quantity, nb::handle object) {
  if (quantity != Quantity::placement && quantity != Quantity::jacobian && quantity != Quantity::jacobian_derivatives)
    return world_frame;
  if (object.is_none()) throw Error(std::string(name_of(quantity)) + " needs a frame");
  return frame(model, object);
}

std::vector<FrameId> read_external(const Model& model, nb::handle external, Call& call) {
  constexpr std::size_t max_forces = 8;
  std::vector<FrameId> frames;
  if (external.is_none()) return frames;
  if (!nb::isinstance<nb::dict>(external)) {
    PyErr_SetString(PyExc_TypeError, "external is no dict, expected {frame: wrench of shape (…, 6)}");
    throw nb::python_error();
  }
  for (const auto [key, wrench] : nb::borrow<nb::dict>(external)) {
    if (frames.size() == max_forces)
      throw Error("external has more than " + std::to_string(max_forces) +
                  " frames; add their forces up with generalized_forces");
    frames.push_back(frame(model, key, "external"));
    call.read("external", wrench, 6);
  }
  return frames;
}

std::vector<ExternalForce> external_at(const std::vector<FrameId>& frames, const Call& call, int first, long row) {
  std::vector<ExternalForce> forces;
  forces.reserve(frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const double* const x = call.row<double>(first + int(k), row);
    forces.push_back({.on = frames[k], .force = {x[0], x[1], x[2]}, .torque = {x[3], x[4], x[5]}, .at = {frames[k]}});
  }
  return forces;
}

nb::object evaluate(const BoundModel& model, Quantity quantity, const QuantityArguments& arguments, nb::handle out) {
  Call call;
  const auto places = read_arguments(model, std::span(&quantity, 1), arguments, call);
  const FrameId frame = frame_of(model, quantity, arguments.frame);
  make_result(model, quantity, out, call);
  const Wanted wanted{quantity, call.result_data<void>(), call.result_size()};
  evaluate_wanted(model, std::span(&wanted, 1), places, frame, call);
  return call.finish();
}

nb::dict evaluate(const BoundModel& model, const std::vector<Quantity>& quantities,
                  const QuantityArguments& arguments) {
  FrameId frame = world_frame;
  for (const auto quantity : quantities)
    if (const auto id = frame_of(model, quantity, arguments.frame); id != world_frame) frame = id;
  Call call;
  const auto places = read_arguments(model, quantities, arguments, call);
  nb::dict results;
  std::vector<Wanted> wanted;
  for (const auto quantity : quantities) {
    std::vector<long> shape(call.leading().begin(), call.leading().end());
    long size = 1;
    const auto own = shape_of(model, quantity);
    for (const long n : own.span()) shape.push_back(n), size *= n;
    const nb::object array = new_array(shape, call.single_precision());
    results[name_of(quantity)] = array;
    wanted.push_back({quantity, data_of(array), size});
  }
  evaluate_wanted(model, wanted, places, frame, call);
  return results;
}

}  // namespace lissom::python
