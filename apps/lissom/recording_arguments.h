#pragma once
// Shared by the verbs on recordings: reads them, and selects signals and columns by name.
#include <algorithm>
#include <string>
#include <vector>

#include "lissom/recording/read.h"
#include "output.h"
#include "progress.h"

// Reads a recording and prints the reader's warnings on standard error.
inline lissom::recording::Recording read_and_warn(const std::string& path, bool quiet) {
  auto recording = [&] {
    const Waiting waiting(quiet, "reading " + path);
    return lissom::recording::read_recording(path);
  }();
  for (const auto& warning : recording.warnings) complain("warning: " + warning);
  return recording;
}

// Splits "q,v" into q and v, but not a known name that contains a comma.
template <class Known>
std::vector<std::string> split_names(const std::vector<std::string>& words, Known is_known) {
  std::vector<std::string> names;
  for (const auto& word : words) {
    if (is_known(word)) {
      names.push_back(word);
      continue;
    }
    for (std::size_t start = 0; start <= word.size();) {
      const auto comma = std::min(word.find(',', start), word.size());
      if (comma > start) names.push_back(word.substr(start, comma - start));
      start = comma + 1;
    }
  }
  return names;
}

inline std::vector<std::string> signal_names(const std::vector<std::string>& words,
                                             const std::vector<lissom::recording::Recording>& recordings) {
  return split_names(words, [&](const std::string& word) {
    return std::ranges::any_of(recordings, [&](const auto& recording) {
      return std::ranges::any_of(recording.signals, [&](const auto& signal) { return signal.name == word; });
    });
  });
}
