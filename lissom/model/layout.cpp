// Brings an assembled tree into the order in which the recursions visit it, and computes everything that depends on the
// order.
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "lissom/model/assembly.h"
#include "lissom/model/interpretation.h"

namespace lissom {
namespace {

// The breadth-first index of each body; siblings keep their order, the world stays 0.
std::vector<int> level_order(const Tree<double>& tree) {
  const auto n = tree.bodies.size();
  std::vector<int> depth(n), order(n), position(n);
  for (std::size_t i = 1; i < n; ++i) depth[i] = depth[std::size_t(tree.bodies[i].parent)] + 1;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) { return depth[std::size_t(i)]; });
  for (std::size_t i = 0; i < n; ++i) position[std::size_t(order[i])] = int(i);
  return position;
}

// In depth-first order the degrees of freedom of a subtree are consecutive: the last one is that of its last body.
void find_last_columns(Tree<double>& tree) {
  for (std::size_t i = tree.bodies.size(); i-- > 1;) tree.bodies[i].last_v = tree.bodies[i].v + tree.bodies[i].dofs - 1;
  for (std::size_t i = tree.bodies.size(); i-- > 1;) {
    auto& parent = tree.bodies[std::size_t(tree.bodies[i].parent)];
    parent.last_v = std::max(parent.last_v, tree.bodies[i].last_v);
  }
}

// Angles are the coordinates that the table of joint types calls so. Where a joint moves along the opposite of an axis,
// sine and cosine are those of -q.
void find_angles(Assembly& assembly) {
  auto& tree = assembly.tree;
  tree.signs.assign(std::size_t(tree.nq + padding), 1.0);
  for (const auto& body : tree.outward()) {
    const auto& joint = assembly.joints[std::size_t(assembly.joint_of_body[std::size_t(body.index)])];
    for (int at = body.q; at < body.q + body.dofs; ++at) {  // (elements of quaternions are no angles)
      if (!joint_traits(joint.type).is_angle(at - joint.q_index)) continue;
      tree.angles.push_back(at);
      tree.signs[std::size_t(at)] = body.sign * body.rotation_per_q;
    }
  }
  std::ranges::sort(tree.angles);
  if (tree.angles.empty()) return;
  tree.first_angle = tree.angles.front();
  tree.end_angle = tree.angles.back() + 1;
}

Tree<double> by_level(Tree<double> depth_first, const std::vector<int>& position) {
  Tree<double> tree = depth_first;
  for (std::size_t i = 0; i < position.size(); ++i) {
    auto body = depth_first.bodies[i];
    body.index = position[i];
    body.parent = i == 0 ? world : position[std::size_t(body.parent)];
    tree.bodies[std::size_t(position[i])] = body;
  }
  std::size_t continuing = 0;
  for (std::size_t i = tree.bodies.size(); i-- > 1;) {
    auto& parent = tree.bodies[std::size_t(tree.bodies[i].parent)];
    tree.bodies[i].starts_sum = !parent.has_children;
    parent.has_children = true;
    if (parent.index == world || parent.index + 1 != int(i)) continue;
    tree.bodies[i].continues = parent.continued = true;
    ++continuing;
  }
  tree.is_chain = 2 * (continuing + 1) > tree.bodies.size();
  return tree;
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
  return std::vector<To>(from.begin(), from.end());
}

Tree<float> in_float(const Tree<double>& from) {
  Tree<float> to;
  to.gravity = cast<float>(from.gravity);
  to.nq = from.nq, to.nv = from.nv;
  to.is_chain = from.is_chain;
  to.first_angle = from.first_angle, to.end_angle = from.end_angle;
  to.angles = from.angles;
  to.signs = converted<float>(from.signs);
  for (const auto& t : from.rotated_frames) to.rotated_frames.push_back({t.q, float(t.sin), float(t.cos)});
  to.armature = converted<float>(from.armature);
  for (const auto& b : from.bodies)
    to.bodies.push_back({b.index,
                         b.parent,
                         b.kind,
                         b.q,
                         b.v,
                         b.dofs,
                         b.last_v,
                         b.has_children,
                         b.starts_sum,
                         b.continues,
                         b.continued,
                         float(b.sign),
                         float(b.rotation_per_q),
                         float(b.translation_per_q),
                         float(b.armature),
                         cast<float>(b.origin),
                         cast<float>(b.tilt),
                         {float(b.inertia.mass), cast<float>(b.inertia.h), cast<float>(b.inertia.I)}});
  return to;
}

// Finds the leader of each mimic joint and resolves chains: q = ratio * q_leader + offset. validate() has checked that
// chains end. Each joint is resolved once, after the one it mimics, so that long chains take no longer than short ones.
void resolve_mimics(Assembly& assembly, const Description& description) {
  std::unordered_map<std::string_view, int> joint_of;
  for (std::size_t j = 0; j < assembly.joints.size(); ++j) joint_of[assembly.joints[j].name] = int(j);
  std::vector<const Mimic*> mimic(assembly.joints.size(), nullptr);
  std::unordered_map<std::string_view, const JointDescription*> described;
  for (const auto& joint : description.joints) described[joint.name] = &joint;
  for (const auto& joint : description.joints) {
    if (!joint.mimic) continue;
    const auto leader = described.find(joint.mimic->joint);  // the mimic of a fixed joint may name none
    if (leader != described.end() && can_follow(joint, *leader->second))
      mimic[std::size_t(joint_of.at(joint.name))] = &*joint.mimic;
  }
  std::vector<int> waiting;
  for (std::size_t start = 0; start < mimic.size(); ++start) {
    for (int j = int(start); mimic[std::size_t(j)] && !assembly.joints[std::size_t(j)].follows;) {
      waiting.push_back(j);
      j = joint_of.at(mimic[std::size_t(j)]->joint);
    }
    for (; !waiting.empty(); waiting.pop_back()) {
      const auto& m = *mimic[std::size_t(waiting.back())];
      const int next = joint_of.at(m.joint);
      const auto& further = assembly.joints[std::size_t(next)].follows;
      assembly.joints[std::size_t(waiting.back())].follows =
          further ? Joint::Follows{further->joint, m.ratio * further->ratio, m.offset + m.ratio * further->offset}
                  : Joint::Follows{next, m.ratio, m.offset};
    }
  }
}

// Numbers the model's own coordinates, and records where they are among the tree's coordinates.
Coupling<double> couple(std::vector<Joint>& joints, const Tree<double>& tree) {
  Coupling<double> c;
  c.full_nq = tree.nq, c.full_nv = tree.nv;
  const std::vector<Joint> full = joints;  // with the tree's numbering
  const auto extend = [](std::vector<Coupling<double>::Segment>& segments, int from, int to, int count) {
    if (!segments.empty() && segments.back().to + segments.back().count == to)
      segments.back().count += count;
    else
      segments.push_back({from, to, count});
  };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    auto& joint = joints[j];
    if (joint.follows) joint.nq = joint.nv = 0;
    joint.q_index = c.nq, joint.v_index = c.nv;
    if (joint.nv > 0) {
      extend(c.q_segments, c.nq, full[j].q_index, joint.nq);
      extend(c.v_segments, c.nv, full[j].v_index, joint.nv);
    }
    c.nq += joint.nq, c.nv += joint.nv;
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (const auto& follows = joints[j].follows) {
      const auto& leader = joints[std::size_t(follows->joint)];
      const auto& leader_in_tree = full[std::size_t(follows->joint)];
      c.followers.push_back({leader.q_index, full[j].q_index, leader.v_index, full[j].v_index, leader_in_tree.v_index,
                             follows->ratio, follows->offset});
    }
  return c;
}

Coupling<float> in_float(const Coupling<double>& from) {
  Coupling<float> to;
  to.nq = from.nq, to.nv = from.nv, to.full_nq = from.full_nq, to.full_nv = from.full_nv;
  for (const auto& segment : from.q_segments) to.q_segments.push_back({segment.from, segment.to, segment.count});
  for (const auto& segment : from.v_segments) to.v_segments.push_back({segment.from, segment.to, segment.count});
  for (const auto& f : from.followers)
    to.followers.push_back({f.q_from, f.q_to, f.v_from, f.v_to, f.leader_to, float(f.ratio), float(f.offset)});
  return to;
}

// For each degree of freedom i of a tree, the last one before i that is coupled with it, or -1: the one before it in
// its own joint, or the last one of the parent joint (Featherstone's λ).
std::vector<int> parent_dofs(const Tree<double>& tree) {
  std::vector<int> before(std::size_t(tree.nv), -1), last(tree.bodies.size(), -1);
  for (const auto& body : tree.outward()) {
    int previous = last[std::size_t(body.parent)];
    for (int v = body.v; v < body.v + body.dofs; ++v) {
      before[std::size_t(v)] = previous;
      previous = v;
    }
    last[std::size_t(body.index)] = previous;
  }
  return before;
}

// The last row of each column that has an entry in it, for a tree given by parents: rows of a subtree are consecutive.
std::vector<int> last_rows(const std::vector<int>& before) {
  std::vector<int> last(before.size());
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = before.size(); i-- > 0;)
    if (before[i] >= 0) last[std::size_t(before[i])] = std::max(last[std::size_t(before[i])], last[i]);
  return last;
}

// The same in the model's coordinates. A follower couples branches, so this is the elimination tree of GᵀMG, from the
// last row to the first, by Liu's algorithm (1986): row i becomes the parent of the roots of all subtrees that have a
// row coupled with it. `ancestor` shortens the way to the roots.
std::vector<int> elimination_tree(const std::vector<int>& full, const Coupling<double>& coupling) {
  std::vector<int> from(full.size());
  for (const auto& segment : coupling.v_segments)
    std::iota(&from[std::size_t(segment.to)], &from[std::size_t(segment.to)] + segment.count, segment.from);
  for (const auto& f : coupling.followers) from[std::size_t(f.v_to)] = f.v_from;
  std::vector<std::vector<int>> in_tree(std::size_t(coupling.nv));  // the degrees of freedom of the tree that a row is
  for (std::size_t t = 0; t < full.size(); ++t) in_tree[std::size_t(from[t])].push_back(int(t));
  const auto last = last_rows(full);
  std::vector<int> before(in_tree.size(), -1), ancestor = before;
  for (int i = coupling.nv - 1; i >= 0; --i) {
    const auto couple_with = [&](int t) {
      for (int row = from[std::size_t(t)]; row > i;) {
        const int next = std::exchange(ancestor[std::size_t(row)], i);
        if (next < 0) before[std::size_t(row)] = i;
        row = next;
      }
    };
    for (const int t : in_tree[std::size_t(i)]) {
      for (int below = t + 1; below <= last[std::size_t(t)]; ++below) couple_with(below);
      for (int above = full[std::size_t(t)]; above >= 0; above = full[std::size_t(above)]) couple_with(above);
    }
  }
  return before;
}

Sparsity find_sparsity(const Tree<double>& tree, const Coupling<double>& coupling) {
  auto before = parent_dofs(tree);
  if (!coupling.trivial()) before = elimination_tree(before, coupling);
  Sparsity sparsity;
  sparsity.last = last_rows(before);
  std::vector<int> chain;
  for (std::size_t i = 0; i < before.size(); ++i) {
    chain.clear();
    for (int j = int(i); j >= 0; j = before[std::size_t(j)]) chain.push_back(j);
    sparsity.start.push_back(int(sparsity.column.size()));
    sparsity.count.push_back(int(chain.size()) - 1);
    sparsity.column.insert(sparsity.column.end(), chain.rbegin(), chain.rend());
    sparsity.column.resize(sparsity.column.size() + Sparsity::zeros_after_row);
    while (sparsity.column.size() % Sparsity::row_padding) sparsity.column.push_back(0);
  }
  for (int j = 0; j < sparsity.nv(); ++j) {
    const auto entry = sparsity.count[std::size_t(j)];
    for (int i = sparsity.last[std::size_t(j)]; i > j; --i) {
      const auto start = sparsity.start[std::size_t(i)];
      if (sparsity.count[std::size_t(i)] > entry && sparsity.column[std::size_t(start + entry)] == j)
        sparsity.below.push_back(start);
    }
    sparsity.below_start.push_back(int(sparsity.below.size()));
  }
  for (int i = 0; i < sparsity.nv(); ++i) {
    auto& blocks = sparsity.blocks;
    const bool joins = i > 0 && blocks.back().rows < 4 && sparsity.continues(i - 1) &&
                       sparsity.rows_below(i).size() + 1 == sparsity.rows_below(i - 1).size();
    if (joins)
      ++blocks.back().rows;
    else
      blocks.push_back({i, 1});
  }
  return sparsity;
}

Manifold manifold_of(const std::vector<Joint>& joints) {
  Manifold m;
  for (const auto& joint : joints) {
    if (joint.nq == 0) continue;
    const auto kind = joint_traits(joint.type).manifold;
    if (kind == ManifoldKind::flat && !m.pieces.empty() && m.pieces.back().kind == ManifoldKind::flat)
      m.pieces.back().count += joint.nv;
    else
      m.pieces.push_back({kind, joint.q_index, joint.v_index, joint.nv});
  }
  return m;
}

void collect_coordinates(Model::Data& data) {
  data.manifold = manifold_of(data.joints);
  const double infinity = std::numeric_limits<double>::infinity();
  data.lower.assign(std::size_t(data.coupling.nq), -infinity);
  data.upper.assign(std::size_t(data.coupling.nq), infinity);
  data.velocity_limit.assign(std::size_t(data.coupling.nv), infinity);
  data.effort_limit.assign(std::size_t(data.coupling.nv), infinity);
  for (const auto& joint : data.joints) {
    if (const auto& traits = joint_traits(joint.type); joint.nq > 0 && traits.has_quaternion())
      data.quaternions.push_back(joint.q_index + traits.quaternion());
    for (int k = 0; k < joint.nq; ++k) {
      const auto at = std::size_t(joint.q_index + k), i = std::size_t(k);
      if (i < joint.lower.size()) data.lower[at] = joint.lower[i];
      if (i < joint.upper.size()) data.upper[at] = joint.upper[i];
    }
    for (int k = 0; k < joint.nv; ++k) {
      data.velocity_limit[std::size_t(joint.v_index + k)] = joint.velocity_limit[k];
      data.effort_limit[std::size_t(joint.v_index + k)] = joint.effort_limit[k];
    }
  }
}

// Replaces names by indices. validate() has checked that they exist.
void resolve_names(Model::Data& data) {
  const auto& description = data.description;
  const auto end = [&](const AttachmentDescription& e) { return LoopEnd{{data.frame_of.at(e.frame)}, e.placement}; };
  for (const auto& l : description.loops) data.loops.push_back({l.name, end(l.a), end(l.b), l.axes, l.kind, l.length});
  for (const auto& s : description.springs)
    data.springs.push_back({s.name, end(s.a), end(s.b), s.stiffness, s.damping, s.rest});
  for (const auto& a : description.actuators) {
    if (!a.tendon.empty()) continue;
    const int joint = data.joint_of.at(a.joint);
    const auto& follows = data.joints[std::size_t(joint)].follows;
    const auto& driven = data.joints[std::size_t(follows ? follows->joint : joint)];
    data.actuators.push_back({a.name, joint, driven.v_index + a.component, a.gear * (follows ? follows->ratio : 1),
                              a.min_command, a.max_command});
  }
}

}  // namespace

std::shared_ptr<const Model::Data> layout(Assembly assembly, const Description& description,
                                          const BuildOptions& options) {
  auto data = std::make_shared<Model::Data>();
  find_last_columns(assembly.tree);
  find_angles(assembly);
  const auto position = level_order(assembly.tree);
  data->tree = by_level(assembly.tree, position);
  for (auto& joint : assembly.joints) joint.body = position[std::size_t(joint.body)];
  for (auto& link : assembly.links) link.body = position[std::size_t(link.body)];
  for (auto& frame : assembly.frames) frame.body = position[std::size_t(frame.body)];

  if (options.mimic) resolve_mimics(assembly, description);
  data->joints = std::move(assembly.joints);
  data->links = std::move(assembly.links);
  data->frames = std::move(assembly.frames);
  bool any_armature = false;
  std::vector<double> armature(std::size_t(data->tree.nv), 0.0);
  for (const auto& joint : data->joints)
    for (int k = 0; k < joint.nv; ++k) {
      armature[std::size_t(joint.v_index + k)] = joint.armature;
      any_armature |= joint.armature != 0;
    }
  if (any_armature) data->tree.armature = std::move(armature);
  data->tree_float = in_float(data->tree);
  data->coupling = couple(data->joints, data->tree);
  data->coupling_float = in_float(data->coupling);
  data->sparsity = find_sparsity(data->tree, data->coupling);
  collect_coordinates(*data);

  for (std::size_t i = 0; i < data->joints.size(); ++i) data->joint_of[data->joints[i].name] = int(i);
  for (std::size_t i = 0; i < data->links.size(); ++i) data->link_of[data->links[i].name] = int(i);
  for (std::size_t i = data->frames.size(); i-- > 0;) data->frame_of[data->frames[i].name] = int(i);
  for (std::size_t i = 0; i < data->tree.bodies.size(); ++i) {
    data->mass += data->tree.bodies[i].inertia.mass;
    if (i > 0) data->moving_mass += data->tree.bodies[i].inertia.mass;
  }
  data->description = description;
  data->options = options;
  resolve_names(*data);
  data->snapped_axes = assembly.snapped_axes;
  data->max_snap = assembly.max_snap;
  return data;
}

}  // namespace lissom
