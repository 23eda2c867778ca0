#include "lissom/recording/ros2_topics.h"

#include <cmath>

#include "lissom/api/unchecked.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "lissom/recording/cdr.h"
#include "lissom/recording/header.h"
#include "lissom/recording/header_json.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::recording {
namespace {

#define LISSOM_ROS_LINE "================================================================================\n"
constexpr const char* header_text = LISSOM_ROS_LINE
    "MSG: std_msgs/Header\n"
    "builtin_interfaces/Time stamp\n"
    "string frame_id\n" LISSOM_ROS_LINE
    "MSG: builtin_interfaces/Time\n"
    "int32 sec\n"
    "uint32 nanosec\n";
constexpr const char* joint_state_text =
    "std_msgs/Header header\n"
    "string[] name\n"
    "float64[] position\n"
    "float64[] velocity\n"
    "float64[] effort\n";
constexpr const char* transforms_text = "geometry_msgs/TransformStamped[] transforms\n" LISSOM_ROS_LINE
                                        "MSG: geometry_msgs/TransformStamped\n"
                                        "std_msgs/Header header\n"
                                        "string child_frame_id\n"
                                        "geometry_msgs/Transform transform\n" LISSOM_ROS_LINE
                                        "MSG: geometry_msgs/Transform\n"
                                        "geometry_msgs/Vector3 translation\n"
                                        "geometry_msgs/Quaternion rotation\n" LISSOM_ROS_LINE
                                        "MSG: geometry_msgs/Vector3\n"
                                        "float64 x\n"
                                        "float64 y\n"
                                        "float64 z\n" LISSOM_ROS_LINE
                                        "MSG: geometry_msgs/Quaternion\n"
                                        "float64 x\n"
                                        "float64 y\n"
                                        "float64 z\n"
                                        "float64 w\n";
#undef LISSOM_ROS_LINE

template <class T>
void put_at(std::string& message, std::size_t offset, const T& value) {
  std::memcpy(message.data() + offset, &value, sizeof(T));
}

// A builtin_interfaces/Time; its seconds end after 68 years.
void put_stamp(std::string& message, std::size_t offset, std::uint64_t nanoseconds) {
  constexpr std::uint64_t second = 1'000'000'000, max_seconds = 0x7fff'ffff;
  const std::uint64_t seconds = nanoseconds / second;
  put_at(message, offset, std::int32_t(std::min(seconds, max_seconds)));
  put_at(message, offset + 4, std::uint32_t(seconds > max_seconds ? second - 1 : nanoseconds % second));
}

// Index of the signal with this name and these columns, whatever their units; signals.size() if there is none.
std::size_t find_signal(const std::vector<Signal>& signals, std::string_view name, const std::vector<Column>& columns) {
  for (std::size_t s = 0; s < signals.size(); ++s)
    if (signals[s].name == name && std::ranges::equal(signals[s].columns, columns, {}, &Column::name, &Column::name))
      return s;
  return signals.size();
}

void check_topics(const std::vector<Signal>& signals, const std::vector<mcap::Channel>& channels,
                  const RosTopics& ros) {
  if (!(ros.max_rate > 0) || !std::isfinite(ros.max_rate))
    throw Error("options.ros.max_rate is " + to_text(ros.max_rate) + " Hz, expected a positive number");
  if (signals.size() + channels.size() > limits::recording_signals)
    throw Error("signals has " + std::to_string(signals.size()) + " elements, expected at most " +
                std::to_string(limits::recording_signals - channels.size()) + " beside the ROS topics");
  for (const auto& channel : channels)
    for (const auto& signal : signals)
      if (signal.name == channel.topic)
        throw Error("a signal is called " + in_quotes(signal.name) +
                    ", which is a ROS topic of this recording; choose another name, or switch off options.ros");
}

constexpr double quaternion_tolerance = 0.1;  // of the norm; what is further away is no orientation

bool normalize_quaternion(double* q) {
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(std::abs(norm - 1) < quaternion_tolerance)) return false;
  for (int i = 0; i < 4; ++i) q[i] /= norm;
  return true;
}

}  // namespace

Ros2Topics::Ros2Topics(const Header& header, const std::vector<Signal>& signals, const RecorderOptions& options,
                       const std::vector<MeshFile>& meshes)
    : period_(1 / options.ros.max_rate), model_(options.robot) {
  if (!model_) return;
  q_ = find_signal(signals, "q", configuration_columns(*model_));
  if ((options.ros.joint_states || options.ros.tf) && q_ == signals.size())
    throw Error(
        "options.robot is given, but no signal 'q' has the elements of its configuration; record q, or switch "
        "off options.ros.joint_states and options.ros.tf");
  if (options.ros.description && !header.robot_text.empty()) {
    description_ = add({"/robot_description", "std_msgs/msg/String", "string data\n", {}});
    CdrWriter(messages_.back()).text(in_utf8(with_paths(header.robot_text, meshes)));
  }
  if (options.ros.joint_states) add_joint_states(*model_, signals);
  if (options.ros.tf) add_transforms(*model_);
  check_topics(signals, channels_, options.ros);
}

int Ros2Topics::add(mcap::Channel channel) {
  channels_.push_back(std::move(channel));
  messages_.emplace_back();
  return int(channels_.size()) - 1;
}

void Ros2Topics::add_joint_states(const Model& model, const std::vector<Signal>& signals) {
  joint_states_ = add({"/joint_states", "sensor_msgs/msg/JointState", joint_state_text + std::string(header_text), {}});
  const auto columns = velocity_columns(model);
  v_ = find_signal(signals, "v", columns);
  tau_ = find_signal(signals, "tau", columns);
  CdrWriter message(messages_.back());
  message.number(std::uint64_t{0});  // the stamp, which is aligned to four bytes and lies at zero
  message.text("");
  std::vector<std::string_view> names;
  for (const auto& joint : model.joints()) {
    if (joint_traits(joint.type).nq() != 1) continue;
    const auto& leader = joint.follows ? model.joints()[std::size_t(joint.follows->joint)] : joint;
    joints_.push_back({leader.q_index, leader.v_index, joint.follows ? joint.follows->ratio : 1,
                       joint.follows ? joint.follows->offset : 0, !joint.follows});
    names.push_back(joint.name);
  }
  message.number(std::uint32_t(names.size()));
  for (const auto& name : names) message.text(name);
  positions_ = message.zeros(joints_.size());
  velocities_ = message.zeros(v_ < signals.size() ? joints_.size() : 0);
  efforts_ = message.zeros(tau_ < signals.size() ? joints_.size() : 0);
}

void Ros2Topics::add_transforms(const Model& model) {
  tf_ = add({"/tf", "tf2_msgs/msg/TFMessage", transforms_text + std::string(header_text), {}});
  CdrWriter message(messages_.back());
  message.number(std::uint32_t(model.links().size()));
  for (const auto& link : model.links()) {
    const auto parent = link.joint < 0 ? world_frame : model.frame(model.joints()[std::size_t(link.joint)].parent);
    Transform transform{parent.index, model.frame(link.name).index, 0, 0};
    transform.offset = message.number(std::int32_t{0});
    message.number(std::uint32_t{0});
    message.text(in_utf8(model.frames()[std::size_t(parent.index)].name));
    message.text(in_utf8(link.name));
    transform.values = message.number(0.0);
    for (int i = 1; i < 7; ++i) message.number(0.0);
    transforms_.push_back(transform);
  }
  work_.emplace(model);
  poses_.resize(model.frames().size());
  configuration_.resize(std::size_t(model.nq()));
}

// Messages are due at multiples of the period after the first one, and come with the first frame after that.
bool Ros2Topics::is_due(double time) {
  constexpr double rounding = 1e-6;  // of the period
  if (started_ && time < next_ - rounding * period_) return false;
  if (!started_) start_ = time;
  started_ = true;
  next_ = start_ + (std::floor((time - start_) / period_ + rounding) + 1) * period_;
  return true;
}

unsigned Ros2Topics::update(double time, std::uint64_t nanoseconds, std::span<const Row> rows) {
  unsigned present = !started_ && description_ >= 0 ? 1U << description_ : 0;
  if (!model_ || !is_due(time)) return present;
  if (joint_states_ >= 0) {
    fill_joint_states(nanoseconds, rows);
    present |= 1U << joint_states_;
  }
  if (tf_ >= 0 && fill_transforms(nanoseconds, rows[q_].values())) present |= 1U << tf_;
  return present;
}

void Ros2Topics::fill_joint_states(std::uint64_t nanoseconds, std::span<const Row> rows) {
  auto& message = messages_[std::size_t(joint_states_)];
  put_stamp(message, mcap::cdr_head.size(), nanoseconds);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const auto& joint = joints_[k];
    const auto q = std::size_t(joint.q_index), v = std::size_t(joint.v_index);
    put_at(message, positions_ + k * sizeof(double), joint.ratio * rows[q_].values()[q] + joint.offset);
    if (v_ < rows.size()) put_at(message, velocities_ + k * sizeof(double), joint.ratio * rows[v_].values()[v]);
    if (tau_ < rows.size())
      put_at(message, efforts_ + k * sizeof(double), joint.has_motor ? rows[tau_].values()[v] : 0.0);
  }
}

bool Ros2Topics::fill_transforms(std::uint64_t nanoseconds, std::span<const double> q) {
  // What is no configuration is recorded as a signal, but no viewer could show it.
  for (const double x : q)
    if (!std::isfinite(x)) return false;
  std::ranges::copy(q, configuration_.begin());
  for (const int at : model_->quaternions())
    if (!normalize_quaternion(configuration_.data() + at)) return false;
  Unchecked kernels(*model_, *work_);
  kernels.placements(configuration_.data());
  for (std::size_t k = 0; k < poses_.size(); ++k) {
    const auto& frame = model_->frames()[k];
    poses_[k] = kernels.pose(frame.body) * frame.placement;
  }
  auto& message = messages_[std::size_t(tf_)];
  for (const auto& transform : transforms_) {
    const auto X = inverse(poses_[std::size_t(transform.parent)]) * poses_[std::size_t(transform.child)];
    const auto r = quaternion_of(X.R);
    put_stamp(message, transform.offset, nanoseconds);
    put_at(message, transform.values, std::array{X.p.x, X.p.y, X.p.z, r.x, r.y, r.z, r.w});
  }
  return true;
}

}  // namespace lissom::recording
