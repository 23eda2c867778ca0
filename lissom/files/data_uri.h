#pragma once
// Files inside of a text: "data:model/obj;name=wedge;base64,…" (RFC 2397). A mesh or a height field that a robot's file
// gives number by number has no file of its own; its Shape has such an address in the place of a path.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lissom {

/// Base64 with padding.
std::string to_base64(std::string_view bytes);
/// Bytes of base64, also of the variant for addresses. False if there is something else; blanks are not allowed.
bool decode_base64(std::string_view text, std::string& bytes);

bool is_data_uri(std::string_view path);
/// `name` says what it is, for messages and for names of files; empty: nothing.
std::string to_data_uri(std::string_view media_type, std::string_view name, std::string_view bytes);
/// Its content; nothing if it is no data URI in base64.
std::optional<std::string> data_uri_bytes(std::string_view uri);
/// "model/obj"; empty if it is no data URI.
std::string_view data_uri_media_type(std::string_view uri);
/// The name that it was made with; empty if it has none.
std::string data_uri_name(std::string_view uri);

}  // namespace lissom
