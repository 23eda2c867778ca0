#include "pictures.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "browser.h"
#include "interrupt.h"
#include "lissom/view/server.h"
#include "progress.h"

namespace {

using lissom::Error;
using Clock = std::chrono::steady_clock;

std::string ending_of(const std::string& file) {
  return std::filesystem::path(file).extension().string();
}

// What arrives from the page. The server's thread writes it.
struct Arrived {
  std::mutex mutex;
  long pictures = 0;
  bool done = false;
  std::string error;
  Clock::time_point last = Clock::now();
};

// Seconds without a picture after which the browser is given up. The first one takes longest.
constexpr int render_timeout = 60;

// Returns false if Ctrl-C ends it.
bool wait(Arrived& arrived, HeadlessBrowser& browser, long expected, bool quiet) {
  Progress progress(quiet);
  for (;;) {
    {
      const std::lock_guard lock(arrived.mutex);
      if (!arrived.error.empty()) throw Error(arrived.error);
      if (arrived.done) return true;
      if (Clock::now() - arrived.last > std::chrono::seconds(render_timeout))
        throw Error(fmt::format("the browser has rendered no picture for {} s, after {} of {}", render_timeout,
                                arrived.pictures, expected));
      progress.show(double(arrived.pictures) / double(expected), fmt::format("{} pictures", arrived.pictures));
    }
    if (!browser.running()) throw Error("the browser that renders the pictures has ended unexpectedly");
    if (interrupted()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void encode(const TemporaryFolder& folder, const PictureOptions& o) {
  const auto ending = ending_of(o.file);
  std::vector<std::string> words{"ffmpeg", "-y",      "-loglevel", "error", "-framerate", fmt::format("{}", o.fps),
                                 "-i",     "%06d.png"};
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  // A palette of its own for each GIF; dithering by rows keeps areas calm that do not change.
  if (ending == ".gif")
    add({"-vf",
         "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle",
         "-loop", "0"});
  if (ending == ".webp") add({"-c:v", "libwebp_anim", "-quality", "75", "-loop", "0"});
  if (ending == ".mp4") add({"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart"});
  if (ending == ".webm") add({"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "30", "-b:v", "0"});
  const auto made = "made" + ending;
  words.push_back(made);
  if (run_program(folder, words,
                  "--video: ffmpeg was not found, which makes videos of pictures; install it (Debian: ffmpeg), or "
                  "write a .png") != 0)
    throw Error("--video: ffmpeg failed: " + text_of(folder / "errors"));
  replace_file(o.file, text_of(folder / made), "--video");
}

}  // namespace

void check(const PictureOptions& o) {
  const auto ending = ending_of(o.file);
  if (ending != ".png" && ending != ".gif" && ending != ".webp" && ending != ".mp4" && ending != ".webm")
    throw Error("--video '" + o.file + "': expected a name that ends with .mp4, .webm, .gif, .webp or .png");
  if ((ending == ".mp4" || ending == ".webm") && (o.width % 2 != 0 || o.height % 2 != 0))
    throw Error(fmt::format("--size {}x{}: videos need an even width and height", o.width, o.height));
}

long render(lissom::view::Scene scene, double begin, double seconds, const PictureOptions& o) {
  const bool single = ending_of(o.file) == ".png";
  const double from = o.from.value_or(begin), to = single ? from : o.to.value_or(begin + seconds);
  if (from < begin || from > begin + seconds || to > begin + seconds + 1e-9)
    throw Error(fmt::format("--from {:.6g} --until {:.6g}: the run goes from {:.6g} s to {:.6g} s", from, to, begin,
                            begin + seconds));
  if (!(to >= from)) throw Error(fmt::format("--until {:.6g} is before --from {:.6g}", to, from));
  const TemporaryFolder folder("pictures");
  Arrived arrived;
  lissom::view::ServerOptions options{.port = 0};
  options.picture = [&](long number, std::string_view png) {
    std::ofstream file(folder / fmt::format("{:06}.png", number), std::ios::binary);
    file.write(png.data(), long(png.size()));
    const std::lock_guard lock(arrived.mutex);
    if (!file.flush()) arrived.error = "cannot write pictures to " + folder.path().string() + "; is the disk full?";
    ++arrived.pictures;
    arrived.last = Clock::now();
  };
  options.pictures_done = [&](const std::string& error) {
    const std::lock_guard lock(arrived.mutex);
    arrived.error = error;
    arrived.done = true;
  };
  const lissom::view::Server server(std::move(scene), options);
  HeadlessBrowser browser(fmt::format("{}&video={}&from={}&to={}&width={}&height={}&view={}&theme={}", server.address(),
                                      o.fps / o.speed, from, to, o.width, o.height, o.camera, o.theme),
                          o.width, o.height);
  if (!wait(arrived, browser, long((to - from) * o.fps / o.speed) + 1, o.quiet)) return 0;
  const std::lock_guard lock(arrived.mutex);
  if (arrived.pictures == 0) throw Error("the page has rendered no picture");
  if (single)
    replace_file(o.file, text_of(folder / "000000.png"), "--video");
  else
    encode(folder, o);
  return arrived.pictures;
}
