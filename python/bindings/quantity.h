#pragma once
// Quantities of one state or many: arguments from Python to lissom::batch, or to the functions for one robot.
#include "bound_model.h"
#include "lissom/api/dynamics.h"

LISSOM_ENUM(lissom::batch::Quantity, "inverse_dynamics", "forward_dynamics", "bias_forces", "gravity_forces",
            "mass_matrix", "inverse_mass_matrix", "coriolis_matrix", "centroidal_map", "center_of_mass",
            "kinetic_energy", "potential_energy", "placement", "jacobian")

namespace lissom::python {

/// The arguments of a call; those that the quantity does not read stay empty.
struct QuantityArguments {
  nb::handle q, v = {}, a = {}, tau = {}, external = nb::none(), frame = nb::none();
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
  std::vector<FrameId> frames;
};
/// Reads those that the quantities need, and resolves the call.
Places read_arguments(const Model& model, batch::Quantity quantity, const QuantityArguments& arguments, Call& call);
/// The frame of a quantity that needs one.
FrameId frame_of(const Model& model, batch::Quantity quantity, nb::handle object);
/// Makes the array for the result.
void make_result(const Model& model, batch::Quantity quantity, nb::handle out, Call& call);
/// Row i of the call in double precision, by the functions for one robot.
void evaluate_row(const Model& model, Workspace& work, batch::Quantity quantity, const Places& places, FrameId frame,
                  const Call& call, long i);
/// Throws an Error unless this is an array of (robots, n) that can be changed in place.
void expect_in_place(const char* name, nb::handle array, long n);

/// Reads {frame: (…, 6)} as further arguments of the call, and returns the frames.
std::vector<FrameId> read_external(const Model& model, nb::handle external, Call& call);
/// The forces of one row; they begin at argument `first`.
std::vector<ExternalForce> external_at(const std::vector<FrameId>& frames, const Call& call, int first, long row);

}  // namespace lissom::python
