#pragma once
// Reads numbers from the command line, "0.4,0.1,0.9"; writes ranges.
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/vec3.h"

// Reads numbers separated by commas. Throws Error that names the option if the text is not such a list, or has not
// `expected` numbers (0: any count).
std::vector<double> numbers_of(const std::string& option, const std::string& text, std::size_t expected = 0);
lissom::Vec3<double> vec3_of(const std::string& option, const std::string& text);
Eigen::VectorXd vector_of(const std::string& option, const std::string& text, int expected);

// "-90 … 90 °", "from -90 °", "up to 90 °"; empty if there is no limit.
std::string range_text(double lower, double upper, const char* unit);
