#include "lissom/bridge/engine.h"

#include "lissom/model/diagnostic.h"

namespace lissom::bridge {

std::vector<std::string> engines() {
  std::vector<std::string> names;
#ifdef LISSOM_WITH_ODE
  names.emplace_back("ode");
#endif
#ifdef LISSOM_WITH_BULLET
  names.emplace_back("bullet");
#endif
  return names;
}

std::unique_ptr<Engine> make_engine(const std::string& name, const Eigen::Vector3d& gravity) {
#ifdef LISSOM_WITH_ODE
  if (name == "ode") return make_ode(gravity);
#endif
#ifdef LISSOM_WITH_BULLET
  if (name == "bullet") return make_bullet(gravity);
#endif
  static_cast<void>(gravity);
  if (name == "ode" || name == "bullet")
    throw Error("lissom was built without " + name + "; install lib" + name + "-dev, configure and build again");
  throw Error("no engine '" + name + "'; engines: ode, bullet");
}

}  // namespace lissom::bridge
