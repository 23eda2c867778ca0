#include "plot_histogram.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lissom/math/quantile.h"
#include "lissom/model/text.h"

namespace {

using lissom::quantile;

constexpr double tail = .001, max_widening = .05, far = 3;
constexpr double min_bins = 30, max_bins = 120;

// Returns where a tail may be cut: at the quantile of 99.9 % (fraction = 0.999), or before it if that lies more than
// `far` times as far from the median as the quantile of 99 %; likewise for the lower tail.
double end_of(const std::vector<double>& sorted, double fraction) {
  const double end = quantile(sorted, fraction), median = quantile(sorted, .5);
  const double near = quantile(sorted, fraction > .5 ? .99 : .01) - median;
  if (near == 0) return end;
  return near > 0 ? std::min(end, median + far * near) : std::max(end, median + far * near);
}

// Rounds up to 1, 2 or 5 times a power of ten.
double round_width(double min_width) {
  const double power = std::pow(10, std::floor(std::log10(min_width)));
  for (const double digit : {1., 2., 5.})
    if (digit * power >= min_width * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

struct Bins {
  double first = 0, width = 1;
  int count = 1;
  double edge(int i) const { return first + i * width; }
  // A value on an edge, up to rounding, belongs to the bin above it.
  int at(double x) const { return std::clamp(int(std::floor((x - first) / width + 1e-9)), 0, count - 1); }
};

// Bins with Freedman and Diaconis' width 2 (q₃ - q₁) / ∛n of the narrowest line, rounded, between min_bins and max_bins
// of them. If all values are integers, they lie in the middle of their bins.
Bins bins_of(const std::vector<std::vector<double>>& lines, double low, double high) {
  double width = HUGE_VAL;
  bool integers = true;
  for (const auto& x : lines) {
    if (x.empty()) continue;
    const double spread = quantile(x, .75) - quantile(x, .25);
    if (spread > 0) width = std::min(width, 2 * spread / std::cbrt(double(x.size())));
    // (Beyond 2^53 every number is an integer, and a bin of width 1 is empty.)
    integers = integers && std::ranges::all_of(
                               x, [](double value) { return value == std::floor(value) && std::abs(value) < 1e15; });
  }
  const double size = std::max({std::abs(low), std::abs(high), 1e-290});  // (bins of denormal widths have no edges)
  Bins bins;
  if (integers) {
    bins.width = round_width(std::max(1., (high - low) / max_bins));
    bins.first = bins.width * std::floor(low / bins.width) - .5;
  } else if (high - low <= 1e-12 * size) {
    bins.width = round_width(.01 * size);
    bins.first = low - bins.width / 2;
  } else {
    const double range = high - low;
    bins.width = round_width(std::clamp(width, range / max_bins, range / min_bins));
    bins.first = bins.width * std::floor(low / bins.width + 1e-9);
  }
  bins.count = std::max(1, int(std::floor((high - bins.first) / bins.width + 1e-9)) + 1);
  return bins;
}

// Sets the line to the outline of the histogram's bars.
void set_outline(PlotLine& line, const Bins& bins, const std::vector<double>& sorted, double low, double high) {
  std::vector<double> percentages(std::size_t(bins.count), 0.0);
  for (const double x : sorted)
    if (x >= low && x <= high) percentages[std::size_t(bins.at(x))] += 100.0 / double(sorted.size());
  line.times.assign({bins.edge(0)});
  line.values.assign({0});
  for (int i = 0; i < bins.count; ++i)
    for (const int side : {0, 1}) {
      line.times.push_back(bins.edge(i + side));
      line.values.push_back(percentages[std::size_t(i)]);
    }
  line.times.push_back(bins.edge(bins.count));
  line.values.push_back(0);
}

// Describes the values that the plot does not show, for its title.
std::string left_out(const std::vector<Distribution>& all) {
  std::size_t count = 0, below = 0, above = 0, not_finite = 0;
  double smallest = 0, largest = 0;
  for (const auto& d : all) {
    if (d.below > 0) smallest = below > 0 ? std::min(smallest, d.smallest) : d.smallest;
    if (d.above > 0) largest = above > 0 ? std::max(largest, d.largest) : d.largest;
    count += d.count, below += d.below, above += d.above, not_finite += d.not_finite;
  }
  std::string words;
  const auto add = [&](const std::string& part) { words += (words.empty() ? "" : ", ") + part; };
  if (below > 0) add(fmt::format("{} below, down to {:.5g}", below, smallest));
  if (above > 0) add(fmt::format("{} above, up to {:.5g}", above, largest));
  if (!words.empty()) words = fmt::format("outside the plot, of {}: {}", lissom::counted(count, "value"), words);
  if (not_finite > 0) add(fmt::format("{} not finite", not_finite));
  return words.empty() ? "" : " (" + words + ")";
}

}  // namespace

std::vector<Distribution> make_histogram(PlotPanel& panel) {
  std::vector<Distribution> all(panel.lines.size());
  std::vector<std::vector<double>> sorted(panel.lines.size());
  double low = HUGE_VAL, high = -low, smallest = low, largest = high;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& d = all[i];
    auto& x = sorted[i];
    d.name = panel.lines[i].name;
    std::ranges::copy_if(panel.lines[i].values, std::back_inserter(x), drawable);
    d.count = x.size(), d.not_finite = panel.lines[i].values.size() - x.size();
    if (x.empty()) continue;
    std::ranges::sort(x);
    d.median = quantile(x, .5), d.p99 = quantile(x, .99), d.smallest = x.front(), d.largest = x.back();
    low = std::min(low, end_of(x, tail)), high = std::max(high, end_of(x, 1 - tail));
    smallest = std::min(smallest, d.smallest), largest = std::max(largest, d.largest);
  }
  if (low > high) low = high = smallest = largest = 0;  // nothing finite
  const double widening = max_widening * (high - low);
  if (low - smallest <= widening) low = smallest;
  if (largest - high <= widening) high = largest;
  const auto bins = bins_of(sorted, low, high);
  low = std::min(low, bins.edge(0)), high = std::max(high, bins.edge(bins.count));  // whole bins
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& d = all[i];
    auto& line = panel.lines[i];
    line.times.clear(), line.values.clear();
    if (d.count == 0) continue;
    d.below = std::size_t(std::ranges::lower_bound(sorted[i], low) - sorted[i].begin());
    d.above = std::size_t(sorted[i].end() - std::ranges::upper_bound(sorted[i], high));
    set_outline(line, bins, sorted[i], low, high);
    line.name += fmt::format(": median {:.4g}, p99 {:.4g}", d.median, d.p99);
  }
  panel.across = PlotAxis{panel.unit.empty() ? "" : "[" + panel.unit + "]", bins.edge(0), bins.edge(bins.count)};
  panel.title += left_out(all);
  panel.unit = "% of frames";
  return all;
}
