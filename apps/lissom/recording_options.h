#pragma once
// Options of verbs that record: which frames (--record-frames), and messages for other people's viewers (--record-ros).
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lissom/recording/recorder.h"

// What the help says about --record-frames.
inline const std::string record_frames_help = "FRAME,…: also record the positions of the origins of these frames, in m";
// The frames of this text. Throws Error if one is unknown, or given twice.
std::vector<lissom::FrameId> frames_to_record(const lissom::Model& model, const std::string& text);

// Takes the rows of a frame, as a Recorder does.
using FrameSink = std::function<void(double time, std::span<const lissom::recording::Row> rows)>;

// What the help says about --record-ros.
inline const std::string record_ros_help =
    "what .mcap files have for Foxglove, Rerun and ROS besides: all (default), none, or some of description, "
    "joint_states, tf, meshes, separated by commas";

struct RecordedRos {
  std::string text = "all";                // of --record-ros
  std::vector<std::string> package_paths;  // of --packages

  // The options of a recorder of this robot. Throws Error if the text has another form than the help says.
  lissom::recording::RecorderOptions options(const lissom::Model& model) const;
};

// Prints what is missing in a recording on standard error.
void print_notes(const lissom::recording::Recorder& recorder);
