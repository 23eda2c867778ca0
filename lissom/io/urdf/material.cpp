#include <algorithm>

#include "lissom/io/urdf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::urdf {
namespace {

bool same(const Material& a, const Material& b) {
  return a.color.r == b.color.r && a.color.g == b.color.g && a.color.b == b.color.b && a.color.a == b.color.a &&
         a.texture == b.texture;
}

void read_color(const Element& element, Color& color) {
  element.expect({"rgba"}, {});
  NumberList n;
  if (!element.has("rgba")) return element.missing("rgba", "the color is gray");
  if (!element.numbers("rgba", n)) return;
  if (n.count != 4 && n.count != 3) {
    element.error(
        "number-count",
        "the color " + in_quotes(element.text("rgba")) + " has " + counted(n.count, "number") + ", expected 4",
        "write red, green, blue and alpha, 0 to 1 each");
    return;
  }
  if (n.count == 3) {
    n.value[3] = 1;
    element.note("number-count", "the color " + in_quotes(element.text("rgba")) + " has 3 numbers; alpha is taken as 1",
                 "write red, green, blue and alpha");
  }
  const auto [smallest, largest] = std::minmax_element(n.value.begin(), n.value.begin() + 4);
  if (*smallest < 0 || *largest > 1)
    element.note("color-range", "the color " + in_quotes(element.text("rgba")) + " is not within 0 to 1",
                 "write each component as a number from 0 to 1");
  color = {n.value[0], n.value[1], n.value[2], n.value[3]};
}

}  // namespace

Material Materials::read(const Element& element) {
  element.expect({"name"}, {"color", "texture"});
  Material material;
  material.name = element.text("name");
  if (!element.has("name")) element.missing("name", "the material cannot be used elsewhere");
  const Element color = element.child("color"), texture = element.child("texture");
  if (color) read_color(color, material.color);
  if (texture) {
    texture.expect({"filename"}, {});
    material.texture = texture.text("filename");
    if (material.texture.empty()) texture.missing("filename", "there is no texture");
  }
  if ((color || texture) && !material.name.empty()) define(element, material);
  return material;
}

void Materials::define(const Element& element, const Material& material) {
  const auto [first, is_new] = defined_.try_emplace(material.name, Definition{material, element.line()});
  if (is_new || same(first->second.material, material)) return;
  // It is about appearance only.
  element.note("material-duplicate",
               "material " + in_quotes(material.name) + " is defined differently in line " +
                   std::to_string(first->second.line) + "; references by name use that definition",
               "give each material a name of its own");
}

void Materials::resolve(std::vector<LinkDescription>& links, Report& report) {
  for (LinkDescription& link : links)
    for (Geometry& visual : link.visuals) {
      // A reference has nothing but a name; a definition with exactly the default color resolves to itself.
      if (!visual.material || !visual.material->texture.empty() || visual.material->name.empty() ||
          !same(*visual.material, Material{}))
        continue;
      const auto found = defined_.find(visual.material->name);
      if (found != defined_.end())
        visual.material = found->second.material;
      else
        report.count(Severity::warning, "material-undefined", visual.line, "link " + in_quotes(link.name),
                     "material " + in_quotes(visual.material->name) + " is used but not defined; it is shown gray",
                     "define it: <material name=\"…\"><color rgba=\"…\"/></material>");
    }
}

}  // namespace lissom::io::urdf
