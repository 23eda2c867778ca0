#include "recording_options.h"

#include <algorithm>
#include <sstream>

#include "lissom/model/text.h"
#include "output.h"

std::vector<lissom::FrameId> frames_to_record(const lissom::Model& model, const std::string& text) {
  std::vector<lissom::FrameId> frames;
  std::vector<std::string> named;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    if (std::ranges::find(named, name) != named.end())
      throw lissom::Error("--record-frames: " + lissom::in_quotes(name) + " is given twice");
    try {
      frames.push_back(model.frame(name));
    } catch (const lissom::Error& error) {
      throw lissom::Error(std::string("--record-frames: ") + error.what());
    }
    named.push_back(name);
  }
  return frames;
}

lissom::recording::RecorderOptions RecordedRos::options(const lissom::Model& model) const {
  try {
    return lissom::recording::with_ros_topics({}, model, text, package_paths);
  } catch (const lissom::Error& error) {
    throw lissom::Error(std::string("--record-ros: ") + error.what());
  }
}

void print_notes(const lissom::recording::Recorder& recorder) {
  for (const auto& note : recorder.notes()) complain("note: " + note);
}
