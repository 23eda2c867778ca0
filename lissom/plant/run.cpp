#include "lissom/plant/run.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/api/state.h"
#include "lissom/model/wording.h"

namespace lissom::plant {

namespace {

constexpr double hit = 0.01;  // m that a link may be in the ground: shapes are drawn roughly

// (Our own: those of the standard library differ between libraries.)
double uniform(std::mt19937_64& random) {
  return double(random() >> 11) * 0x1p-53;
}

void check(const Options& options) {
  const auto bad = [](const char* what, double found, const char* expected) {
    throw Error(std::string("plant: ") + what + ' ' + in_words(found) + "; expected " + expected);
  };
  const auto& i = options.imperfections;
  if (!(options.step > 0) || !std::isfinite(options.step)) bad("step", options.step, "more than 0 s");
  if (options.substeps < 1) bad("substeps", options.substeps, "1 or more");
  if (!(i.mass_error >= 0 && i.mass_error < 1)) bad("mass_error", i.mass_error, "0 or more, less than 1");
  if (i.delay < 0) bad("delay", i.delay, "0 ticks or more");
  if (!(i.position_noise >= 0)) bad("position_noise", i.position_noise, "0 or more");
  if (!(i.velocity_noise >= 0)) bad("velocity_noise", i.velocity_noise, "0 or more");
}

}  // namespace

Run::Run(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Options& options,
         std::size_t contacts)
    : model_((check(options), with_mass_error(model, options.imperfections.mass_error, options.imperfections.seed))),
      work_(model_),
      options_(options),
      q_(q),
      v_(v),
      zero_(Eigen::VectorXd::Zero(model.nv())),
      touches_(contacts),
      lowest_(model_),
      random_(options.imperfections.seed),
      commands_(std::size_t(options.imperfections.delay) + 1, zero_),
      noise_(zero_),
      next_q_(q) {
  forward_kinematics(model_, work_, q, v);  // refuses what is no state of this model
  for (const auto& push : options.imperfections.pushes) {
    if (!std::isfinite(push.force.x + push.force.y + push.force.z))
      throw Error("plant: the push at " + in_quotes(push.frame) + " is not finite");
    const auto frame = model_.frame(push.frame);
    pushes_.push_back({.on = frame, .force = push.force, .at = {.frame = frame}});
  }
  external_.reserve(pushes_.size());
}

double Run::normal_number() {
  const double u = 1 - uniform(random_), angle = 2 * std::numbers::pi * uniform(random_);
  return std::sqrt(-2 * std::log(u)) * std::cos(angle);
}

void Run::sense(Eigen::VectorXd& q, Eigen::VectorXd& v) {
  const auto& i = options_.imperfections;
  q = q_;
  v = v_;
  if (i.position_noise > 0) {
    for (auto& x : noise_) x = i.position_noise * normal_number();
    integrate(model_, q_, noise_, 1, q);
  }
  if (i.velocity_noise > 0)
    for (auto& x : v) x += i.velocity_noise * normal_number();
}

bool Run::step(const control::Tick& tick) {
  if (!failure_.empty()) return false;
  const auto& command = command_of(tick);
  if (!check_command(command)) return false;
  // Until the first command has come through, it is the first one: a robot that was held before it was let go.
  if (ticks_ == 0) std::fill(commands_.begin(), commands_.end(), command);
  const auto size = long(commands_.size());
  commands_[std::size_t(ticks_ % size)] = command;
  const auto& delayed = commands_[std::size_t((ticks_ + 1) % size)];
  if (!move(tick, delayed)) return false;
  ++ticks_;
  time_ = double(ticks_) * options_.step;
  return check_links();
}

bool Run::check_command(const Eigen::VectorXd& command) {
  if (command.size() != model_.nv())
    throw Error(std::string("plant: the tick has ") + std::to_string(command.size()) + ' ' + command_name() +
                "s; model " + in_quotes(model_.name()) + " expects " + std::to_string(model_.nv()));
  for (const auto& joint : model_.joints())
    for (int k = joint.v_index; k < joint.v_index + joint.nv; ++k)
      if (!std::isfinite(command[k]))
        return fail(std::string("the ") + command_name() + " of " + joint.name + " is not finite");
  return true;
}

bool Run::check_links() {
  const auto found = lowest_.find(model_, work_);
  if (found.link && found.z < ground_ - hit) return fail(*found.link + " hits the ground");
  return true;
}

bool Run::fail(const std::string& what) {
  failure_ = what + " at t = " + in_words(time_) + " s";
  return false;
}

bool Run::advance(const Eigen::VectorXd& v, double time) {
  if (!v.allFinite()) return fail("the velocity is not finite");
  integrate(model_, q_, v, time, next_q_);
  if (!next_q_.allFinite()) return fail("the position is not finite");
  q_ = next_q_;
  v_ = v;
  time_ += time;
  forward_kinematics(model_, work_, q_, v_);
  return true;
}

std::span<const ExternalForce> Run::pushes() {
  external_.clear();
  for (std::size_t i = 0; i < pushes_.size(); ++i) {
    const auto& push = options_.imperfections.pushes[i];
    // (A push is there in a step of which more than half lies within its time.)
    const double now = time_ + options_.step / (2 * options_.substeps);
    if (push.from <= now && now < push.until) external_.push_back(pushes_[i]);
  }
  return external_;
}

Model with_mass_error(const Model& model, double error, std::uint64_t seed) {
  if (error == 0) return model;
  std::mt19937_64 random(seed ^ 0x6d617373);  // other numbers than the sensors'
  auto description = model.description();
  for (auto& link : description.links) {
    const double factor = 1 + error * (2 * uniform(random) - 1);
    auto& I = link.inertia;
    link.mass *= factor;
    I = {factor * I.xx, factor * I.xy, factor * I.xz, factor * I.yy, factor * I.yz, factor * I.zz};
  }
  return build(description, model.options());
}

LowestPoint::LowestPoint(const Model& model) {
  for (const auto& link : model.description().links)
    for (const auto& geometry : link.collisions) {
      const auto& s = geometry.shape;
      Solid solid{model.frame(link.name), geometry.origin, {0, 0, s.length / 2}, 0, 0, link.name};
      switch (s.kind) {
        case Shape::Kind::box:
          solid.half = .5 * s.size;
          break;
        case Shape::Kind::sphere:
          solid.half.z = 0;
          [[fallthrough]];
        case Shape::Kind::capsule:
          solid.radius = s.radius;
          break;
        case Shape::Kind::cylinder:
          solid.disc = s.radius;
          break;
        case Shape::Kind::mesh:
          continue;
      }
      solids_.push_back(solid);
    }
}

LowestPoint::Found LowestPoint::find(const Model& model, const Workspace& work) const {
  Found found{0, nullptr};
  for (const auto& s : solids_) {
    const auto X = placement(model, work, s.frame) * s.origin;
    const auto& R = X.R;
    const double reach = std::abs(R.zx) * s.half.x + std::abs(R.zy) * s.half.y + std::abs(R.zz) * s.half.z +
                         s.disc * std::hypot(R.zx, R.zy) + s.radius;
    const double z = X.p.z - reach;
    if (!found.link || z < found.z) found = {z, &s.link};
  }
  return found;
}

}  // namespace lissom::plant
