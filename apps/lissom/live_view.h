#pragma once
// A run that pages in browsers watch while it is computed (--view): its frames go to them, and what they want comes
// back: pause, steps, speed, a link that is pulled.
#include <chrono>
#include <string>
#include <vector>

#include "lissom/sim/pull_spring.h"
#include "lissom/view/server.h"
#include "view_arguments.h"

class LiveView {
 public:
  struct Run {
    std::string name;
    std::vector<lissom::recording::Signal> signals;
    std::string settings = "{}";  // JSON
  };
  // Starts the server, says where the page is (on standard error), and opens a browser unless --no-browser is given.
  // Then it waits for that browser's page, but not long. `pull` is the law by which the page pulls; it must outlive
  // this, and the caller gives it to the simulation.
  LiveView(const ViewArguments& arguments, const lissom::Model& model, const Eigen::VectorXd& q, const Run& run,
           lissom::sim::PullLaw& pull);

  void write(double time, std::span<const lissom::recording::Row> rows) { server_.write(time, rows); }
  // Called after each step: waits until the next one is due or wanted. Returns false if the person wants to end.
  bool wait(double time);
  // Tells the pages how the run has ended, and shows it until Ctrl-C. Says if anyone has pulled at the robot.
  void finish(double time, const std::string& error);

 private:
  using Clock = std::chrono::steady_clock;
  void tell(const char* status, double time, const std::string& text, bool at_once);
  void wait_for_page();

  lissom::view::Server server_;
  lissom::view::Controls controls_;
  lissom::sim::PullLaw& pull_;
  bool pulled_ = false;
  long steps_taken_ = 0;
  double anchor_time_ = 0;  // simulated time at anchor_
  Clock::time_point anchor_ = Clock::now(), told_ = {};
  bool anchored_ = false;
};
