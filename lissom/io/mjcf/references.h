#pragma once
// Names in sections such as <equality>: they may have the prefix of an attached model, or stand for all replicas of an
// element. Not for users.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {

// An element of a section, for one of the replicas that it refers to.
struct Reference {
  const ModelPart& model;
  Reading& reading;
  std::string suffix;  // of the replica

  // The entry that an attribute names; null if there is none. A name without suffix may be outside of <replicate>.
  template <class Map>
  typename Map::const_pointer find(std::string_view written, const Map& map) const {
    const std::string name = model.prefix + std::string(written) + model.suffix;
    auto found = map.find(name + suffix);
    if (found == map.end()) found = map.find(name);
    if (found == map.end() && written == world_link) found = map.find(std::string(written));
    return found == map.end() ? nullptr : &*found;
  }
  // The same; a missing entry is a finding, "there is no KIND 'NAME'": a note where only a part of the model is
  // attached, otherwise an error.
  template <class Map>
  typename Map::const_pointer expect(const Element& element, const char* attribute, const char* kind,
                                     const Map& map) const {
    const std::string_view written = element.text(attribute);
    const auto* found = find(written, map);
    if (found) return found;
    if (!model.complete) {
      reading.report.count(Severity::note, "attach-left-out", element.line(), element.subject(),
                           "it refers to the " + std::string(kind) + " " + in_quotes(written) +
                               ", which is not part of what is attached of its model; it is left out",
                           "none needed, if it is not used; otherwise attach the whole model", "attach-left-out");
      return nullptr;
    }
    const std::string suggestion = reading.suggest(written, map);
    element.error(std::string(kind) + "-unknown", "there is no " + std::string(kind) + " " + in_quotes(written),
                  suggestion.empty() ? "name an existing " + std::string(kind) : suggestion);
    return nullptr;
  }
  // The name that an element of the section gets.
  std::string name_of(std::string_view written) const {
    return written.empty() ? std::string() : model.prefix + std::string(written) + model.suffix + suffix;
  }
};

// The suffixes of the replicas that a name stands for; one empty suffix if it exists itself.
template <class Map>
std::vector<std::string> replicas_of(std::string_view written, const Map& map, const ModelPart& model,
                                     const Reading& reading) {
  const std::string name = model.prefix + std::string(written) + model.suffix;
  std::vector<std::string> found;
  if (!written.empty() && !map.contains(name) && reading.replicas.size() <= limits::mjcf_replicas)
    for (const auto& suffix : reading.replicas)
      if (map.contains(name + suffix)) found.push_back(suffix);
  if (found.empty()) found.emplace_back();
  return found;
}

}  // namespace lissom::io::mjcf
