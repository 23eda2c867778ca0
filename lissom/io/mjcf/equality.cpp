// <equality>: connect and weld become loops, joint and tendon couplings of joints, and a tendon between two sites a
// rod.
#include <algorithm>
#include <array>
#include <cmath>

#include "lissom/io/mjcf/parts.h"
#include "lissom/io/mjcf/references.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::io::mjcf {
namespace {

constexpr LoopAxes all_axes{.along = {true, true, true}, .about = {true, true, true}};

std::string equality_name(const Element& element, const Reference& reference, std::string_view kind,
                          std::size_t number) {
  const std::string name = reference.name_of(element.text("name"));
  return name.empty() ? made_up_name(std::string(kind) + std::to_string(number), reference.reading) : name;
}

// Whether both sides are the same; MuJoCo refuses that.
bool is_repeated(const Element& element, std::string_view first, std::string_view second) {
  if (first != second) return false;
  element.error("equality-self", "both sides are " + in_quotes(first) + ", which can only be equal to itself",
                "name two different ones");
  return true;
}

// The two bodies; the second one is the world if it is not named.
struct BodyPair {
  const BodyRecord *first = nullptr, *second = nullptr;
};
std::optional<BodyPair> read_bodies(const Element& element, const Reference& reference) {
  const auto& bodies = reference.reading.bodies;
  const auto* first = reference.expect(element, "body1", "body", bodies);
  const auto* second =
      element.has("body2") ? reference.expect(element, "body2", "body", bodies) : &*bodies.find(world_link);
  if (!first || !second || is_repeated(element, first->first, second->first)) return std::nullopt;
  return BodyPair{&first->second, &second->second};
}

bool read_sites(const Element& element, const Reference& reference, LoopDescription& loop) {
  const auto& sites = reference.reading.sites;
  const auto* first = reference.expect(element, "site1", "site", sites);
  const auto* second = reference.expect(element, "site2", "site", sites);
  if (!first || !second || is_repeated(element, first->first, second->first)) return false;
  loop.a = {first->second.link, first->second.placement};
  loop.b = {second->second.link, second->second.placement};
  return true;
}

void read_connect(const Settings& s, const Reference& reference) {
  const Element& element = s.element();
  LoopDescription loop;
  loop.line = element.line();
  loop.name = equality_name(element, reference, "connect", reference.reading.out.loops.size() + 1);
  if (element.has("site1") || element.has("site2")) {
    if (!read_sites(element, reference, loop)) return;
  } else {
    const auto bodies = read_bodies(element, reference);
    if (!bodies) return;
    Vec3<double> anchor{0, 0, 0};
    if (!element.has("anchor")) element.missing("anchor");
    s.vector("anchor", anchor);
    loop.a = {bodies->first->link, {identity3<double>(), anchor}};
    loop.b = {bodies->second->link,
              {identity3<double>(), inverse(bodies->second->world) * (bodies->first->world * anchor)}};
  }
  reference.reading.out.loops.push_back(std::move(loop));
}

void read_weld(const Settings& s, const Reference& reference) {
  const Element& element = s.element();
  LoopDescription loop;
  loop.line = element.line();
  loop.axes = all_axes;
  loop.name = equality_name(element, reference, "weld", reference.reading.out.loops.size() + 1);
  if (element.has("site1") || element.has("site2")) {
    if (!read_sites(element, reference, loop)) return;
  } else {
    const auto bodies = read_bodies(element, reference);
    if (!bodies) return;
    // Without a quaternion, the pose at qpos0 is meant.
    Pose<double> relative = inverse(bodies->first->world) * bodies->second->world;
    NumberList n;
    bool given = false;
    if (s.numbers("relpose", 7, 7, n)) {
      const Quaternion<double> q{n.value[3], n.value[4], n.value[5], n.value[6]};
      if (q.w != 0 || q.x != 0 || q.y != 0 || q.z != 0)
        relative = {matrix(normalized(q)), {n.value[0], n.value[1], n.value[2]}}, given = true;
    }
    loop.a = {bodies->first->link, relative};
    loop.b = {bodies->second->link, {}};
    // The point that is held is given in the second body; a pose that is given says where it is in the first one.
    if (s.vector("anchor", loop.b.placement.p) && !given) loop.a.placement.p = relative * loop.b.placement.p;
  }
  reference.reading.out.loops.push_back(std::move(loop));
}

using Polynomial = std::array<double, 5>;

Polynomial read_polynomial(const Settings& s) {
  Polynomial c{0, 1, 0, 0, 0};
  NumberList n;
  if (s.numbers("polycoef", 1, 5, n))
    for (std::size_t i = 0; i < n.count; ++i) c[i] = n.value[i];
  return c;
}

// The coefficients of p(k x + d) in x, by Horner's scheme.
Polynomial substituted(const Polynomial& p, double k, double d) {
  Polynomial result{};
  for (std::size_t i = p.size(); i-- > 0;) {
    Polynomial next{};
    for (std::size_t j = 0; j < result.size(); ++j) {
      next[j] += d * result[j];
      if (j + 1 < next.size()) next[j + 1] += k * result[j];
    }
    next[0] += p[i];
    result = next;
  }
  return result;
}

std::vector<double> trimmed(const Polynomial& p, std::size_t min_count) {
  std::size_t count = p.size();
  while (count > min_count && p[count - 1] == 0) --count;
  return {p.begin(), p.begin() + std::ptrdiff_t(count)};
}

// One side of a coupling: position = (q[joint] - ref) · factor.
struct Side {
  std::string joint;
  double ref = 0, factor = 1;
};

// factor₁ (q₁ - ref₁) = p(factor₂ (q₂ - ref₂))
void add_coupling(const Side& first, const Side& second, const Polynomial& p, const std::string& name, int line,
                  Reading& reading) {
  JointCoupling coupling;
  coupling.name = name, coupling.line = line;
  coupling.joint = first.joint, coupling.of = second.joint;
  Polynomial c = second.joint.empty() ? Polynomial{p[0]} : substituted(p, second.factor, -second.factor * second.ref);
  for (double& x : c) x /= first.factor;
  c[0] += first.ref;
  coupling.coefficients = trimmed(c, second.joint.empty() ? 1 : 2);
  reading.out.couplings.push_back(std::move(coupling));
}

void read_joint_equality(const Settings& s, const Reference& reference) {
  const Element& element = s.element();
  Reading& reading = reference.reading;
  const auto side = [&](const char* attribute) -> std::optional<Side> {
    const auto* found = reference.expect(element, attribute, "joint", reading.joints);
    if (!found) return std::nullopt;
    const JointDescription& joint = reading.out.joints[found->second.index];
    if (joint_traits(joint.type).nq() == 1) return Side{found->first, found->second.ref, 1};
    element.error("coupling-size", shown("joint", found->first) + " is not a hinge or a slide", "name such a joint");
    return std::nullopt;
  };
  const auto first = side("joint1");
  const auto second = element.has("joint2") ? side("joint2") : Side{};
  if (!first || !second || is_repeated(element, first->joint, second->joint)) return;
  const std::string name = equality_name(element, reference, "coupling", reading.out.couplings.size() + 1);
  add_coupling(*first, *second, read_polynomial(s), name, element.line(), reading);
}

// The sides of an equality of tendons, as a coupling of two joints: the position of the first tendon is p(that of the
// second one). Nullopt if it is none.
struct CoupledSides {
  Side first, second;
  Polynomial p{};
};
std::optional<CoupledSides> as_coupling(const std::vector<Side>& first, const std::vector<Side>& second, Polynomial p) {
  if (first.size() == 1 && second.size() <= 1) return CoupledSides{first[0], second.empty() ? Side{} : second[0], p};
  if (!second.empty() && (p[2] != 0 || p[3] != 0 || p[4] != 0)) return std::nullopt;
  // It is linear: everything can be on one side.
  std::vector<Side> sum = first;
  for (const Side& side : second) {
    const double factor = p[1] * side.factor;
    const auto same = std::ranges::find(sum, side.joint, &Side::joint);
    if (same == sum.end()) {
      sum.push_back({side.joint, side.ref, -factor});
    } else {
      constexpr double rounding = 1e-15;  // of what should cancel, also where the product was not rounded
      same->factor -= factor;
      if (std::abs(same->factor) <= rounding * std::abs(factor)) same->factor = 0;
    }
  }
  std::erase_if(sum, [](const Side& side) { return side.factor == 0; });
  if (sum.size() == 1) return CoupledSides{sum[0], {}, {p[0]}};
  if (sum.size() == 2) return CoupledSides{sum[0], sum[1], {p[0], -1}};
  return std::nullopt;
}

// The joints of a fixed tendon; empty, and a finding if there is no such tendon, otherwise.
std::vector<Side> read_tendon_side(const Element& element, const char* attribute, const Reference& reference) {
  Reading& reading = reference.reading;
  std::vector<Side> sides;
  if (reference.find(element.text(attribute), reading.other_tendons)) return sides;
  const auto* found = reference.expect(element, attribute, "tendon", reading.tendons);
  if (!found) return sides;
  for (const auto& term : reading.out.tendons[found->second.index].terms)
    if (term.coefficient != 0) sides.push_back({term.joint, reading.joints.at(term.joint).ref, term.coefficient});
  return sides;
}

// An equality of a tendon between two sites keeps the distance of these at that of qpos0, or a little more.
bool read_rod(const Settings& s, const Reference& reference) {
  const Element& element = s.element();
  Reading& reading = reference.reading;
  if (element.has("tendon2")) return false;
  const auto found = reading.other_tendons.find(reference.name_of(element.text("tendon1")));
  if (found == reading.other_tendons.end() || !found->second.ends) return false;
  const auto& [a, b] = *found->second.ends;
  const auto point = [&](const AttachmentDescription& end) {
    return reading.bodies.at(end.frame).world * end.placement.p;
  };
  NumberList n;
  const double change = s.numbers("polycoef", 1, 5, n) ? n.value[0] : 0;
  const Vec3<double> apart = point(a) - point(b);
  const double length = std::sqrt(dot(apart, apart)) + change;
  if (!(length > 0)) return false;
  const std::string name = equality_name(element, reference, "rod", reading.out.loops.size() + 1);
  LoopDescription loop{name, a, b};
  loop.kind = LoopKind::distance, loop.length = length, loop.line = element.line();
  reading.out.loops.push_back(std::move(loop));
  found->second.is_rod = true;
  return true;
}

// Until 2.2.2, MuJoCo had an equality that keeps the distance between the surfaces of two geoms. That of two spheres is
// a rod between their centers.
void read_distance(const Settings& s, const Reference& reference) {
  const Element& element = s.element();
  Reading& reading = reference.reading;
  const auto* first = reference.expect(element, "geom1", "geom", reading.geoms);
  const auto* second = reference.expect(element, "geom2", "geom", reading.geoms);
  if (!first || !second || is_repeated(element, first->first, second->first)) return;
  const auto &a = first->second.sphere, &b = second->second.sphere;
  const double length = a && b ? s.number("distance", 0) + a->radius + b->radius : 0;
  if (!(length > 0))
    return element.warning("equality-distance",
                           "an equality of the distance between two geoms is left out: it can be kept only where both "
                           "are spheres, and their centers are apart",
                           "use spheres, or a tendon between two sites and an equality of its length");
  element.note("former-element", "<distance> belongs to MuJoCo before 2.2.2; it is read as a rod between two points",
               "use a tendon between two sites and an equality of its length: MuJoCo refuses the file");
  LoopDescription loop;
  loop.name = equality_name(element, reference, "distance", reading.out.loops.size() + 1);
  loop.a = {first->second.link, {identity3<double>(), a->center}};
  loop.b = {second->second.link, {identity3<double>(), b->center}};
  loop.kind = LoopKind::distance, loop.length = length, loop.line = element.line();
  reading.out.loops.push_back(std::move(loop));
}

void read_tendon_equality(const Settings& s, const Reference& reference) {
  if (read_rod(s, reference)) return;
  const Element& element = s.element();
  Reading& reading = reference.reading;
  const bool two = element.has("tendon2");
  if (two && is_repeated(element, element.text("tendon1"), element.text("tendon2"))) return;
  const auto first = read_tendon_side(element, "tendon1", reference);
  const auto second = two ? read_tendon_side(element, "tendon2", reference) : std::vector<Side>{};
  const auto sides =
      first.empty() || (two && second.empty()) ? std::nullopt : as_coupling(first, second, read_polynomial(s));
  if (!sides) {
    reading.report.count(Severity::warning, "equality-tendon", element.line(), "equality",
                         "an equality of tendons is left out: it can be kept only where the tendons are fixed, and it "
                         "relates at most two joints",
                         "none needed, if the tendons may differ", "equality tendon");
    return;
  }
  const std::string name = equality_name(element, reference, "coupling", reading.out.couplings.size() + 1);
  add_coupling(sides->first, sides->second, sides->p, name, element.line(), reading);
}

void read_one_equality(const Settings& s, const Reference& reference) {
  const std::string_view tag = s.element().tag();
  Description& out = reference.reading.out;
  const std::size_t loops = out.loops.size(), couplings = out.couplings.size();
  if (tag == "connect") read_connect(s, reference);
  if (tag == "weld") read_weld(s, reference);
  if (tag == "joint") read_joint_equality(s, reference);
  if (tag == "tendon") read_tendon_equality(s, reference);
  if (tag == "distance") read_distance(s, reference);
  const bool is_loop = out.loops.size() > loops;
  if (!is_loop && out.couplings.size() == couplings) return;
  const std::string subject = shown("equality", is_loop ? out.loops.back().name : out.couplings.back().name);
  keep(s, subject, {"solimp", "solref"}, reference.reading);
  if (tag == "weld") keep(s, subject, {"torquescale"}, reference.reading);
}

std::vector<std::string> suffixes_for(const Element& e, const ModelPart& model, const Reading& reading) {
  for (const char* attribute : {"body1", "body2"})
    if (auto found = replicas_of(e.text(attribute), reading.bodies, model, reading); !found.front().empty())
      return found;
  for (const char* attribute : {"site1", "site2"})
    if (auto found = replicas_of(e.text(attribute), reading.sites, model, reading); !found.front().empty())
      return found;
  for (const char* attribute : {"geom1", "geom2"})
    if (auto found = replicas_of(e.text(attribute), reading.geoms, model, reading); !found.front().empty())
      return found;
  for (const char* attribute : {"joint1", "joint2"})
    if (auto found = replicas_of(e.text(attribute), reading.joints, model, reading); !found.front().empty())
      return found;
  return {""};
}

}  // namespace

void read_equality(const Element& section, ModelPart& model, Reading& reading) {
  for (const pugi::xml_node node : section.children()) {
    if (node.type() != pugi::node_element) continue;
    const std::string subject = shown("equality", node.attribute("name").value());
    const Element element(node, reading.report, subject);
    Scope scope;
    scope.model = &model;
    const Settings s = settings_of(element, scope, reading, "equality");
    if (!s.flag("active", true)) {
      reading.report.count(Severity::note, "equality-inactive", element.line(), "equality",
                           "an equality is not active, and is left out", "set active=\"true\" to have it", "inactive");
      continue;
    }
    if (element.tag() == "flex" || element.tag() == "flexstrain") {
      reading.skip("equality " + std::string(element.tag()), element.line());
      continue;
    }
    for (const auto& suffix : suffixes_for(element, model, reading)) read_one_equality(s, {model, reading, suffix});
  }
}

}  // namespace lissom::io::mjcf
