// Names, classes and what is kept: what all parts of the reader use.
#include "lissom/io/mjcf/parts.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {

bool Reading::may_add(const Element& element) {
  if (++elements <= limits::mjcf_elements) return true;
  if (!too_large)
    element.error("too-large",
                  "the model has more than " + std::to_string(limits::mjcf_elements) +
                      " bodies, joints, geoms, sites and positions of joints in keys",
                  "use fewer of them");
  too_large = true;
  return false;
}

std::string name_of(const Element& element, const Scope& scope) {
  const std::string_view written = element.text("name");
  return written.empty() ? std::string() : scope.prefix + std::string(written) + scope.suffix;
}

std::string made_up_name(const std::string& preferred, Reading& reading) {
  std::string name = preferred;
  while (!reading.written_names.insert(name).second) name += '_';
  return name;
}

std::string shown(std::string_view kind, std::string_view name) {
  return std::string(kind) + (name.empty() ? "" : " " + in_quotes(name));
}

Settings settings_of(const Element& element, const Scope& scope, Reading& reading, std::string_view tag) {
  const DefaultClass* of_class = scope.childclass ? scope.childclass : &scope.model->defaults.main();
  if (element.has("class"))
    if (const auto* found = scope.model->defaults.find(element, "class")) of_class = found;
  return {element, of_class, reading.reported, tag};
}

void keep(const Settings& settings, std::string_view subject, std::initializer_list<const char*> attributes,
          Reading& reading) {
  for (const char* attribute : attributes)
    if (settings.has(attribute))
      reading.out.kept.push_back(
          {std::string(subject), attribute, settings.string(attribute), settings.owner(attribute).line()});
}

void keep_rest(const Settings& settings, std::string_view subject, const char* attribute, Reading& reading) {
  NumberList n;
  if (settings.numbers(attribute, 1, NumberList::max_count, n) && n.count > 1)
    keep(settings, subject, {attribute}, reading);
}

}  // namespace lissom::io::mjcf
