#include "lissom/model/same_description.h"

#include "lissom/model/same_members.h"

namespace lissom {

bool same_description(const Description& a, const Description& b) {
  return members::same(a, b);
}

}  // namespace lissom
