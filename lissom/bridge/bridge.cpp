#include "lissom/bridge/bridge.h"

#include <chrono>
#include <cmath>
#include <numbers>

#include "lissom/api/dynamics.h"
#include "lissom/api/state.h"
#include "lissom/formulations/joint_forms.h"
#include "lissom/math/dense.h"
#include "lissom/model/short_text.h"
#include "lissom/sim/energy_warning.h"
#include "lissom/sim/integrator.h"

namespace lissom::bridge {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Mass properties of links that are fixed to each other, in the first link's frame.
struct Lump {
  double mass = 0;
  Vector3d first_moment = Vector3d::Zero();  // m c
  Matrix3d about_origin = Matrix3d::Zero();
  void add(const formulations::MechanismLink& link, const Pose<double>& X) {
    const Matrix3d R = to_eigen(X.R);
    const Vector3d c = R * link.com + to_eigen(X.p);
    const Matrix3d C = formulations::cross_matrix(c);
    mass += link.mass;
    first_moment += link.mass * c;
    about_origin += R * link.inertia * R.transpose() - link.mass * C * C;
  }
  Vector3d com() const { return first_moment / mass; }
  Matrix3d inertia() const {
    const Matrix3d C = formulations::cross_matrix(com());
    const Matrix3d I = about_origin + mass * C * C;
    return 0.5 * (I + I.transpose());
  }
};

}  // namespace

Bridge::Bridge(const Model& model, const std::string& engine, const VectorXd& q, const VectorXd& v)
    : mechanism_(model), engine_(make_engine(engine, to_eigen(model.gravity()))), gravity_(to_eigen(model.gravity())) {
  if (mechanism_.coupled)
    throw Error(
        "the model has mimic joints, which the bridge does not support; load it with mimic = false (--mimic "
        "independent)");
  for (const auto& link : mechanism_.links)
    if (link.armature != 0)
      throw Error("joint '" + link.joint + "' has armature " + std::to_string(link.armature) +
                  ", which the bridge does not support; build the model without it");
  const auto placed = formulations::to_maximal(mechanism_, q, v);
  add_bodies(placed);
  add_joints(placed);
  state_.q = q, state_.v = v;
  read();
}

void Bridge::add_bodies(const formulations::MaximalState& placed) {
  // A body is a link whose joint moves, with all links that are fixed to it.
  std::vector<Lump> lumps;
  std::vector<std::size_t> roots;
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const auto& link = mechanism_.links[k];
    const bool fixed = link.type == JointType::fixed;
    if (fixed) {
      const int parent = link.parent;
      body_of_.push_back(parent < 0 ? -1 : body_of_[std::size_t(parent)]);
      in_root_.push_back(parent < 0 ? link.origin : in_root_[std::size_t(parent)] * link.origin);
    } else {
      body_of_.push_back(int(lumps.size()));
      in_root_.push_back({});
      roots.push_back(k);
      lumps.emplace_back();
    }
    if (body_of_[k] >= 0) lumps[std::size_t(body_of_[k])].add(link, in_root_[k]);
  }
  for (std::size_t b = 0; b < lumps.size(); ++b) {
    const auto root = roots[b];
    const auto& name = mechanism_.links[root].name;
    const auto& lump = lumps[b];
    const auto smallest = lump.mass > 0 ? dense::eigenvalues(lump.inertia())[0] : 0;
    if (!(lump.mass > 0) || !(smallest > 0))
      throw Error("link '" + name + "' has mass " + std::to_string(lump.mass) +
                  " kg and a smallest principal inertia of " + std::to_string(smallest) +
                  " kg m², expected positive numbers for every body in maximal coordinates");
    bodies_.push_back({int(root), lump.com(), lump.mass, lump.inertia()});
    const Matrix3d R = to_eigen(placed.X[root].R);
    const Vector3d arm = R * lump.com(), omega = placed.V[root].tail<3>();
    engine_->add(BodySpec{name, lump.mass, lump.inertia()},
                 BodyState{R, to_eigen(placed.X[root].p) + arm, placed.V[root].head<3>() + omega.cross(arm), omega});
  }
}

void Bridge::add_joints(const formulations::MaximalState& placed) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto& link = mechanism_.links[std::size_t(bodies_[b].root)];
    const auto& X = placed.X[std::size_t(bodies_[b].root)];
    const auto X_WJ = (link.parent < 0 ? Pose<double>{} : placed.X[std::size_t(link.parent)]) * link.origin;
    engine_->add(JointSpec{link.joint, link.type, link.parent < 0 ? -1 : body_of_[std::size_t(link.parent)], int(b),
                           to_eigen(X.p), to_eigen(X_WJ.R * link.axis), to_eigen(X.R * link.axis2)});
  }
}

void Bridge::read() {
  states_.clear();
  energy_.kinetic = energy_.potential = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto& body = bodies_[b];
    const auto& s = states_.emplace_back(engine_->state(int(b)));
    if (!s.R.allFinite() || !s.com.allFinite() || !s.v.allFinite() || !s.omega.allFinite())
      throw Error("the motion of link '" + mechanism_.links[std::size_t(body.root)].name + "' in " + engine_->name() +
                  " is no longer finite; take a smaller step");
    const Vector3d along_body = s.R.transpose() * s.omega;
    energy_.kinetic += 0.5 * body.mass * s.v.squaredNorm() + 0.5 * along_body.dot(body.inertia * along_body);
    energy_.potential -= body.mass * gravity_.dot(s.com);
  }
  formulations::MaximalState all;
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    Pose<double> X = in_root_[k];  // fixed to the world
    Vector6 V = Vector6::Zero();
    if (body_of_[k] >= 0) {
      const auto& s = states_[std::size_t(body_of_[k])];
      const Vector3d p = s.com - s.R * bodies_[std::size_t(body_of_[k])].com;
      const Matrix3d& R = s.R;
      const Pose<double> root{{R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)},
                              {p.x(), p.y(), p.z()}};
      X = root * in_root_[k];
      V << s.v + s.omega.cross(to_eigen(X.p) - s.com), s.omega;
    }
    all.X.push_back(X);
    all.V.push_back(V);
  }
  const VectorXd near = state_.q;
  state_ = formulations::to_generalized(mechanism_, all, &near);
}

void Bridge::step(const VectorXd& tau, double seconds) {
  formulations::check_vector(tau, mechanism_.nv, "tau");
  if (!(seconds > 0)) throw Error("seconds is " + std::to_string(seconds) + " s, expected a positive number");
  struct Wrench {
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  // at the center of mass
  };
  std::vector<Wrench> wrenches(bodies_.size());
  // The wrench of a joint on its child, at the child's origin, is S (Sᵀ S)⁻¹ tau, with the power tauᵀ v; the opposite
  // wrench acts on its parent, at the same point.
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto& link = mechanism_.links[std::size_t(bodies_[b].root)];
    const auto S = formulations::joint_motion(link, state_.q, state_.v).S;
    const VectorXd own = tau.segment(link.v_index, link.nv);
    const Vector6 w = S * dense::inverse(S.transpose() * S) * own;
    const auto& s = states_[b];
    const Vector3d force = s.R * w.head<3>(), torque = s.R * w.tail<3>();
    const Vector3d at = s.com - s.R * bodies_[b].com;
    const auto push = [&](std::size_t body, double sign) {
      const Vector3d arm = at - states_[body].com;
      wrenches[body].force += sign * force;
      wrenches[body].torque += sign * (torque + arm.cross(force));
    };
    push(b, 1);
    if (link.parent >= 0 && body_of_[std::size_t(link.parent)] >= 0)
      push(std::size_t(body_of_[std::size_t(link.parent)]), -1);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) engine_->push(int(b), wrenches[b].force, wrenches[b].torque);
  engine_->step(seconds);
  const auto before = states_;
  read();
  // m (v⁺ - v) = h f gives the work h f · (v + v⁺)/2, and for torques the same up to the rotation in the step.
  energy_.work = {};
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    energy_.work.motors += 0.5 * seconds *
                           (wrenches[b].force.dot(before[b].v + states_[b].v) +
                            wrenches[b].torque.dot(before[b].omega + states_[b].omega));
}

std::unique_ptr<sim::Controller> tracking_controller(const Model& model, const Tracking& tracking) {
  Workspace work(model);
  const VectorXd inertia = mass_matrix(model, work, tracking.posture).diagonal();
  const double w = 2 * std::numbers::pi * tracking.frequency, ws = 2 * std::numbers::pi * tracking.sine_frequency;
  return sim::controller([=](const sim::Instant& at, VectorXd& tau) {
    VectorXd target = tracking.posture, target_rate = VectorXd::Zero(at.model.nv());
    for (const auto& joint : at.model.joints())
      if (joint.nv == 1) {
        target[joint.q_index] += tracking.amplitude * std::sin(ws * at.t);
        target_rate[joint.v_index] = tracking.amplitude * ws * std::cos(ws * at.t);
      }
    tau += gravity_forces(at.model, at.work, at.q);
    tau += inertia.cwiseProduct(w * w * difference(at.model, at.q, target) + 2 * w * (target_rate - at.v));
    for (const auto& joint : at.model.joints())
      if (joint.type == JointType::free) tau.segment(joint.v_index, joint.nv).setZero();  // it has no motor
  });
}

namespace {

// lissom's own simulation beside the engine: RK4 with a quarter of its step.
class OwnMotion {
 public:
  OwnMotion(const Model& model, sim::Controller& controller, const VectorXd& q, const VectorXd& v)
      : system_(model, {.passive_forces = false, .effort_limits = false}),
        rk4_(sim::integrator(model, "rk4")),
        x_{0, q, v} {
    system_.control([&](const sim::Instant& at, VectorXd& tau) { controller.torques(at, tau); });
    read();
  }
  const VectorXd& q() const { return x_.q; }
  void step(double seconds) {
    constexpr int parts = 4;
    step_ = seconds / parts;
    for (int part = 0; part < parts; ++part) {
      rk4_->step(system_, x_, step_);
      audit_.add(rk4_->work());
    }
    read();
  }
  std::string warning() const {
    const auto text = audit_.warning(sim::tolerance_of(rk4_->info().order),
                                     "rk4 with a step of " + short_text(step_) + " s", "a smaller step");
    return text.empty() ? "" : "in lissom's own simulation, " + text;
  }

 private:
  void read() { audit_.read(x_.t, system_.kinetic_energy(x_.q, x_.v), system_.potential_energy(x_.q)); }

  sim::System system_;
  std::unique_ptr<sim::Integrator> rk4_;
  sim::State x_;
  double step_ = 0;
  EnergyAudit audit_;
};

// The energy of a run, with warnings where it appears from nowhere: engines are of order 1, as semi-implicit Euler is.
EnergyFigures judged(const EnergyAudit& audit, const OwnMotion& own, const BridgeRun& run) {
  const auto method = run.engine + " with a step of " + short_text(run.step) + " s";
  auto figures = audit.judged(audit.warning(sim::tolerance_of(1), method, "a smaller step"));
  if (const auto warning = own.warning(); !warning.empty()) {
    figures.energy_from_nowhere = true;
    figures.warnings.push_back(warning);
  }
  return figures;
}

}  // namespace

BridgeRun run(const Model& model, const std::string& engine, sim::Controller& controller, const VectorXd& q,
              const VectorXd& v, double seconds, double step, const std::function<bool(double)>& progress) {
  if (!(step > 0) || !(seconds > 0) || !std::isfinite(seconds / step))
    throw Error("step is " + std::to_string(step) + " s and seconds is " + std::to_string(seconds) +
                " s, expected positive numbers");
  const long steps = std::lround(seconds / step);
  if (steps < 1)
    throw Error("seconds is " + std::to_string(seconds) + " s, expected at least one step of " + std::to_string(step) +
                " s");
  Bridge bridge(model, engine, q, v);
  Workspace work(model);
  OwnMotion own(model, controller, q, v);
  VectorXd tau = VectorXd::Zero(model.nv());
  BridgeRun run;
  run.engine = engine, run.step = step, run.seconds = seconds;
  EnergyAudit audit;
  audit.read(0, bridge.energy().kinetic, bridge.energy().potential);
  double squares = 0;
  std::chrono::duration<double> spent{};
  long done = 0;
  while (done < steps && !run.stopped) {
    const double t = double(done) * step;
    const auto before = std::chrono::steady_clock::now();
    tau.setZero();
    controller.torques({model, work, t, bridge.state().q, bridge.state().v}, tau);
    bridge.step(tau, step);
    spent += std::chrono::steady_clock::now() - before;
    audit.add(bridge.energy().work);
    audit.read(t + step, bridge.energy().kinetic, bridge.energy().potential);
    own.step(step);
    const VectorXd off = difference(model, own.q(), bridge.state().q);
    squares += off.squaredNorm() / double(std::max<long>(1, off.size()));
    long at = 0;
    if (const double most = off.size() ? off.cwiseAbs().maxCoeff(&at) : 0; most > run.max_error) {
      run.max_error = most;
      for (const auto& joint : model.joints())
        if (joint.nv > 0 && joint.v_index <= at && at < joint.v_index + joint.nv) run.worst_joint = joint.name;
    }
    for (const auto& r : bridge.state().position) run.drift = std::max({run.drift, r.linear, r.angular});
    if (++done % 100 == 0 && progress) run.stopped = !progress(double(done) / double(steps)) && done < steps;
  }
  if (run.stopped) run.seconds = double(done) * step;
  run.rms_error = std::sqrt(squares / double(done));
  run.wall_time = spent.count();
  static_cast<EnergyFigures&>(run) = judged(audit, own, run);
  return run;
}

}  // namespace lissom::bridge
