#pragma once
// Contacts, which stances and control share.
#include "calls.h"
#include "items.h"
#include "lissom/constraints/contact.h"

LISSOM_ENUM(lissom::ContactKind, "point", "surface", "fixed", "sliding")

namespace lissom::python {

template <>
inline constexpr bool fields_in_place<Contact> = true;

}  // namespace lissom::python
