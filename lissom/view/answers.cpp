#include "lissom/view/answers.h"

#include <cmath>
#include <optional>

#include "lissom/api/dynamics.h"
#include "lissom/api/state.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/files/json_text.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/ik/closed_loops.h"
#include "lissom/ik/pins.h"
#include "lissom/ik/pull.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/view/robot_json.h"

namespace lissom::view {
namespace {

using nlohmann::json;

Eigen::VectorXd numbers(const json& question, const char* key, long count) {
  const auto it = question.find(key);
  if (it == question.end() || !it->is_array() || long(it->size()) != count)
    throw Error(std::string(key) + ": expected a list of " + std::to_string(count) + " numbers");
  Eigen::VectorXd x(count);
  for (long i = 0; i < count; ++i) {
    const auto& value = (*it)[std::size_t(i)];
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      throw Error(std::string(key) + "[" + std::to_string(i) + "]: expected a finite number");
    x[i] = value;
  }
  return x;
}

Vec3<double> point(const json& question, const char* key) {
  const auto x = numbers(question, key, 3);
  return {x[0], x[1], x[2]};
}

double number(const json& question, const char* key) {
  const auto it = question.find(key);
  if (it == question.end() || !it->is_number() || !std::isfinite(it->get<double>()))
    throw Error(std::string(key) + ": expected a finite number");
  return *it;
}

std::string text(const json& question, const char* key) {
  const auto it = question.find(key);
  if (it == question.end() || !it->is_string()) throw Error(std::string(key) + ": expected a text");
  return *it;
}

json rows(const auto& M) {
  json all = json::array();
  for (long i = 0; i < M.rows(); ++i) {
    json row = json::array();
    for (long j = 0; j < M.cols(); ++j) row.push_back(finite_or_null(M(i, j)));
    all.push_back(std::move(row));
  }
  return all;
}
json elements(const auto& x) {
  json all = json::array();
  for (long i = 0; i < x.size(); ++i) all.push_back(finite_or_null(x[i]));
  return all;
}

// What the answers about one robot share.
class Desk {
 public:
  explicit Desk(const Model& model) : model_(model), work_(model), shapes_(model) {
    if (const auto found = closures(model); !found.empty()) loops_ = ik::closed_loops(model, found);
  }

  json quantities(const json& question) {
    const auto q = configuration(question), v = numbers(question, "v", model_.nv());
    json all{{"M", rows(mass_matrix(model_, work_, q))},
             {"C", rows(coriolis_matrix(model_, work_, q, v))},
             {"g", elements(gravity_forces(model_, work_, q))},
             {"h", elements(bias_forces(model_, work_, q, v))},
             {"momentum", elements(centroidal_momentum(model_, work_, q, v))},
             {"kinetic", finite_or_null(kinetic_energy(model_, work_, q, v))},
             {"potential", finite_or_null(potential_energy(model_, work_, q))},
             {"com", to_json(center_of_mass(model_, work_, q))}};
    const Eigen::Vector3d velocity = center_of_mass_jacobian(model_, work_, q) * v;
    all["com_velocity"] = elements(velocity);
    forward_kinematics(model_, work_, q);
    all["support"] = support(question.contains("ground") ? number(question, "ground") : 0);
    return all;
  }

  json pull(const json& question) {
    const auto q = configuration(question);
    const auto to = point(question, "to");
    prepare_pull(text(question, "link"), point(question, "point"), pinned(question));
    const auto& found = pull_->solve(q, to);
    return {{"q", elements(found.q)}, {"distance", found.distance}, {"slip", found.slip}};
  }

  json reach(const json& question) {
    const auto q = configuration(question);
    const auto x = numbers(question, "pose", 7);
    const double norm = x.tail(4).norm();
    if (!(norm > 1e-6)) throw Error("pose: its quaternion is zero");
    const Quaternion<double> r{x[3] / norm, x[4] / norm, x[5] / norm, x[6] / norm};
    std::vector<ik::Target> targets{
        ik::pose(model_.frame(text(question, "frame")), {matrix(r), Vec3<double>{x[0], x[1], x[2]}})};
    if (const auto names = pinned(question); !pins_ || names != pinned_names_) {
      pins_.emplace(model_, frames_of(names));
      pinned_names_ = names;
    }
    forward_kinematics(model_, work_, q);
    pins_->place(model_, work_, q);
    for (const auto& target : pins_->targets()) targets.push_back(target);
    ik::Solver solver(model_, targets, loops_);
    ik::Options options;
    options.starts = 1;  // a solution beside the present one, not any
    const auto& found = solver.solve(q, options);
    const bool solved = found.status == ik::Status::solved;
    const auto& reached = loops_.count > 0 && !solved ? q : found.q;  // the loops would open
    pins_->follow(reached);
    return {{"q", elements(reached)},
            {"solved", solved},
            {"distance", found.residuals[0].distance},
            {"angle", found.residuals[0].angle}};
  }

  // A joint was moved by hand: it stays, and the others close the loops again.
  json close(const json& question) {
    const auto q = configuration(question);
    const auto joint = text(question, "joint");
    if (loops_.count == 0) return {{"q", elements(q)}};
    ik::Solver solver(model_, {}, loops_, {joint});
    ik::Options options;
    options.starts = 1;
    const auto& found = solver.solve(q, options);
    if (found.status != ik::Status::solved)
      throw Error("the loops cannot be closed with joint " + in_quotes(joint) + " there");
    return {{"q", elements(found.q)}};
  }

  json random() { return {{"q", elements(random_closed())}}; }

  json contacts() {
    if (!contacts_) {
      const auto found = contacts_of(model_.description());
      contacts_ = {{"contacts", contacts_json(model_, found)}, {"source", found.source}, {"remarks", found.remarks}};
    }
    return *contacts_;
  }

 private:
  Eigen::VectorXd configuration(const json& question) const {
    return normalize(model_, numbers(question, "q", model_.nq()));
  }
  static std::vector<std::string> pinned(const json& question) {
    const auto it = question.find("pinned");
    if (it == question.end()) return {};
    if (!it->is_array()) throw Error("pinned: expected a list of names");
    std::vector<std::string> names;
    for (const auto& name : *it) {
      if (!name.is_string()) throw Error("pinned: expected a list of names");
      names.push_back(name);
    }
    return names;
  }

  // While one pulls, the question is the same but for q and the place.
  void prepare_pull(const std::string& link, const Vec3<double>& at, const std::vector<std::string>& pins) {
    const json key{link, to_json(at), pins};
    if (pull_ && key == pull_key_) return;
    pull_.emplace(model_, model_.frame(link), at, frames_of(pins), loops_);
    pull_key_ = key;
  }

  std::vector<FrameId> frames_of(const std::vector<std::string>& names) const {
    std::vector<FrameId> frames;
    for (const auto& name : names) frames.push_back(model_.frame(name));
    return frames;
  }

  // A random configuration of a linkage has to be closed, which is not possible from everywhere.
  Eigen::VectorXd random_closed() {
    std::string why;
    for (int i = 0; i < 20; ++i) {
      Eigen::VectorXd q = random_configuration(model_, ++seed_);
      if (loops_.count == 0) return q;
      try {
        ClosedLoops(model_).assemble(model_, work_, q);
        return q;
      } catch (const Error& error) {
        why = error.what();
      }
    }
    throw Error("no random configuration could be closed: " + why);
  }

  // Corners of the support polygon: where primitives are within 5 mm of the ground at this height. After
  // forward_kinematics.
  json support(double ground) {
    std::vector<Vec3<double>> touching;
    for (const auto& s : shapes_.shapes()) {
      const auto X = placement(model_, work_, s.frame) * s.in_link;
      for (const auto& sphere : covering_spheres(s.shape)) {
        const auto p = X * sphere.center;
        if (std::abs(p.z - sphere.radius - ground) < 5e-3) touching.push_back({p.x, p.y, 0});
      }
    }
    json corners = json::array();
    for (const auto& p : convex_hull(std::move(touching))) corners.push_back(to_json(Vec3<double>{p.x, p.y, ground}));
    return corners;
  }

  Model model_;
  Workspace work_;
  CollisionGeometry shapes_;
  ik::ExtraRows loops_;
  std::optional<ik::Pull> pull_;
  json pull_key_;
  std::optional<ik::Pins> pins_;  // of reach()
  std::vector<std::string> pinned_names_;
  std::optional<json> contacts_;
  std::uint64_t seed_ = 0;
};

}  // namespace

struct Answers::Impl {
  std::vector<Desk> desks;

  json answer(const json& question) {
    if (!question.is_object()) throw Error("expected a JSON object");
    const auto robot = question.value("robot", json(0));
    if (!robot.is_number_integer() || robot < 0 || robot >= desks.size())
      throw Error("robot: expected an index below " + std::to_string(desks.size()));
    auto& desk = desks[robot.get<std::size_t>()];
    const auto ask = text(question, "ask");
    if (ask == "quantities") return desk.quantities(question);
    if (ask == "pull") return desk.pull(question);
    if (ask == "reach") return desk.reach(question);
    if (ask == "close") return desk.close(question);
    if (ask == "random") return desk.random();
    if (ask == "contacts") return desk.contacts();
    throw Error("ask: '" + ask.substr(0, 100) +
                "' is unknown; expected quantities, pull, reach, close, random or contacts");
  }
};

Answers::Answers(const std::vector<Model>& robots) : impl_(std::make_unique<Impl>()) {
  for (const auto& model : robots) impl_->desks.emplace_back(model);
}
Answers::~Answers() = default;
Answers::Answers(Answers&&) noexcept = default;

std::vector<std::string> Answers::abilities() {
  return {"quantities", "pull", "reach", "close", "random", "contacts"};
}

std::string Answers::answer(std::string_view text) {
  json question, answer;
  try {
    question = parse_json<json>(text, JsonComments::refuse, 8);
    answer = impl_->answer(question);
  } catch (const std::exception& wrong) {
    answer = {{"error", wrong.what()}};
  }
  answer["id"] =
      question.is_object() && question.contains("id") && question["id"].is_number() ? question["id"] : json();
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace lissom::view
