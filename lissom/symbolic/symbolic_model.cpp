#include "lissom/symbolic/symbolic_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace lissom::symbolic {
namespace {

constexpr double rotation_noise = 1e-12;  // relative: what fixed rotations by 90° leave of a zero

double norm(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}
Polynomial number(double x, double scale) {
  return std::abs(x) <= rotation_noise * scale ? Polynomial(0) : Polynomial(x);
}
Vec3<Polynomial> numbers(const Vec3<double>& v) {
  const double scale = norm(v);
  return {number(v.x, scale), number(v.y, scale), number(v.z, scale)};
}
Mat3<Polynomial> rotation(const Mat3<double>& m) {
  const auto e = [](double x) { return number(x, 1); };
  return {e(m.xx), e(m.xy), e(m.xz), e(m.yx), e(m.yy), e(m.yz), e(m.zx), e(m.zy), e(m.zz)};
}
double largest(const Sym3<double>& m) {
  return std::max({std::abs(m.xx), std::abs(m.yy), std::abs(m.zz), std::abs(m.xy), std::abs(m.xz), std::abs(m.yz)});
}

bool is_identity(const Mat3<Polynomial>& R, Arena& arena) {
  const auto is_one = [&](Polynomial p) {
    const auto terms = arena.terms(p);
    return terms.size() == 1 && terms[0].monomial == 0 && terms[0].coefficient.is_one();
  };
  return is_one(R.xx) && is_one(R.yy) && is_one(R.zz);
}
// The coordinate axis of its parent about which a joint rotates: 0 to 2; -1: none.
int axis_in_parent(const Body<Polynomial>& body, Arena& arena) {
  return is_identity(body.tilt, arena) ? rotation_axis(body.kind) : -1;
}
bool is_parallel_slide(const Body<Polynomial>& body, Arena& arena) {
  return is_prismatic(body.kind) && is_identity(body.tilt, arena);
}

class Builder {
 public:
  Builder(Arena& arena, const Model& model, const SymbolGroups& groups, std::optional<FrameId> frame)
      : arena_(arena), model_(model), groups_(groups), from_(model.tree<double>()) {
    name_coordinates();
    number_bodies(frame);
    copy_tree();
    copy_coupling();
    out_.frame_R = identity3<Polynomial>();
    if (!frame) return;
    const auto& f = model_.frames()[std::size_t(frame->index)];
    out_.frame_body = f.body;
    out_.frame_R = rotation(f.placement.R);
    out_.frame_p = point(f.placement.p, f.body, -1, "position of " + f.name);
  }
  SymbolicModel take() { return std::move(out_); }

 private:
  Polynomial add(Symbol symbol) {
    out_.symbols.push_back(std::move(symbol));
    return arena_.variable(arena_.symbol_atom(int(out_.symbols.size()) - 1));
  }

  // Coordinates of joints with one or two degrees of freedom are q1, q2, …, numbered as the columns of the mass matrix;
  // those of planar, spherical and free joints have letters of their own.
  void name_coordinates() {
    const auto& joints = model_.joints();
    const auto has_letters = [](const Joint& j) { return j.nv > 0 && !joint_traits(j.type).is_flat(); };
    const bool several = std::ranges::count_if(joints, has_letters) > 1;
    std::vector<Symbol> rates;
    int lettered = 0;
    for (const auto& joint : joints) {
      const auto& traits = joint_traits(joint.type);
      if (has_letters(joint)) ++lettered;
      const int ordinal = several ? lettered : 0;
      for (int k = 0; k < joint.nq; ++k) {
        const auto& c = traits.q[std::size_t(k)];
        const bool plain = traits.is_flat() || c.quantity == Quantity::angle;
        const std::string component = c.name;
        Symbol s{
            .kind = SymbolKind::coordinate, .base = "q", .number = joint.v_index + k + 1, .index = joint.q_index + k};
        if (!plain) s.base = component.substr(0, 1), s.number = ordinal, s.suffix = component.substr(1);
        s.meaning = joint.name + (component.empty() ? "" : "." + component), s.unit = position_unit(c.quantity);
        out_.q.push_back(add(std::move(s)));
      }
      for (int k = 0; k < joint.nv; ++k) {
        const auto& c = traits.v[std::size_t(k)];
        const std::string component = c.name;
        Symbol s{.kind = SymbolKind::velocity,
                 .base = "q",
                 .number = joint.v_index + k + 1,
                 .is_rate = true,
                 .index = joint.v_index + k};
        if (!traits.is_flat() && component != "rate")
          s.base = component[0] == 'w' ? "ω" : "v", s.number = ordinal, s.suffix = component.substr(1),
          s.is_rate = false;
        s.meaning = joint.name + (component.empty() ? "" : "." + component), s.unit = rate_unit(c.quantity);
        rates.push_back(std::move(s));
      }
    }
    for (auto& s : rates) out_.v.push_back(add(std::move(s)));
    for (const int at : model_.quaternions())
      arena_.make_unit_quaternion(arena_.symbol_atom(at), arena_.symbol_atom(at + 1), arena_.symbol_atom(at + 2),
                                  arena_.symbol_atom(at + 3));
    out_.q.resize(out_.q.size() + padding, Polynomial(0));
    out_.v.resize(out_.v.size() + padding, Polynomial(0));
  }

  // Bodies are numbered in the order of their coordinates; points that are attached to a body are counted.
  void number_bodies(std::optional<FrameId> frame) {
    std::vector<const Body<double>*> order;
    for (const auto& body : from_.outward()) order.push_back(&body);
    std::ranges::sort(order, {}, [](const Body<double>* b) { return b->v; });
    number_.assign(from_.bodies.size(), 0);
    points_.assign(from_.bodies.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      number_[std::size_t(order[i]->index)] = int(i) + 1;
      if (norm(order[i]->origin) > 0) ++points_[std::size_t(order[i]->parent)];
    }
    if (!frame) return;
    const auto& f = model_.frames()[std::size_t(frame->index)];
    if (norm(f.placement.p) > 0) ++points_[std::size_t(f.body)];
  }

  // What the body is called in the table of symbols: after its first link with mass.
  std::string body_name(int body) const {
    for (const auto& link : model_.links())
      if (link.body == body && link.mass > 0) return link.name;
    for (const auto& link : model_.links())
      if (link.body == body) return link.name;
    return "body " + std::to_string(number_[std::size_t(body)]);
  }

  // A length along an axis is a positive symbol, or its negative.
  Polynomial length(double x, double scale, Symbol symbol) {
    if (std::abs(x) <= rotation_noise * scale) return 0;
    if (!groups_.lengths) return x;
    symbol.kind = SymbolKind::length, symbol.unit = "m", symbol.value = std::abs(x);
    const auto p = add(std::move(symbol));
    return x < 0 ? -p : p;
  }
  Vec3<Polynomial> lengths(const Vec3<double>& v, const std::string& base, int number, const std::string& meaning) {
    const double scale = norm(v);
    const auto along = [&](double x, const char* axis) {
      return length(x, scale, {.base = base, .number = number, .suffix = axis, .meaning = meaning + " along " + axis});
    };
    const auto x = along(v.x, "x"), y = along(v.y, "y"), z = along(v.z, "z");
    return {x, y, z};
  }
  // A point on a body: the origin of `child`, or of the frame (child < 0). The only one on its link is at the distance
  // a of the link; of several, each has a letter of its own.
  Vec3<Polynomial> point(const Vec3<double>& p, int body, int child, const std::string& meaning) {
    if (body != world && points_[std::size_t(body)] == 1) return lengths(p, "a", number_[std::size_t(body)], meaning);
    if (child < 0) return lengths(p, "e", 0, meaning);
    return lengths(p, "d", number_[std::size_t(child)], meaning);
  }

  RigidInertia<Polynomial> inertia(const Body<double>& body) {
    const auto& from = body.inertia;
    const double scale = largest(from.I);
    const auto entry = [&](double x) { return number(x, scale); };
    if (from.mass <= 0 || !(groups_.masses || groups_.lengths || groups_.inertias))
      return {
          Polynomial(from.mass),
          numbers(from.h),
          {entry(from.I.xx), entry(from.I.xy), entry(from.I.xz), entry(from.I.yy), entry(from.I.yz), entry(from.I.zz)}};
    const int i = number_[std::size_t(body.index)];
    const auto name = body_name(body.index);
    const Polynomial m = groups_.masses ? add({.kind = SymbolKind::mass,
                                               .base = "m",
                                               .number = i,
                                               .value = from.mass,
                                               .meaning = "mass of " + name,
                                               .unit = "kg"})
                                        : Polynomial(from.mass);
    const auto center = (1 / from.mass) * from.h;
    const auto c = lengths(center, "c", i, "center of mass of " + name);
    const auto central = [&](double x, double shift, const char* axes) -> Polynomial {
      const double value = Coefficient::recognized(x - from.mass * shift).value();
      if (std::abs(value) <= rotation_noise * scale) return 0;
      if (!groups_.inertias) return value;
      return add({.kind = SymbolKind::inertia,
                  .base = "I",
                  .number = i,
                  .suffix = axes,
                  .value = value,
                  .meaning = "moment of inertia of " + name + ", " + axes,
                  .unit = "kg m²"});
    };
    const auto& o = center;
    const Polynomial xx = central(from.I.xx, o.y * o.y + o.z * o.z, "xx"), xy = central(from.I.xy, -o.x * o.y, "xy"),
                     xz = central(from.I.xz, -o.x * o.z, "xz"), yy = central(from.I.yy, o.x * o.x + o.z * o.z, "yy"),
                     yz = central(from.I.yz, -o.y * o.z, "yz"), zz = central(from.I.zz, o.x * o.x + o.y * o.y, "zz");
    return {m,
            m * c,
            {xx + m * (c.y * c.y + c.z * c.z), xy - m * (c.x * c.y), xz - m * (c.x * c.z),
             yy + m * (c.x * c.x + c.z * c.z), yz - m * (c.y * c.z), zz + m * (c.x * c.x + c.y * c.y)}};
  }

  void copy_tree() {
    auto& to = out_.tree;
    to.nq = from_.nq, to.nv = from_.nv;
    to.is_chain = from_.is_chain;
    to.first_angle = from_.first_angle, to.end_angle = from_.end_angle;
    to.angles = from_.angles;
    for (const double sign : from_.signs) to.signs.emplace_back(sign);
    for (const auto& f : from_.rotated_frames) to.rotated_frames.push_back({f.q, number(f.sin, 1), number(f.cos, 1)});
    to.gravity = numbers(from_.gravity);
    if (const double g = norm(from_.gravity); groups_.gravity && g > 0)
      to.gravity = add({.kind = SymbolKind::gravity, .base = "g", .value = g, .meaning = "gravity", .unit = "m/s²"}) *
                   numbers((1 / g) * from_.gravity);
    for (const auto& b : from_.bodies) {
      const auto name = b.index == world ? std::string() : "position of the joint of " + body_name(b.index);
      to.bodies.push_back({b.index, b.parent, b.kind, b.q, b.v, b.dofs, b.last_v, b.has_children, b.starts_sum,
                           b.continues, b.continued, b.sign, b.rotation_per_q, b.translation_per_q, rotor(b),
                           b.index == world ? zero_vec3<Polynomial>() : point(b.origin, b.parent, b.index, name),
                           rotation(b.tilt), inertia(b)});
    }
    to.armature.resize(from_.armature.size(), Polynomial(0));
    for (const auto& b : to.outward())
      for (int k = 0; k < b.dofs && !to.armature.empty(); ++k) to.armature[std::size_t(b.v + k)] = b.armature;
  }
  Polynomial rotor(const Body<double>& body) {
    if (body.armature == 0 || !groups_.inertias) return body.armature;
    return add({.kind = SymbolKind::inertia,
                .base = "Ir",
                .number = number_[std::size_t(body.index)],
                .value = body.armature,
                .meaning = "rotor inertia at " + body_name(body.index),
                .unit = "kg m²"});
  }

  void copy_coupling() {
    const auto& from = model_.coupling<double>();
    auto& to = out_.coupling;
    to.nq = from.nq, to.nv = from.nv, to.full_nq = from.full_nq, to.full_nv = from.full_nv;
    for (const auto& s : from.q_segments) to.q_segments.push_back({s.from, s.to, s.count});
    for (const auto& s : from.v_segments) to.v_segments.push_back({s.from, s.to, s.count});
    for (const auto& f : from.followers)
      to.followers.push_back({f.q_from, f.q_to, f.v_from, f.v_to, f.leader_to, f.ratio, f.offset});
  }

  Arena& arena_;
  const Model& model_;
  const SymbolGroups& groups_;
  const Tree<double>& from_;
  SymbolicModel out_{};
  std::vector<int> number_, points_;  // of bodies
};

}  // namespace

SymbolicModel symbolic_model(Arena& arena, const Model& model, const SymbolGroups& groups,
                             std::optional<FrameId> frame) {
  return Builder(arena, model, groups, frame).take();
}

ParallelAxes parallel_axes(Arena& arena, const SymbolicModel& model) {
  std::vector<Polynomial> q(std::size_t(model.tree.nq + padding), Polynomial(0));
  model.coupling.spread_q(model.q.data(), q.data());
  const auto& tree = model.tree;
  std::vector<int> angle(tree.bodies.size(), -1), sign(tree.bodies.size(), 1);
  for (const auto& body : tree.outward()) {
    if (rotation_axis(body.kind) < 0) continue;
    const auto at = std::size_t(*std::ranges::lower_bound(tree.angles, body.q));  // the body's only angle
    const auto sine = arena.terms(sincos(tree.signs[at] * q[at]).sin)[0];
    angle[std::size_t(body.index)] = arena.atom(arena.monomial(sine.monomial)[0].atom).index;
    sign[std::size_t(body.index)] = sine.coefficient.is_negative() ? -1 : 1;
  }
  ParallelAxes out;
  out.before.assign(arena.angles().size(), -1), out.sign.assign(arena.angles().size(), 1);
  std::vector<bool> seen(arena.angles().size());  // joints that mimic others repeat an angle: its first joint counts
  for (const auto& body : tree.outward()) {
    const int own = angle[std::size_t(body.index)];
    if (own < 0 || seen[std::size_t(own)]) continue;
    seen[std::size_t(own)] = true;
    int parent = body.parent;
    while (parent != world && is_parallel_slide(tree.bodies[std::size_t(parent)], arena))
      parent = tree.bodies[std::size_t(parent)].parent;
    const int before = angle[std::size_t(parent)];
    if (before < 0 || before == own ||
        axis_in_parent(body, arena) != rotation_axis(tree.bodies[std::size_t(parent)].kind))
      continue;
    out.before[std::size_t(own)] = before;
    out.sign[std::size_t(own)] = sign[std::size_t(body.index)] * sign[std::size_t(parent)];
  }
  return out;
}

}  // namespace lissom::symbolic
