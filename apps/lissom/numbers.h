#pragma once
// Reads numbers from the command line, "0.4,0.1,0.9", and pushes, "60,0,0@chest@1:1.2"; writes ranges.
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/vec3.h"

// For options that take a number of 64 bits: returns what is wrong with the text, or an empty string. (By itself, CLI11
// takes the largest number for any that is larger.)
std::string whole_number(const std::string& text);

// Reads numbers separated by commas. Throws Error that names the option if the text is not such a list, or has not
// `expected` numbers (0: any count).
std::vector<double> numbers_of(const std::string& option, const std::string& text, std::size_t expected = 0);
lissom::Vec3<double> vec3_of(const std::string& option, const std::string& text);
Eigen::VectorXd vector_of(const std::string& option, const std::string& text, int expected);

// "-90 … 90 °", "from -90 °", "up to 90 °"; empty if there is no limit.
std::string range_text(double lower, double upper, const char* unit);

// The parts of FORCE@FRAME or FORCE@FRAME@FROM:UNTIL. The verb parses FORCE; errors quote `expected`, its whole syntax.
struct PushText {
  std::string force, frame;
  struct Interval {
    double from, until;  // s
  };
  std::optional<Interval> interval;
};
PushText push_text(const std::string& text, const std::string& expected);
