// Compares how two robots move: placements, M and h in random states. If one of them has coordinates that follow others
// in the other one (mimic joints), v_large = G v_small with a constant G, so M_small = Gᵀ M_large G.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "lissom/api/dynamics.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/robot_differences.h"
#include "lissom/api/state.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {
namespace {

// Element q_large[row] = ratio q_small[column] + offset of a joint; or a free joint with another origin.
struct MappedJoint {
  const Joint* large;
  const Joint* small;
  double ratio = 1, offset = 0;
  Pose<double> X_large_small{};  // free joints: origin of the small one's in the large one's
};

const JointDescription* find(const Description& d, const std::string& name) {
  const auto found = std::ranges::find(d.joints, name, &JointDescription::name);
  return found == d.joints.end() ? nullptr : &*found;
}

bool same_coordinates(const Joint& a, const Joint& b) {
  return a.type == b.type || (joint_traits(a.type).is_hinge() && joint_traits(b.type).is_hinge());
}

class MappedPair {
 public:
  MappedPair(const Description& of_small, const Description& of_large, const BuildOptions& options)
      : small_description_(of_small),
        large_description_(of_large),
        small(build(of_small, options)),
        large(build(of_large, options)) {}

  // Returns the name of a joint that has no counterpart; empty if all have.
  std::string map() {
    std::map<std::string, const Joint*> by_name, by_child;
    for (const Joint& joint : small.joints()) by_name[joint.name] = by_child[joint.child] = &joint;
    std::vector<bool> used(small.joints().size());
    for (const Joint& joint : large.joints()) {
      if (joint.nv == 0) continue;
      const Joint* other = by_name.contains(joint.name) ? by_name[joint.name] : nullptr;
      if (!other && joint.type == JointType::free && by_child.contains(joint.child)) other = by_child[joint.child];
      if (!other || !same_coordinates(joint, *other)) return joint.name;
      MappedJoint mapped{&joint, other};
      if (other->follows) {
        mapped.ratio = other->follows->ratio, mapped.offset = other->follows->offset;
        mapped.small = &small.joints()[std::size_t(other->follows->joint)];
      } else {
        used[std::size_t(other - small.joints().data())] = true;
      }
      if (joint.type == JointType::free)
        mapped.X_large_small =
            inverse(origin(large_description_, joint.name)) * origin(small_description_, other->name);
      mapped_.push_back(mapped);
    }
    for (std::size_t j = 0; j < used.size(); ++j)
      if (!used[j] && small.joints()[j].nv > 0) return small.joints()[j].name;
    return {};
  }

  // Links that connect the joints of a body may have any frame.
  bool counts(const std::string& frame) const {
    for (const Description* d : {&small_description_, &large_description_}) {
      const auto link = std::ranges::find(d->links, frame, &LinkDescription::name);
      if (link != d->links.end() && link->connects_joints) return false;
    }
    return true;
  }

  Eigen::MatrixXd velocity_map() const {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(large.nv(), small.nv());
    for (const auto& m : mapped_)
      for (int k = 0; k < m.large->nv; ++k) G(m.large->v_index + k, m.small->v_index + k) = m.ratio;
    return G;
  }
  Eigen::VectorXd to_large(const Eigen::VectorXd& q) const {
    Eigen::VectorXd result = neutral(large);
    for (const auto& m : mapped_) {
      for (int k = 0; k < m.large->nq; ++k) result[m.large->q_index + k] = m.ratio * q[m.small->q_index + k] + m.offset;
      if (m.large->type == JointType::free) move_origin(m.X_large_small, result, m.large->q_index);
    }
    return normalize(large, result);
  }

 private:
  // The origin of a free joint is in the world, if its parent never moves; otherwise in its parent.
  static Pose<double> origin(const Description& d, const std::string& joint) {
    const auto* found = find(d, joint);
    if (!found) return {};
    Pose<double> X = found->origin;
    if (!is_static(d, found->parent)) return X;
    std::string at = found->parent;
    for (auto above = std::ranges::find(d.joints, at, &JointDescription::child); above != d.joints.end();
         above = std::ranges::find(d.joints, at, &JointDescription::child))
      X = above->origin * X, at = above->parent;
    const auto root = std::ranges::find(d.roots, at, &RootDescription::link);
    return root == d.roots.end() ? X : root->placement * X;
  }
  static void move_origin(const Pose<double>& X, Eigen::VectorXd& q, int i) {
    const Pose<double> moved =
        X * Pose<double>{matrix(q[i + 3], q[i + 4], q[i + 5], q[i + 6]), {q[i], q[i + 1], q[i + 2]}};
    const auto r = quaternion(moved.R);
    q.segment(i, 7) << moved.p.x, moved.p.y, moved.p.z, r.w, r.x, r.y, r.z;
  }

  const Description& small_description_;
  const Description& large_description_;
  std::vector<MappedJoint> mapped_;

 public:
  Model small, large;
};

// Random numbers from -1 to 1, the same on all machines.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return double((z ^ (z >> 31U)) >> 11U) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_;
};

// The largest difference of each kind.
struct Worst {
  double difference = 0;
  std::string where;
  void take(double x, const std::function<std::string()>& place) {
    if (std::isnan(x)) x = std::numeric_limits<double>::infinity();
    if (x > difference) difference = x, where = place();
  }
};

class Measurement {
 public:
  Measurement(MappedPair& pair, double length)
      : pair_(pair), length_(length), small_work_(pair.small), large_work_(pair.large) {
    for (const Frame& frame : pair.small.frames())
      if (pair.large.has_frame(frame.name) && &frame != &pair.small.frames()[0] && pair.counts(frame.name))
        names_.push_back(frame.name);
    G_ = pair.velocity_map();
  }

  void at(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    const Eigen::VectorXd q_large = pair_.to_large(q), v_large = G_ * v;
    forward_kinematics(pair_.small, small_work_, q);
    forward_kinematics(pair_.large, large_work_, q_large);
    for (const auto& name : names_) {
      const auto X = placement(pair_.small, small_work_, pair_.small.frame(name));
      const auto Y = placement(pair_.large, large_work_, pair_.large.frame(name));
      placements[name].take(RobotDifferences::distance(X, Y, length_), [] { return std::string(); });
    }
    if (v.size() == 0) return;
    const Eigen::MatrixXd M = mass_matrix(pair_.small, small_work_, q);
    const Eigen::MatrixXd N = G_.transpose() * Eigen::MatrixXd(mass_matrix(pair_.large, large_work_, q_large)) * G_;
    const double largest = std::max(M.cwiseAbs().maxCoeff(), N.cwiseAbs().maxCoeff());
    for (int i = 0; i < M.rows(); ++i)
      for (int j = 0; j <= i && largest > 0; ++j) {
        const double scale = std::sqrt(std::abs(M(i, i) * M(j, j))) + 1e-3 * largest;
        mass_matrix_.take(std::abs(M(i, j) - N(i, j)) / scale, [&] { return label(i) + ", " + label(j); });
      }
    const Eigen::VectorXd h = bias_forces(pair_.small, small_work_, q, v);
    const Eigen::VectorXd k = G_.transpose() * bias_forces(pair_.large, large_work_, q_large, v_large);
    // Velocities are about 1, so that forces are about as large as M, or larger.
    const double scale = std::max({h.cwiseAbs().maxCoeff(), k.cwiseAbs().maxCoeff(), largest});
    for (int i = 0; i < h.size() && scale > 0; ++i) bias_.take(std::abs(h[i] - k[i]) / scale, [&] { return label(i); });
  }

  std::map<std::string, Worst> placements;
  Worst mass_matrix_, bias_;

 private:
  std::string label(int v) const {
    for (const Joint& joint : pair_.small.joints())
      if (joint.v_index <= v && v < joint.v_index + joint.nv)
        return in_quotes(joint.name) +
               (joint.nv > 1 ? "." + std::string(joint_traits(joint.type).v[std::size_t(v - joint.v_index)].name) : "");
    return std::to_string(v);
  }

  MappedPair& pair_;
  double length_;
  Workspace small_work_, large_work_;
  std::vector<std::string> names_;
  Eigen::MatrixXd G_;
};

void report(const Measurement& measured, RobotDifferences& differences) {
  auto& result = differences.result();
  const auto relative = [](double x) { return to_text(x) + " (relative)"; };
  const auto exceeds = [&](double x) { return !(x <= differences.tolerance()); };
  for (const auto& [name, worst] : measured.placements) {
    result.placement_difference = std::max(result.placement_difference, worst.difference);
    if (exceeds(worst.difference))
      differences.add({"frame " + in_quotes(name), "placement in random states", "one",
                       "another by " + relative(worst.difference), worst.difference});
  }
  result.mass_matrix_difference = measured.mass_matrix_.difference;
  result.bias_difference = measured.bias_.difference;
  if (exceeds(measured.mass_matrix_.difference))
    differences.add({"mass matrix", "element " + measured.mass_matrix_.where, "one",
                     "another by " + relative(measured.mass_matrix_.difference), measured.mass_matrix_.difference});
  if (exceeds(measured.bias_.difference))
    differences.add({"bias forces", "element " + measured.bias_.where, "one",
                     "another by " + relative(measured.bias_.difference), measured.bias_.difference});
}

}  // namespace

void compare_motion(const Description& a, const Description& b, double length, const CompareRobotsOptions& options,
                    RobotDifferences& differences) {
  const int nv_a = build(a, options.build).nv(), nv_b = build(b, options.build).nv();
  MappedPair pair(nv_a <= nv_b ? a : b, nv_a <= nv_b ? b : a, options.build);
  auto& result = differences.result();
  if (const auto alone = pair.map(); !alone.empty()) {
    result.notes.push_back("placements, M and h are not compared, because joint " + in_quotes(alone) +
                           " has no counterpart with the same coordinates");
    if (result.differences.empty()) differences.words("joint " + in_quotes(alone), "coordinates", "one", "another");
    return;
  }
  Measurement measured(pair, length);
  Uniform uniform(options.seed);
  for (int i = 0; i < options.states && !(options.stop && options.stop(i)); ++i) {
    const Eigen::VectorXd q = random_configuration(pair.small, options.seed + std::uint64_t(i));
    Eigen::VectorXd v(pair.small.nv());
    for (auto& x : v) x = uniform();
    measured.at(q, v);
    ++result.states;
  }
  report(measured, differences);
}

}  // namespace lissom
