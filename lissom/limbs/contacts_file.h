#pragma once
// The contacts of a robot in a small JSON file beside it: ROBOT.contacts.json (docs/contacts-file.md).
#include "lissom/limbs/limb_contact.h"

namespace lissom {

/// The file in which the contacts of a robot are looked for: robot.contacts.json beside robot.urdf.
std::string contacts_file_of(const std::string& robot_file);

/// Reads contacts. Throws an Error that names the file, the path in it, what was found and what was expected.
RobotContacts read_contacts(const Description& robot, const std::string& path);
/// As text that read_contacts() reads.
std::string contacts_to_json(const Description& robot, const RobotContacts& contacts);
/// Writes them to a file. Throws an Error if that is not possible.
void write_contacts(const Description& robot, const RobotContacts& contacts, const std::string& path);

}  // namespace lissom
