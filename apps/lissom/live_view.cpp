#include "live_view.h"

#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "interrupt.h"
#include "lissom/view/answers.h"
#include "output.h"

namespace {

using namespace std::chrono_literals;

lissom::view::Scene scene_of(const lissom::Model& model, const Eigen::VectorXd& q, const LiveView::Run& run) {
  lissom::view::Scene scene(lissom::view::Mode::live, model.name());
  scene.add_robot(model, q);
  scene.set_live(run.name, run.signals, run.settings);
  scene.set_abilities({"quantities", "pause", "resume", "step", "speed", "pull", "release", "contacts"});
  return scene;
}

}  // namespace

LiveView::LiveView(const ViewArguments& arguments, const lissom::Model& model, const Eigen::VectorXd& q, const Run& run,
                   lissom::sim::PullLaw& pull)
    : server_(scene_of(model, q, run), arguments.server), pull_(pull) {
  if (announce(server_, arguments, std::cerr)) wait_for_page();
}

void LiveView::wait_for_page() {
  for (const auto end = Clock::now() + 10s; Clock::now() < end && server_.clients() == 0 && !interrupted();)
    std::this_thread::sleep_for(20ms);
}

void LiveView::tell(const char* status, double time, const std::string& text, bool at_once) {
  if (!at_once && Clock::now() - told_ < 250ms) return;
  told_ = Clock::now();
  server_.set_status({status, time, controls_.speed, text});
}

bool LiveView::wait(double time) {
  for (;;) {
    if (interrupted()) return false;
    const auto before = controls_;
    controls_ = server_.controls();
    if (const auto& p = controls_.pull) {
      pull_.pull(p->on, p->point, p->to);
      pulled_ = true;
    } else {
      pull_.release();
    }
    if (controls_.paused) {
      anchored_ = false;
      if (controls_.steps > steps_taken_) {
        ++steps_taken_;
        return true;
      }
      tell("paused", time, "", !before.paused);
      std::this_thread::sleep_for(5ms);
      continue;
    }
    steps_taken_ = controls_.steps;  // while it runs, single steps are not wanted
    tell("running", time, "", before.paused);
    if (!(controls_.speed > 0)) return true;
    const auto now = Clock::now();
    if (!anchored_ || controls_.speed != before.speed) anchor_ = now, anchor_time_ = time, anchored_ = true;
    const auto due = anchor_ + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>((time - anchor_time_) / controls_.speed));
    if (now >= due) {
      if (now - due > 250ms) anchored_ = false;  // it does not keep up, and must not race afterwards to make up for it
      return true;
    }
    std::this_thread::sleep_until(std::min(due, now + 20ms));
  }
}

void LiveView::finish(double time, const std::string& error) {
  if (pulled_) complain("note: the robot was pulled on the page; the signal 'pull' of a recording has the forces");
  tell(error.empty() ? "finished" : "failed", time, error.empty() ? fmt::format("ended at {:.3f} s", time) : error,
       true);
  if (interrupted()) return;
  complain("the page stays until Ctrl-C");
  while (!interrupted()) std::this_thread::sleep_for(20ms);
}
