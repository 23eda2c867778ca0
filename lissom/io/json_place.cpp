#include "lissom/io/json_place.h"

#include <filesystem>

#include "lissom/files/json_line.h"
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

// The line is looked up in the file, which is read again: values do not know where they came from.
void JsonPlace::fail(const std::string& what) const {
  std::string text, line;
  std::error_code ignored;
  if (!at.empty() && std::filesystem::is_regular_file(file, ignored) && !read_bytes(file, limits::json_bytes, text))
    if (const int found = json_line(text, at); found > 0) line = std::to_string(found) + ": ";
  throw Error(printable(file) + ":" + (line.empty() ? " " : line) + printable(shortened(at, 200)) +
              (at.empty() ? "" : ": ") + what);
}

}  // namespace lissom
