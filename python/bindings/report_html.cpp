// How recordings and reports show themselves in notebooks.
#include <algorithm>

#include "html.h"
#include "lissom/control/motion_report.h"
#include "lissom/formulations/verify.h"
#include "lissom/model/text.h"
#include "recordings.h"

namespace lissom::python {

namespace {

std::string percent(double part) {
  return html_number(100 * part) + " %";
}

}  // namespace

std::string recording_html(const BoundRecording& run) {
  const double seconds = run.frames() ? run.times.back() - run.times.front() : 0;
  HtmlTable table("<b>" + in_xml(run.header.model) + "</b>: " + std::to_string(run.frames()) + " frames, " +
                      html_number(seconds) + " s",
                  {"signal", "shape", "columns", "units"});
  for (const auto& signal : run.signals) {
    constexpr std::size_t shown = 4;
    std::string names;
    std::vector<std::string> units;
    for (std::size_t k = 0; k < signal.columns.size(); ++k) {
      if (k < shown) names += (k ? ", " : "") + in_xml(signal.columns[k].name);
      if (std::ranges::find(units, signal.columns[k].unit) == units.end()) units.push_back(signal.columns[k].unit);
    }
    if (signal.columns.size() > shown) names += ", …";
    std::string all;
    for (const auto& unit : units) all += (all.empty() ? "" : ", ") + in_xml(unit);
    table.row({in_xml(signal.name),
               "(" + std::to_string(run.frames()) + ", " + std::to_string(signal.columns.size()) + ")", names, all});
  }
  std::string text = table.text();
  for (const auto& warning : run.warnings) text += "<p>" + in_xml(warning) + "</p>";
  return text;
}

std::string verify_html(const formulations::VerifyReport& report) {
  HtmlTable table(std::to_string(report.compared) + " of " + std::to_string(report.states) +
                      " states compared, largest relative disagreement " + html_number(report.max_disagreement()),
                  {"quantity", "formulations", "largest disagreement", "between", "at"});
  for (const auto& c : report.comparisons)
    table.row({in_xml(c.quantity), std::to_string(c.formulations.size()), html_number(c.max_disagreement),
               c.first.empty() ? "" : in_xml(c.first) + " and " + in_xml(c.second), in_xml(c.joint)});
  std::string text = table.text();
  for (const auto& remark : report.remarks) text += "<p>" + in_xml(remark) + "</p>";
  return text;
}

std::string motion_html(const control::MotionReport& r) {
  HtmlTable table(std::string("<b>") + (r.succeeded ? "succeeded" : "failed") + "</b>" +
                      (r.failure.empty() ? "" : ": " + in_xml(r.failure)) + ", " + html_number(r.seconds) + " s, " +
                      std::to_string(r.ticks) + " ticks",
                  {"", "", "limit"});
  for (const auto& motor : r.motors)
    table.row({"torque of " + in_xml(motor.joint),
               motor.limit > 0 ? percent(motor.max_torque / motor.limit) : html_number(motor.max_torque) + " N m",
               html_number(motor.limit) + " N m"});
  for (const auto& contact : r.contacts)
    table.row({"friction of " + in_xml(contact.name), percent(contact.friction_use),
               "slip " + html_number(contact.slip) + " m"});
  for (const auto& clearance : r.clearances)
    table.row({"clearance " + in_xml(clearance.name), html_number(clearance.min_distance) + " m",
               html_number(clearance.required) + " m"});
  table.row({"center of mass, from its target", html_number(r.max_com_error) + " m", ""});
  table.row(
      {"ticks that were relaxed, failed", std::to_string(r.elastic_ticks) + ", " + std::to_string(r.failed_ticks), ""});
  std::string text = table.text();
  for (const auto& miss : r.misses) text += "<p>" + in_xml(miss) + "</p>";
  return text;
}

}  // namespace lissom::python
