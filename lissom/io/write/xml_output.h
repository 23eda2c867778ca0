#pragma once
// Numbers, vectors and poses as attributes of XML. Not installed.
#include <span>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "lissom/model/per_dof.h"
#include "lissom/spatial/pose.h"

namespace lissom::io::write {

// The shortest decimal number that is read as the same double: 0.1, 1e-09, inf.
std::string number_text(double number);
std::string numbers_text(std::span<const double> numbers);
std::string numbers_text(const Vec3<double>& v);

pugi::xml_node add(pugi::xml_node parent, const char* tag);
// <tag>text</tag>
pugi::xml_node add_text(pugi::xml_node parent, const char* tag, const std::string& text);

void put(pugi::xml_node node, const char* name, std::string_view text);
void put(pugi::xml_node node, const char* name, const char* text);
void put(pugi::xml_node node, const char* name, double number);
void put(pugi::xml_node node, const char* name, const Vec3<double>& v);
void put(pugi::xml_node node, const char* name, const PerDof& values);
// Only if it differs from what is understood without it.
void put_unless(double usual, pugi::xml_node node, const char* name, double number);
void put_unless(double usual, pugi::xml_node node, const char* name, const PerDof& values);

// Roll, pitch and yaw about fixed axes with R = R_z(yaw) R_y(pitch) R_x(roll), accurate to rounding also where the
// pitch is ±π/2; yaw is 0 there.
Vec3<double> rpy_of(const Mat3<double>& R);
bool is_identity(const Mat3<double>& R);
bool is_identity(const Pose<double>& X);
// xyz and rpy, each only if it is not zero.
void put_pose(pugi::xml_node node, const Pose<double>& X);

// The document, indented by two blanks.
std::string text_of(const pugi::xml_document& document);

}  // namespace lissom::io::write
