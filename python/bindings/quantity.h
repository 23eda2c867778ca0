#pragma once
// Quantities of one state or many: arguments from Python to lissom::batch, or to the functions for one robot.
#include "bound_model.h"

#include "lissom/api/dynamics.h"

LISSOM_ENUM(lissom::batch::Quantity, "inverse_dynamics", "forward_dynamics", "bias_forces", "gravity_forces", "mass_matrix",
            "inverse_mass_matrix", "coriolis_matrix", "centroidal_map", "center_of_mass", "kinetic_energy",
            "potential_energy", "placement", "jacobian")

namespace lissom::python {

/// The arguments of a call; those that the quantity does not read stay empty.
struct QuantityArguments {
  nb::handle q, v = {}, a = {}, tau = {}, external = nb::none(), frame = nb::none();
};

/// One quantity, as an array of shape (…, its own shape).
nb::object evaluate(const BoundModel& model, batch::Quantity quantity, const QuantityArguments& arguments, nb::handle out);
/// Several, by name.
nb::dict evaluate(const BoundModel& model, const std::vector<batch::Quantity>& quantities, const QuantityArguments& arguments);

/// Reads {frame: (…, 6)} as further arguments of the call, and returns the frames.
std::vector<FrameId> read_external(const Model& model, nb::handle external, Call& call);
/// The forces of one row; they begin at argument `first`.
std::vector<ExternalForce> external_at(const std::vector<FrameId>& frames, const Call& call, int first, long row);

}  // namespace lissom::python
