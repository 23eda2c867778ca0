// How a model shows itself in notebooks.
#include <cmath>

#include "bound_model.h"

namespace lissom::python {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#x27;";
    else
      out += c;
  }
  return out;
}

std::string number(double x) {
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

std::string indices(const char* name, int first, int count) {
  if (count == 0) return "";
  const std::string from = std::string(name) + "[" + std::to_string(first);
  return count == 1 ? from + "]" : from + ":" + std::to_string(first + count) + "]";
}

// "−1 … 2"; of joints with several elements, one range each.
std::string limits(const Joint& joint) {
  std::string text;
  for (std::size_t k = 0; k < joint.lower.size(); ++k)
    text += (k ? ", " : "") + number(joint.lower[k]) + " … " + number(joint.upper[k]);
  return text;
}

std::string follower(const Model& model, const Joint& joint) {
  if (!joint.follows) return indices("q", joint.q_index, joint.nq);
  std::string text =
      number(joint.follows->ratio) + " · " + escaped(model.joints()[std::size_t(joint.follows->joint)].name);
  if (joint.follows->offset != 0) text += " + " + number(joint.follows->offset);
  return text;
}

std::string html(const BoundModel& model) {
  constexpr int most = 100;  // a table of more rows is no overview
  std::string text = "<table><caption><b>" + escaped(model.name()) + "</b>: nq = " + std::to_string(model.nq()) +
                     ", nv = " + std::to_string(model.nv()) + ", " + std::to_string(model.links().size()) + " links, " +
                     number(model.mass()) +
                     " kg</caption>"
                     "<thead><tr><th>joint</th><th>type</th><th>parent → "
                     "child</th><th>q</th><th>v</th><th>limits</th></tr></thead><tbody>";
  int shown = 0, moving = 0;
  for (const auto& joint : model.joints()) {
    if (joint.type == JointType::fixed || ++moving > most) continue;
    ++shown;
    text += "<tr><td>" + escaped(joint.name) + "</td><td>" + to_string(joint.type) + "</td><td>" +
            escaped(joint.parent) + " → " + escaped(joint.child) + "</td><td>" + follower(model, joint) + "</td><td>" +
            indices("v", joint.v_index, joint.nv) + "</td><td>" + limits(joint) + "</td></tr>";
  }
  if (moving > shown) text += "<tr><td>… " + std::to_string(moving - shown) + " more</td></tr>";
  return text + "</tbody></table>";
}

}  // namespace

void bind_html(nb::class_<BoundModel>& model) {
  model.def("_repr_html_", &html, "A table of the joints that move, for notebooks.");
}

}  // namespace lissom::python
