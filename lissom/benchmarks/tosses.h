#pragma once
// Measured tosses of a real cube onto a floor, and how far a simulation of them is from what was seen
// (docs/contact.md). Not installed.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/spatial/pose.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/world/world.h"

namespace lissom::benchmarks {

/// The cube as a camera saw it.
struct TossFrame {
  double time = 0;  ///< s
  Vec3<double> position{0, 0, 0};
  Quaternion<double> rotation{1, 0, 0, 0};
};

struct Toss {
  std::string name;
  std::vector<TossFrame> frames;
  // The state at the first frame, fitted to all frames of the flight before the floor was touched.
  TossFrame start;
  Vec3<double> velocity{0, 0, 0};          ///< of the cube's geometric center, along the world's axes
  Vec3<double> angular_velocity{0, 0, 0};  ///< along the cube's axes
};

/// Reads tosses.csv.gz and starts.csv of a folder. Both have a line of column names; the columns may come in any order,
/// and others are not read. Throws an Error that names the file and the line.
std::vector<Toss> read_tosses(const std::string& folder);
/// The same from the unpacked texts of the two files.
std::vector<Toss> parse_tosses(const std::string& folder, std::string_view frames, std::string_view starts);

/// The cube, its floor, and how they touch. Mass, inertia, center of mass, edge length and gravity are those that the
/// flight of the cube says; the others were fitted to 285 tosses (bench/tosses/fit.cpp).
struct TossParameters {
  double mass = .37, moment_of_inertia = 8.1e-4;  ///< kg, kg m²
  Vec3<double> com{0, .2e-3, 5.1e-3};             ///< of the cube's frame, m
  double half_width = 51.3e-3;                    ///< m
  double gravity = 9.60;                          ///< m/s²
  double rounding = 7.06e-3;                      ///< of the edges, m
  double friction = .2134, impact_friction = .1641, restitution = .2017;
  int steps_per_frame = 7;
};

struct TossError {
  double position = 0;  ///< m, mean over the frames
  double rotation = 0;  ///< rad, mean over the frames
  long steps = 0;
  double seconds = 0;  ///< that World::step took
};

/// Simulates a toss from its start to its last frame. If `seen` is given, it gets the simulated frames.
TossError simulate(const Toss& toss, const TossParameters& parameters = {}, std::vector<TossFrame>* seen = nullptr);

/// The mean over all tosses, each counted once. `after` is called after each toss, if it is given; what it throws ends
/// the run.
TossError mean_error(const std::vector<Toss>& tosses, const TossParameters& parameters = {},
                     const std::function<void()>& after = {});

}  // namespace lissom::benchmarks
