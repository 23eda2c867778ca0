#include "lissom/io/json_place.h"

#include "lissom/files/read_bytes.h"
#include "lissom/model/limits.h"

namespace lissom {

nlohmann::json read_json(const std::string& path) {
  std::string text;
  if (const auto problem = read_bytes(path, limits::json_bytes, text))
    throw Error(printable(path) + ": cannot be read: " + problem->message + "; " + problem->remedy);
  try {
    return parse_json<nlohmann::json>(text, JsonComments::accept);
  } catch (const Error& error) {
    throw Error(printable(path) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw Error(printable(path) + ": there is not enough memory for its content");
  }
}

}  // namespace lissom
