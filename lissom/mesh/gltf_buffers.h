#pragma once
// The file format of glTF (JSON, or the chunks of .glb), its buffers, and the numbers in them. Not installed.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/files/json_text.h"
#include "lissom/mesh/reading.h"

namespace lissom::mesh {

// The list of this name; an empty one if there is none.
const nlohmann::json& list_in(const nlohmann::json& object, const char* name);
// A number that may be an index or a size; nothing if it is something else.
std::optional<std::size_t> as_index(const nlohmann::json& value);
std::optional<std::size_t> index_in(const nlohmann::json& object, const char* name);

bool refuse_compressed(Reading& reading, const std::string& extension);

class GltfBuffers {
 public:
  explicit GltfBuffers(Reading& reading) : reading_(reading) {}

  // Takes the file apart; then document() is there.
  bool read_container();
  const nlohmann::json& document() const { return document_; }

  // Adds the positions of an accessor to the vertices of the mesh.
  bool read_positions(std::size_t accessor);
  // Adds the indices of an accessor to the list.
  bool read_indices(std::size_t accessor, std::vector<std::int64_t>& indices);

 private:
  struct View {
    std::string_view bytes;  // from the first element on
    std::size_t count = 0, stride = 0, component_type = 0;
    bool normalized = false;
  };

  bool wrong(const std::string& message);
  bool truncated(const std::string& message);
  bool find(std::size_t accessor, std::size_t components, View& view);
  bool buffer(std::size_t index, std::string_view& bytes);
  bool load(const nlohmann::json& entry, std::size_t index, std::string& bytes);
  bool load_file(const std::string& uri, std::string& bytes);

  Reading& reading_;
  nlohmann::json document_;
  std::string_view binary_chunk_;
  std::vector<std::optional<std::string>> loaded_;
  std::size_t bytes_of_files_ = 0;
};

}  // namespace lissom::mesh
