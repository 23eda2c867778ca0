// <tendon>: fixed tendons are sums of joint positions. Spatial ones are only reported, unless they are rods.
#include "lissom/io/mjcf/parts.h"
#include "lissom/io/mjcf/references.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

// Returns false if the tendon goes to a joint that is not part of what is attached: MuJoCo leaves it out then.
bool read_terms(const Element& element, const Reference& reference, TendonDescription& tendon) {
  bool whole = true, any = false;
  std::unordered_set<std::string> names;
  for (const pugi::xml_node node : element.children()) {
    if (std::string_view(node.name()) != "joint") continue;
    any = true;
    const Element term(node, element.report(), element.subject());
    const auto* joint = reference.expect(term, "joint", "joint", reference.reading.joints);
    if (!term.has("coef")) term.missing("coef");
    const double coefficient = term.number("coef").value_or(0);
    whole = whole && joint;
    if (!joint) continue;
    if (!names.insert(joint->first).second)
      term.error("tendon-joint", shown("joint", joint->first) + " is named twice", "add the two coefficients");
    else if (joint_traits(reference.reading.out.joints[joint->second.index].type).nq() == 1)
      tendon.terms.push_back({joint->first, coefficient});
    else
      term.error("tendon-joint", shown("joint", joint->first) + " is not a hinge or a slide", "name such a joint");
  }
  if (!any)
    element.error("tendon-empty", "the tendon has no joint",
                  "add <joint joint=\"…\" coef=\"…\"/>, or remove the tendon");
  return whole && any;
}

// The sum where all joints are at rest (springref), which is the rest length if none is given.
double length_at_rest(const TendonDescription& tendon, const Reading& reading) {
  double length = 0;
  for (const auto& term : tendon.terms)
    length += term.coefficient * reading.out.joints[reading.joints.at(term.joint).index].spring_rest[0];
  return length;
}

void read_tendon_spring(const Settings& s, Reading& reading, TendonDescription& tendon) {
  NumberList n;
  const std::string subject = shown("tendon", tendon.name);
  tendon.stiffness = s.numbers("stiffness", 1, 3, n) ? n.value[0] : 0;
  const bool curved_spring = n.count > 1;
  tendon.damping = s.numbers("damping", 1, 3, n) ? n.value[0] : 0;
  if (curved_spring || n.count > 1) {
    keep(s, subject, {"stiffness", "damping"}, reading);
    s.element().warning("polynomial", "stiffness or damping is a polynomial; only its first coefficient is used",
                        "none needed, if motions are slow or small");
  }
  tendon.rest = length_at_rest(tendon, reading);
  n.count = 0;
  if (!s.numbers("springlength", 1, 2, n)) return;
  if (n.value[0] != -1 || n.count == 2) tendon.rest = n.value[0];
  if (n.count == 2 && n.value[0] != n.value[1]) {
    keep(s, subject, {"springlength"}, reading);
    s.owner("springlength")
        .warning("spring-deadband",
                 "the spring does not act between the lengths " + in_quotes(s.text("springlength")) +
                     "; lissom takes the first one as its rest length",
                 "none needed, if the spring does not matter");
  }
}

void read_fixed(const Settings& s, const Compiler& compiler, const Reference& reference) {
  Reading& reading = reference.reading;
  const Element& element = s.element();
  TendonDescription tendon;
  tendon.line = element.line();
  tendon.name = reference.name_of(element.text("name"));
  if (tendon.name.empty())
    tendon.name = made_up_name("tendon" + std::to_string(reading.out.tendons.size() + 1), reading);
  if (!read_terms(element, reference, tendon) || tendon.terms.empty()) return;
  const Range range = read_range(s, "range", "limited", compiler);
  if (range.limited) tendon.lower = range.lower, tendon.upper = range.upper;
  read_range(s, "actuatorfrcrange", "actuatorfrclimited", compiler);  // is only kept
  read_tendon_spring(s, reading, tendon);
  tendon.dry_friction = s.number("frictionloss", 0);
  tendon.armature = s.number("armature", 0);
  if (tendon.armature != 0)
    element.warning("tendon-armature",
                    "the tendon has armature " + to_text(tendon.armature) +
                        ", which MuJoCo adds to M; lissom keeps it, but has no inertia of tendons",
                    "give the joints armature instead");
  keep(s, shown("tendon", tendon.name),
       {"actuatorfrclimited", "actuatorfrcrange", "group", "margin", "solimpfriction", "solimplimit", "solreffriction",
        "solreflimit", "springyield", "user"},
       reading);
  if (!reading.tendons.try_emplace(tendon.name, TendonRecord{reading.out.tendons.size(), {range.lower, range.upper}})
           .second)
    return element.error("name-duplicate", "another tendon has the same name", "rename one of them");
  reading.out.tendons.push_back(std::move(tendon));
}

void read_spatial(const Settings& s, const Reference& reference) {
  const Element& element = s.element();
  Reading& reading = reference.reading;
  std::string name = reference.name_of(element.text("name"));
  if (name.empty()) name = made_up_name("spatial" + std::to_string(reading.other_tendons.size() + 1), reading);
  SpatialTendon& tendon = reading.other_tendons[name];
  tendon.line = element.line();
  tendon.armature = s.number("armature", 0);
  std::vector<AttachmentDescription> ends;
  for (const pugi::xml_node node : element.children()) {
    if (node.type() != pugi::node_element) continue;
    const auto* site = std::string_view(node.name()) == "site"
                           ? reference.find(node.attribute("site").value(), reading.sites)
                           : nullptr;
    if (!site) return;  // it goes around a geom or through a pulley
    ends.push_back({site->second.link, site->second.placement});
  }
  if (ends.size() == 2) tendon.ends = {ends[0], ends[1]};
}

}  // namespace

void report_spatial_tendons(Reading& reading) {
  for (const auto& [name, tendon] : reading.other_tendons) {
    if (tendon.is_rod) continue;
    const std::string subject = shown("tendon", name);
    reading.report.add(
        Severity::warning, "tendon-spatial", tendon.line, subject,
        "a spatial tendon is left out: lissom has none, so that its forces and limits are missing",
        "none needed, if the tendon does not matter; a spring between two points can be given in a file of loops");
    if (tendon.armature != 0)
      reading.report.add(Severity::warning, "tendon-armature", tendon.line, subject,
                         "the spatial tendon has armature " + to_text(tendon.armature) +
                             ", which MuJoCo adds to M; lissom has no inertia of tendons, so that M differs",
                         "none needed, if it is small; otherwise give the joints armature instead");
  }
}

void read_tendons(const Element& section, ModelPart& model, Reading& reading) {
  for (const pugi::xml_node node : section.children()) {
    if (node.type() != pugi::node_element) continue;
    const std::string subject = shown("tendon", node.attribute("name").value());
    const Element element(node, reading.report, subject);
    Scope scope;
    scope.model = &model;
    const Settings s = settings_of(element, scope, reading, "tendon");
    if (element.tag() == "spatial") {
      read_spatial(s, {model, reading, ""});
    } else if (element.tag() == "fixed") {
      const Element joint = element.peek("joint");
      const std::string_view first = joint ? joint.text("joint") : std::string_view{};
      for (const auto& suffix : replicas_of(first, reading.joints, model, reading))
        read_fixed(s, model.compiler, {model, reading, suffix});
    }
  }
}

}  // namespace lissom::io::mjcf
