// Recordings, and the numbers that are plotted of them.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "apps/lissom/plot_histogram.h"
#include "apps/lissom/plot_script.h"
#include "lissom/recording/compare.h"
#include "lissom/recording/read.h"
#include "targets.h"

namespace lissom::fuzz {

void recording(std::string_view input) {
  static InputFile file;
  recording::Recording found;
  try {
    found = recording::read_recording(file.write(input));
  } catch (const Error&) {
    return;
  }
  expect(found.values.size() == found.signals.size(), "values for every signal");
  for (std::size_t s = 0; s < found.signals.size(); ++s)
    expect(found.values[s].size() == found.frames() * found.signals[s].columns.size(), "a row for every frame");
  try {
    expect(recording::compare(found, found, {}).alike, "a recording is like itself");
  } catch (const Error&) {
  }
}

// The first byte: one to four lines; the second: as a histogram, or not; then times and values.
void plot(std::string_view input) {
  if (input.size() < 18) return;
  const std::size_t lines = 1 + std::size_t(static_cast<unsigned char>(input[0]) % 4);
  const bool histogram = static_cast<unsigned char>(input[1]) % 2 == 1;
  std::vector<double> numbers((input.size() - 2) / sizeof(double));
  std::memcpy(numbers.data(), input.data() + 2, numbers.size() * sizeof(double));
  const auto n = std::ptrdiff_t(numbers.size() / (lines + 1));
  std::vector<double> times(numbers.begin(), numbers.begin() + n);
  for (auto& t : times)
    if (!std::isfinite(t)) t = 0;  // as recordings have them
  std::sort(times.begin(), times.end());
  Plot plot;
  plot.title = "fuzz";
  PlotPanel panel;
  panel.title = "panel", panel.unit = "1";
  for (std::ptrdiff_t i = 1; i <= std::ptrdiff_t(lines); ++i) {
    PlotLine line;
    line.name = "line", line.times = times;
    line.values.assign(numbers.begin() + n * i, numbers.begin() + n * (i + 1));
    panel.lines.push_back(std::move(line));
  }
  plot.panels.push_back(std::move(panel));
  if (histogram) make_histogram(plot.panels[0]);
  const auto script = script_of(plot);
  for (const char* range : {"range [nan", "range [-nan", "range [inf", "range [-inf"})
    expect(script.find(range) == std::string::npos, "axes have finite ranges");
}

}  // namespace lissom::fuzz
