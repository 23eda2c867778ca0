#pragma once
// Findings as JSON.
#include <nlohmann/json.hpp>

#include "lissom/model/diagnostic.h"

inline nlohmann::json to_json(const lissom::Diagnostic& d) {
  return {{"severity", to_string(d.severity)},
          {"code", d.code},
          {"file", d.file},
          {"line", d.line},
          {"subject", d.subject},
          {"message", d.message},
          {"remedy", d.remedy}};
}
