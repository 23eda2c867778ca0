#pragma once
// Contacts as Python sees them; simulation, control and stances share them.
#include "lissom/constraints/contact.h"
#include "records.h"

LISSOM_ENUM(lissom::ContactKind, "point", "surface", "fixed", "sliding")

namespace lissom::python {
LISSOM_PYTHON_TYPE(Contact, "Contact")
}  // namespace lissom::python
