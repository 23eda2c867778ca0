#pragma once
// Quantities of one state or many: arguments from Python to lissom::batch, or to the functions for one robot.
#include "bound_model.h"
#include "lissom/api/dynamics.h"

LISSOM_ENUM(lissom::batch::Quantity, "inverse_dynamics", "forward_dynamics", "bias_forces", "gravity_forces",
            "mass_matrix", "inverse_mass_matrix", "coriolis_matrix", "centroidal_map", "center_of_mass",
            "kinetic_energy", "potential_energy", "placement", "jacobian", "inverse_dynamics_dq", "inverse_dynamics_dv",
            "inverse_dynamics_da", "forward_dynamics_dq", "forward_dynamics_dv", "forward_dynamics_dtau",
            "inverse_dynamics_jvp", "inverse_dynamics_vjp", "forward_dynamics_jvp", "forward_dynamics_vjp",
            "inverse_dynamics_dparameters", "forward_dynamics_dparameters", "inverse_dynamics_second_order",
            "forward_dynamics_second_order", "jacobian_derivatives", "centroidal_momentum_derivatives")

namespace lissom::python {

static_assert(names<batch::Quantity>.size() == std::size_t(batch::Quantity::centroidal_momentum_derivatives) + 1);

/// The arguments of a call; those that the quantity does not read stay empty.
struct QuantityArguments {
  nb::handle q, v = {}, a = {}, tau = {}, external = nb::none(), frame = nb::none();
  nb::handle dq = {}, dv = {}, da = {}, dtau = {}, weights = {};
};

/// One quantity, as an array of shape (…, its own shape).
nb::object evaluate(const BoundModel& model, batch::Quantity quantity, const QuantityArguments& arguments,
                    nb::handle out);
/// Several, by name.
nb::dict evaluate(const BoundModel& model, const std::vector<batch::Quantity>& quantities,
                  const QuantityArguments& arguments);

/// Where the arguments of a call are in it; -1: not read.
struct Places {
  int q = -1, v = -1, a = -1, tau = -1, external = -1;
  int dq = -1, dv = -1, da = -1, dtau = -1, weights = -1;
  std::vector<FrameId> frames;
};
/// Reads those that the quantities need, and resolves the call.
Places read_arguments(const Model& model, std::span<const batch::Quantity> quantities,
                      const QuantityArguments& arguments, Call& call);
/// The frame of a quantity that needs one.
FrameId frame_of(const Model& model, batch::Quantity quantity, nb::handle object);
/// Makes the array for the next result.
void make_result(const Model& model, batch::Quantity quantity, nb::handle out, Call& call,
                 const std::string& name = "out");
/// Computes the results of the call, which are these quantities, in one pass.
void evaluate_results(const BoundModel& model, std::span<const batch::Quantity> quantities, const Places& places,
                      const Call& call);
/// Row i of the results, which are these quantities, in double precision, by the functions for one robot.
void evaluate_row(const Model& model, Workspace& work, std::span<const batch::Quantity> quantities,
                  const Places& places, FrameId frame, const Call& call, long i);
/// A quantity and the array that it is written to.
struct Wanted {
  batch::Quantity quantity;
  void* data;
  long size;  ///< elements per row
};
/// Whether the function that computes derivatives among them gives this quantity, too.
bool comes_with_derivatives(batch::Quantity quantity, std::span<const Wanted> wanted);
/// The derivatives and products among them, and what comes with these, for row i, by the functions for one robot: each
/// is called once. The others are left alone.
void evaluate_derivatives(const Model& model, Workspace& work, std::span<const Wanted> wanted, const Places& places,
                          std::span<const ExternalForce> forces, const Call& call, long i);
/// Throws an Error unless this is an array of (robots, n) that can be changed in place.
void expect_in_place(const char* name, nb::handle array, long n);

/// Reads {frame: (…, 6)} as further arguments of the call, and returns the frames.
std::vector<FrameId> read_external(const Model& model, nb::handle external, Call& call);
/// The forces of one row; they begin at argument `first`.
std::vector<ExternalForce> external_at(const std::vector<FrameId>& frames, const Call& call, int first, long row);

}  // namespace lissom::python
