#pragma once
// Writes files that are complete or not there. Not installed.
#include <string>
#include <string_view>

namespace lissom {

// What a symbolic link points at, also if that does not exist; any other path is returned as it is.
std::string link_target(const std::string& path);

// Why no file may take the place of what is there: it is a device, a pipe or a directory. Empty where one may.
std::string not_replaceable(const std::string& path);

// Writes the bytes under another name in the same folder, and then renames the file, so that processes which do the
// same at the same time do not disturb each other. A symbolic link stays: the file that it points at is replaced. What
// is not_replaceable stays. Returns why it could not be written; empty where it was.
// `mode`: the permissions of a new file, from which the user's mask is taken away.
std::string replace_file(const std::string& path, std::string_view bytes, unsigned mode = 0666);

}  // namespace lissom
