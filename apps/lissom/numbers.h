#pragma once
// Numbers on the command line: "0.4,0.1,0.9"; and a push, "60,0,0@chest@1:1.2".
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/vec3.h"

// Error that names the option where the text is no list of numbers, or not `expected` of them (0: any).
std::vector<double> numbers_of(const std::string& option, const std::string& text, std::size_t expected = 0);
lissom::Vec3<double> vec3_of(const std::string& option, const std::string& text);
Eigen::VectorXd vector_of(const std::string& option, const std::string& text, int expected);

// FORCE@FRAME or FORCE@FRAME@FROM:UNTIL, taken apart; what FORCE may be is the verb's, and said in `expected`.
struct PushText {
  std::string force, frame;
  struct Span {
    double from, until;
  };
  std::optional<Span> span;
};
PushText push_text(const std::string& text, const std::string& expected);
