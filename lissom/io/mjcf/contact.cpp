// <contact>: pairs of geoms that touch, and bodies that do not.
#include <algorithm>

#include "lissom/io/mjcf/parts.h"
#include "lissom/io/mjcf/references.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

// A geom whose contype and conaffinity are 0 touches what a pair says, and nothing else.
bool make_collision(const std::string& name, GeomRecord& geom, Reading& reading) {
  if (geom.collides || !geom.unused) return geom.collides;
  const auto link = std::ranges::find(reading.out.links, geom.link, &LinkDescription::name);
  if (link == reading.out.links.end()) return false;
  geom.unused->contact_material = contact_material(geom.friction, geom.unused->line, reading);
  if (!geom.shown) std::erase_if(link->visuals, [&](const Geometry& visual) { return visual.name == name; });
  link->collisions.push_back(*std::move(geom.unused));
  geom.unused.reset();
  return geom.collides = true;
}

void read_pair(const Settings& s, const Reference& reference) {
  Reading& reading = reference.reading;
  const Element& element = s.element();
  const auto* first = reference.expect(element, "geom1", "geom", reading.geoms);
  const auto* second = reference.expect(element, "geom2", "geom", reading.geoms);
  if (!first || !second) return;
  ContactPair pair{reference.name_of(element.text("name")), first->first, second->first, {}, element.line()};
  if (pair.name.empty())
    pair.name = made_up_name("pair" + std::to_string(reading.out.contact_pairs.size() + 1), reading);
  NumberList n;
  if (s.numbers("friction", 1, 5, n)) pair.friction = n.value[0];
  keep(s, shown("pair", pair.name), {"adhesion", "condim", "gap", "margin", "solimp", "solref", "solreffriction"},
       reading);
  keep_rest(s, shown("pair", pair.name), "friction", reading);
  for (const auto& name : {pair.a, pair.b})
    if (!make_collision(name, reading.geoms.at(name), reading)) {
      reading.report.count(Severity::note, "pair-visual", element.line(), shown("pair", pair.name),
                           "the geom " + in_quotes(name) + " has no shape that is known, so that the pair is left out",
                           "correct its shape");
      return;
    }
  reading.out.contact_pairs.push_back(std::move(pair));
}

void read_exclusion(const Element& element, const Reference& reference) {
  const auto* first = reference.expect(element, "body1", "body", reference.reading.bodies);
  const auto* second = reference.expect(element, "body2", "body", reference.reading.bodies);
  if (!first || !second) return;
  reference.reading.out.contact_exclusions.push_back(
      {reference.name_of(element.text("name")), first->first, second->first, element.line()});
}

}  // namespace

void read_contact(const Element& section, ModelPart& model, Reading& reading) {
  for (const pugi::xml_node node : section.children()) {
    if (node.type() != pugi::node_element) continue;
    const std::string subject = shown(node.name(), node.attribute("name").value());
    const Element element(node, reading.report, subject);
    Scope scope;
    scope.model = &model;
    if (element.tag() == "pair") read_pair(settings_of(element, scope, reading), {model, reading, ""});
    if (element.tag() == "exclude") read_exclusion(element, {model, reading, ""});
  }
}

}  // namespace lissom::io::mjcf
