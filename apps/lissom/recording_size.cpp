#include "recording_size.h"

#include <filesystem>

#include <fmt/format.h>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

void check_recording_size(const std::string& path, double bytes, double frames, std::optional<double> max_gigabytes) {
  const double gigabytes = 1e-9 * bytes;
  const auto refuse = [&](const std::string& why) {
    throw lissom::Error(
        fmt::format("--record {}: {:.3g} frames would take about {:.3g} GB, {}; record fewer of them with --every, or "
                    "allow it with --max-size {:.3g}",
                    lissom::in_quotes(path), frames, gigabytes, why, 1.1 * gigabytes));
  };
  if (max_gigabytes) {
    if (gigabytes > *max_gigabytes) refuse(fmt::format("more than --max-size {:g}", *max_gigabytes));
    return;
  }
  if (gigabytes > default_max_gigabytes) refuse(fmt::format("more than {:g} GB", default_max_gigabytes));
  std::error_code error;
  const auto folder = std::filesystem::path(path).parent_path();
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, error);
  if (!error && gigabytes > 1e-9 * double(space.available))
    refuse(fmt::format("and the disk has {:.3g} GB left", 1e-9 * double(space.available)));
}
