#pragma once
// Reads YAML 1.1 as PyYAML's safe loader does: mappings, lists, flow style, texts of several lines, anchors, merge
// keys, and xacro's units (!degrees). Not installed.
#include <functional>
#include <string>
#include <string_view>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {

// Fails with code xacro-yaml and the line in the text. `evaluate` computes the expressions of units.
Value read_yaml(std::string_view text, Budget& budget, const std::function<Value(const std::string&)>& evaluate);

// A scalar without quotes: null, a boolean, a number, or a text.
Value yaml_scalar(std::string_view text);

}  // namespace lissom::io::xacro
