#pragma once
// How objects show themselves in notebooks.
#include <initializer_list>
#include <string>
#include <string_view>

namespace lissom::formulations {
struct VerifyReport;
}
namespace lissom::control {
struct MotionReport;
}

namespace lissom::python {

/// With four digits; infinity as ∞.
std::string html_number(double x);

/// A table, row by row. Cells are HTML: texts of users go through in_xml().
class HtmlTable {
 public:
  HtmlTable(const std::string& caption, std::initializer_list<std::string_view> head);
  /// If there are more than a hundred rows, only their number is shown: a table of more is no overview.
  void row(std::initializer_list<std::string> cells);
  std::string text() const;

 private:
  std::string text_;
  std::size_t columns_;
  int rows_ = 0;
};

class BoundRecording;
/// Signals with their shapes and units; comparisons; motors, contacts and clearances.
std::string recording_html(const BoundRecording& run);
std::string verify_html(const formulations::VerifyReport& report);
std::string motion_html(const control::MotionReport& report);

}  // namespace lissom::python
