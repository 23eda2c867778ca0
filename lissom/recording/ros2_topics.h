#pragma once
// What other people's viewers need to show the robot: its description, joint states and transforms, as ROS 2 messages
// (RosTopics). All messages of a topic have the same size: they are made once, and their numbers are replaced. Not for
// users.
#include <array>

#include "lissom/api/workspace.h"
#include "lissom/recording/mcap_records.h"
#include "lissom/recording/recorder.h"
#include "lissom/recording/robot_meshes.h"

namespace lissom::recording {

class Ros2Topics {
 public:
  // Without options.robot, there are no topics. Throws an Error if the signals do not have the configuration of the
  // robot, or if one of them is called like a topic.
  Ros2Topics(const Header& header, const std::vector<Signal>& signals, const RecorderOptions& options,
             const std::vector<MeshFile>& meshes);

  const std::vector<mcap::Channel>& channels() const { return channels_; }
  // The messages that go with a frame: bit k for channel k. Allocates nothing.
  unsigned update(double time, std::uint64_t nanoseconds, std::span<const Row> rows);
  // The data of the latest message of a channel.
  std::string_view message(std::size_t channel) const { return messages_[channel]; }
  // Whether a channel has one message only, with the first frame.
  bool once(std::size_t channel) const { return int(channel) == description_; }

 private:
  // A joint with one coordinate: ratio · q[q_index] + offset.
  struct JointState {
    int q_index, v_index;
    double ratio, offset;
    bool has_motor;  // a follower has none of its own
  };
  struct Transform {
    int parent, child;   // frames of the model
    std::size_t offset;  // of its time in the message
    std::size_t values;  // of its position and quaternion
  };

  int add(mcap::Channel channel);
  void add_joint_states(const Model& model, const std::vector<Signal>& signals);
  void add_transforms(const Model& model);
  bool is_due(double time);
  void fill_joint_states(std::uint64_t nanoseconds, std::span<const Row> rows);
  // Returns whether q is a configuration.
  bool fill_transforms(std::uint64_t nanoseconds, std::span<const double> q);

  std::vector<mcap::Channel> channels_;
  std::vector<std::string> messages_;
  int description_ = -1, joint_states_ = -1, tf_ = -1;  // channels; -1: none
  std::size_t q_ = 0, v_ = 0, tau_ = 0;                 // signals; as many as there are signals: none
  double period_ = 0, start_ = 0, next_ = 0;
  bool started_ = false;

  std::vector<JointState> joints_;
  std::size_t positions_ = 0, velocities_ = 0, efforts_ = 0;  // in the message

  std::optional<Model> model_;
  std::optional<Workspace> work_;
  std::vector<Transform> transforms_;
  std::vector<Pose<double>> poses_;  // of the frames
  std::vector<double> configuration_;
};

}  // namespace lissom::recording
