#pragma once
// What `lissom eval` computes: a request {"gravity": [x, y, z], "states": [{"q": …, "v": …, "a": …, "tau": …}, …]} in,
// dynamics and kinematics at these states out.
#include <functional>
#include <optional>
#include <string>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "lissom/formulations/conventions.h"
#include "lissom/lissom.h"

namespace verb::eval {

// A state in the model's own coordinates.
struct Given {
  Eigen::VectorXd q, v, a, tau;
};
// Nothing if go_on, which is asked often, says no meanwhile: of a robot of a thousand joints a state takes seconds.
std::optional<nlohmann::json> evaluate(const lissom::Model& model, lissom::Workspace& work, const Given& given,
                                       const lissom::formulations::Conversion& to, const std::function<bool()>& go_on);

// The joints and where their elements are, in a convention.
nlohmann::json joint_list(const lissom::Model& model, const lissom::formulations::Conversion& to);

// Throws an Error if this is not a request; its states are checked when they are evaluated.
void check_request(const nlohmann::json& request);
// The model with the gravity of the request, if it gives one.
lissom::Model with_gravity_of(const nlohmann::json& request, lissom::Model model);
// The results of its states, in order, until go_on says no, which it is asked within states, too. `from`: the
// convention of the states, `to`: that of the results. Throws an Error that names the state.
nlohmann::json evaluate_all(const lissom::Model& model, const nlohmann::json& request,
                            const lissom::formulations::Conversion& from, const lissom::formulations::Conversion& to,
                            const std::function<bool(std::size_t index, const std::string& where)>& go_on);

}  // namespace verb::eval
