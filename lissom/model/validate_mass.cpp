// Checks whether the mass matrix is positive definite at q = 0, by the articulated-body recursion (Featherstone, Rigid
// Body Dynamics Algorithms, ch. 7): M is positive definite if and only if D = Sᵀ I^A S + armature is for every joint,
// so the recursion also finds the joint that is the cause. It uses plain 6×6 arrays, linear before angular, in link
// frames, for clarity rather than speed.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "lissom/model/axes.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {
namespace {

using Vector6 = std::array<double, 6>;
using Matrix6 = std::array<Vector6, 6>;
using Subspace = std::vector<Vector6>;  // columns of S

Vector6 motion(const Vec3<double>& linear, const Vec3<double>& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

// S at q = 0, from the joint's traits.
Subspace subspace(const JointDescription& joint) {
  const JointTraits& traits = joint_traits(joint.type);
  Subspace S;
  for (const VelocityComponent& component : traits.v) {
    const Vec3<double> zero{0, 0, 0}, d = unit(direction_of(joint, component.along));
    const bool angle = component.quantity == Quantity::angle;
    S.push_back(angle ? motion(traits.has_pitch ? joint.pitch * d : zero, d) : motion(d, zero));
  }
  return S;
}

void put(Matrix6& A, std::size_t row, std::size_t column, const Mat3<double>& B) {
  const std::array<std::array<double, 3>, 3> entries{{{B.xx, B.xy, B.xz}, {B.yx, B.yy, B.yz}, {B.zx, B.zy, B.zz}}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) A[row + i][column + j] = entries[i][j];
}

// The spatial inertia about the origin of the link's frame: [m 1, −m c×; m c×, I_c − m c× c×].
Matrix6 spatial_inertia(const LinkDescription& link) {
  const double m = link.mass;
  const Mat3<double> one = identity3<double>(), c = skew(link.com);
  const auto times = [](double s, const Mat3<double>& B) {
    return Mat3(s * B.xx, s * B.xy, s * B.xz, s * B.yx, s * B.yy, s * B.yz, s * B.zx, s * B.zy, s * B.zz);
  };
  Matrix6 I{};
  put(I, 0, 0, times(m, one));
  put(I, 0, 3, times(-m, c));
  put(I, 3, 0, times(m, c));
  put(I, 3, 3, full(link.inertia) + times(-m, c * c));
  return I;
}

// parent += Xᵀ child X, where X transforms a motion vector from the parent's to the child's frame.
void add_to_parent(const Matrix6& child, const Pose<double>& X_PC, Matrix6& parent) {
  Matrix6 X{};
  const Mat3<double> Rt = transpose(X_PC.R);
  put(X, 0, 0, Rt);
  put(X, 0, 3, Rt * skew(-X_PC.p));
  put(X, 3, 3, Rt);
  Matrix6 half{};  // child X
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t j = 0; j < 6; ++j) half[i][j] += child[i][k] * X[k][j];
  for (std::size_t k = 0; k < 6; ++k)
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) parent[i][j] += X[k][i] * half[k][j];
}

double trace(const Matrix6& I, std::size_t first) {
  return std::abs(I[first][first]) + std::abs(I[first + 1][first + 1]) + std::abs(I[first + 2][first + 2]);
}

enum class Pivot { positive, zero, negative };

// Eliminates the joint's degrees of freedom from the articulated inertia I one after the other: I − U Uᵀ / d. `rigid`
// is the composite inertia of the joint's subtree; the tolerance for rounding errors is relative to it.
Pivot eliminate(Matrix6& I, const Matrix6& rigid, const Subspace& S, double armature) {
  constexpr double rounding = 1e-13;
  // Armature acts on the coordinate, not on the body: eliminate in the space of the coordinates.
  const std::size_t n = S.size();
  std::vector<Vector6> U(n, Vector6{});
  std::vector<std::vector<double>> D(n, std::vector<double>(n, 0));
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) U[a][i] += I[i][j] * S[a][j];
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t i = 0; i < 6; ++i) D[a][b] += S[a][i] * U[b][i];
    D[a][a] += armature;
  }
  for (std::size_t a = 0; a < n; ++a) {
    const Vector6& s = S[a];
    const double scale = trace(rigid, 0) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) +
                         trace(rigid, 3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    const double d = D[a][a];
    if (!(d > rounding * scale)) return d < -rounding * scale ? Pivot::negative : Pivot::zero;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) I[i][j] -= U[a][i] * U[a][j] / d;
    for (std::size_t b = a + 1; b < n; ++b) {
      const double factor = D[b][a] / d;
      for (std::size_t i = 0; i < 6; ++i) U[b][i] -= factor * U[a][i];
      for (std::size_t c = a + 1; c < n; ++c) D[b][c] -= factor * D[a][c];
    }
  }
  return Pivot::positive;
}

void report(Pivot pivot, bool subtree_is_massless, const JointDescription& joint, Findings& findings) {
  const std::string child = in_quotes(joint.child);
  if (pivot == Pivot::negative)
    findings.warning("dynamics-indefinite", joint.line, subject(joint),
                     "at q = 0 some motion of this joint has negative kinetic energy: the mass matrix is indefinite "
                     "and forward dynamics unphysical",
                     "correct the inertias of link " + child + " and of its subtree (see inertia-not-positive)");
  else if (subtree_is_massless)
    findings.warning("dynamics-singular", joint.line, subject(joint),
                     "it moves the link " + child +
                         ", but neither this link nor its subtree has mass or inertia: the mass matrix is singular (or "
                         "indefinite, by rounding), and forward dynamics is impossible",
                     "give the link mass and inertia, give the joint armature, or make the joint fixed");
  else
    findings.warning("dynamics-singular", joint.line, subject(joint),
                     "at q = 0 a motion of this joint moves no mass: the mass matrix is singular (or indefinite, by "
                     "rounding), and forward dynamics is impossible there",
                     "give the link " + child + " inertia about the joint's axis, or give the joint armature");
}

// For each joint the one from which it takes its coordinate, at the end of the chain, or none.
std::vector<int> leaders(const Description& description, const BuildOptions& options) {
  const std::vector<JointDescription>& joints = description.joints;
  std::vector<int> leader(joints.size(), none);
  if (!options.mimic) return leader;
  Names index;
  for (std::size_t j = 0; j < joints.size(); ++j) index.emplace(joints[j].name, static_cast<int>(j));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!joints[j].mimic) continue;
    const auto found = index.find(joints[j].mimic->joint);
    if (found != index.end() && can_follow(joints[j], joints[static_cast<std::size_t>(found->second)]))
      leader[j] = found->second;
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (leader[j] == none) continue;
    int last = leader[j];
    while (leader[static_cast<std::size_t>(last)] != none) last = leader[static_cast<std::size_t>(last)];
    // All joints of the chain get the same leader, so that no chain is followed twice.
    for (std::size_t i = j; leader[i] != last && leader[i] != none;)
      i = static_cast<std::size_t>(std::exchange(leader[i], last));
  }
  return leader;
}

// A joint that moves no mass; its followers may.
struct Suspect {
  Pivot pivot;
  bool subtree_is_massless;
  int index;  // in the description; none: of the base
  JointDescription joint;
};

// Runs the recursion from the leaves inward. A follower has no degree of freedom of its own, and is fixed here; but
// where it would move mass, its leader does.
void check_definiteness(const Description& description, const Tree& tree, const BuildOptions& options,
                        const BaseJoints& bases, Findings& findings) {
  const std::vector<int> leader = leaders(description, options);
  std::vector<bool> followers_move_mass(description.joints.size());
  std::vector<Suspect> suspects;
  std::vector<Matrix6> articulated, rigid;
  for (const LinkDescription& link : description.links) articulated.push_back(spatial_inertia(link));
  rigid = articulated;
  for (auto at = tree.order.rbegin(); at != tree.order.rend(); ++at) {
    const auto i = static_cast<std::size_t>(*at);
    const bool root = tree.parent[i] == none;
    const JointDescription joint = root ? bases.of(*at) : description.joints[static_cast<std::size_t>(tree.joint[i])];
    const int leads = root ? none : leader[static_cast<std::size_t>(tree.joint[i])];
    Matrix6 I = articulated[i];
    const Pivot pivot = eliminate(I, rigid[i], subspace(joint), joint.armature);
    if (leads != none) {
      if (pivot == Pivot::positive && joint.mimic->ratio != 0)
        followers_move_mass[static_cast<std::size_t>(leads)] = true;
    } else if (pivot == Pivot::positive) {
      articulated[i] = I;
    } else {  // one finding is enough: continue as if the joint were fixed
      suspects.push_back(
          {pivot, trace(rigid[i], 0) == 0 && trace(rigid[i], 3) == 0, root ? none : tree.joint[i], joint});
    }
    if (root) continue;
    const auto parent = static_cast<std::size_t>(tree.parent[i]);
    add_to_parent(articulated[i], joint.origin, articulated[parent]);
    add_to_parent(rigid[i], joint.origin, rigid[parent]);
  }
  for (const Suspect& s : suspects)
    if (s.pivot == Pivot::negative || s.index == none || !followers_move_mass[static_cast<std::size_t>(s.index)])
      report(s.pivot, s.subtree_is_massless, s.joint, findings);
}

std::string listed(const std::vector<const LinkDescription*>& links) {
  constexpr std::size_t max_count = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(links.size(), max_count); ++i)
    names += (i > 0 ? ", " : "") + in_quotes(links[i]->name);
  return names + (links.size() > max_count ? ", …" : "");
}

void note_massless(const std::vector<const LinkDescription*>& links, const std::string& message, Findings& findings) {
  if (links.empty()) return;
  findings.note("massless-link", links.front()->line,
                links.size() == 1 ? subject(*links.front()) : counted(links.size(), "link"),
                "no mass (" + listed(links) + "): " + message,
                "none needed if this is intended; otherwise give them mass and inertia");
}

// Notes links without mass that move but do no harm: they are fixed to a body with mass, or are the parent of one.
void note_harmless(const Description& description, const Tree& tree, const BaseJoints& bases, Findings& findings) {
  const std::size_t n = description.links.size();
  const std::vector<std::size_t> body = rigid_bodies(description, tree).of;
  // has_massive_child: a body beyond one of its joints has mass.
  std::vector<bool> moves(n), massive(n), has_massive_child(n);
  for (const int at : tree.order) {
    const auto i = static_cast<std::size_t>(at);
    const bool root = tree.parent[i] == none;
    moves[i] = root ? bases.of(at).type != JointType::fixed : body[i] == i || moves[body[i]];
    if (!is_massless(description.links[i])) massive[body[i]] = true;
  }
  for (auto at = tree.order.rbegin(); at != tree.order.rend(); ++at) {
    const auto i = static_cast<std::size_t>(*at);
    if (tree.parent[i] != none && body[i] == i && (massive[i] || has_massive_child[i]))
      has_massive_child[body[static_cast<std::size_t>(tree.parent[i])]] = true;
  }
  std::vector<const LinkDescription*> fixed, between;
  for (std::size_t i = 0; i < n; ++i) {
    const LinkDescription& link = description.links[i];
    if (!moves[i] || !is_massless(link) || link.connects_joints) continue;
    if (massive[body[i]])
      fixed.push_back(&link);
    else if (body[i] == i && has_massive_child[i])
      between.push_back(&link);
  }
  note_massless(fixed, "fixed to a body that has mass", findings);
  note_massless(between, "between joints; these joints get their inertia from the links beyond", findings);
}

}  // namespace

void check_mass_distribution(const Description& description, const Tree& tree, const BuildOptions& options,
                             Findings& findings) {
  const BaseJoints bases(description, options.base);
  const auto moves = [](const JointDescription& joint) { return joint.type != JointType::fixed; };
  const bool any_moves =
      std::ranges::any_of(description.joints, moves) || std::ranges::any_of(tree.order, [&](int link) {
        return tree.parent[static_cast<std::size_t>(link)] == none && moves(bases.of(link));
      });
  if (std::ranges::all_of(description.links, is_massless)) {
    findings.add(any_moves ? Severity::warning : Severity::note, "no-mass", 0, "robot",
                 std::string("no link has mass: only kinematics is available, forward dynamics is impossible") +
                     (any_moves ? "" : " as soon as something moves, as with a free base"),
                 "give the links mass and inertia if you need dynamics");
    return;
  }
  if (!any_moves) return;
  check_definiteness(description, tree, options, bases, findings);
  note_harmless(description, tree, bases, findings);
}

}  // namespace lissom::validation
