// How a model shows itself in notebooks.
#include "html.h"

#include <cmath>

#include "bound_model.h"
#include "lissom/model/text.h"

namespace lissom::python {

namespace {

std::string indices(const char* name, int first, int count) {
  if (count == 0) return "";
  const std::string from = std::string(name) + "[" + std::to_string(first);
  return count == 1 ? from + "]" : from + ":" + std::to_string(first + count) + "]";
}

// "−1 … 2"; of joints with several elements, one range each.
std::string limits(const Joint& joint) {
  std::string text;
  for (std::size_t k = 0; k < joint.lower.size(); ++k)
    text += (k ? ", " : "") + html_number(joint.lower[k]) + " … " + html_number(joint.upper[k]);
  return text;
}

std::string follower(const Model& model, const Joint& joint) {
  if (!joint.follows) return indices("q", joint.q_index, joint.nq);
  std::string text =
      html_number(joint.follows->ratio) + " · " + in_xml(model.joints()[std::size_t(joint.follows->joint)].name);
  if (joint.follows->offset != 0) text += " + " + html_number(joint.follows->offset);
  return text;
}

std::string html(const BoundModel& model) {
  HtmlTable table("<b>" + in_xml(model.name()) + "</b>: nq = " + std::to_string(model.nq()) +
                      ", nv = " + std::to_string(model.nv()) + ", " + std::to_string(model.links().size()) +
                      " links, " + html_number(model.mass()) + " kg",
                  {"joint", "type", "parent → child", "q", "v", "limits"});
  for (const auto& joint : model.joints()) {
    if (joint.type == JointType::fixed) continue;
    table.row({in_xml(joint.name), to_string(joint.type), in_xml(joint.parent) + " → " + in_xml(joint.child),
               follower(model, joint), indices("v", joint.v_index, joint.nv), limits(joint)});
  }
  return table.text();
}

constexpr int max_rows = 100;

}  // namespace

std::string html_number(double x) {
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

HtmlTable::HtmlTable(const std::string& caption, std::initializer_list<std::string_view> head)
    : text_("<table><caption>" + caption + "</caption><thead><tr>"), columns_(head.size()) {
  for (const auto cell : head) text_ += "<th>" + std::string(cell) + "</th>";
  text_ += "</tr></thead><tbody>";
}

void HtmlTable::row(std::initializer_list<std::string> cells) {
  if (++rows_ > max_rows) return;
  text_ += "<tr>";
  for (const auto& cell : cells) text_ += "<td>" + cell + "</td>";
  text_ += "</tr>";
}

std::string HtmlTable::text() const {
  if (rows_ <= max_rows) return text_ + "</tbody></table>";
  return text_ + "<tr><td colspan=\"" + std::to_string(columns_) + "\">… " + std::to_string(rows_ - max_rows) +
         " more</td></tr></tbody></table>";
}

void bind_html(nb::class_<BoundModel>& model) {
  model.def("_repr_html_", &html, "A table of the joints that move, for notebooks.");
}

}  // namespace lissom::python
