#pragma once
// Contacts, which stances and control share.
#include "calls.h"
#include "items.h"
#include "lissom/constraints/contact.h"

LISSOM_ENUM(lissom::ContactKind, "point", "surface", "fixed", "sliding")

namespace lissom::python {

template <>
inline constexpr bool fields_in_place<Contact> = true;

/// Contacts, or names of frames whose contacts have the defaults, or the feet of RobotContacts.
std::vector<Contact> contacts_of(nb::handle contacts, const char* name = "contacts");

}  // namespace lissom::python
