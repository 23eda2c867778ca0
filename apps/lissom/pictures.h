#pragma once
// Pictures and videos of a scene, rendered by a browser without a window.
#include <optional>
#include <string>

#include "lissom/view/scene.h"

struct PictureOptions {
  std::string file;  // .png, .gif, .webp, .mp4 or .webm
  int width = 1280, height = 720;
  double fps = 30, speed = 1;      // pictures per second of the video, seconds of the run per second of the video
  std::optional<double> from, to;  // s; default: the whole run; of a .png, `from`, or the beginning
  std::string camera = "home", theme = "light";
  bool quiet = false;
};

// Throws an Error if the name has another ending, or a size is odd for a video.
void check(const PictureOptions& options);
// Renders, and writes the file. `seconds`: length of the run, and when it begins. Returns the number of pictures: 0 if
// Ctrl-C has ended it before they were complete.
// Throws an Error if no browser is installed, or, for videos, no ffmpeg; or if rendering fails.
long render(lissom::view::Scene scene, double begin, double seconds, const PictureOptions& options);
