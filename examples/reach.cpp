// An arm finds a configuration for its tool, moves there under control, and records the motion.
#include <iostream>
#include <lissom/lissom.h>
#include <lissom/recording.h>
#include <lissom/sim.h>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  const auto model = lissom::load(models + "/arm7.urdf");

  // Inverse kinematics: the tool is to be at a point.
  lissom::ik::Solver solver(model, {lissom::ik::position(model.frame("tool"), {0.4, 0.1, 0.6})});
  const auto found = solver.solve(lissom::neutral(model));
  if (found.status != lissom::ik::Status::solved) return 1;

  // A controller that holds this configuration, and a second of simulation.
  namespace sim = lissom::sim;
  sim::System system(model);
  system.control(sim::computed_torque(model, sim::hold(found.q)));
  sim::State x{0, lissom::neutral(model), Eigen::VectorXd::Zero(model.nv()), 0};
  const auto method = sim::integrator(model, "rk4");

  const auto header = lissom::recording::describe(model);
  lissom::recording::Recorder recorder("reach.mcap", header, {{"q", header.q}, {"v", header.v}});
  sim::RunOptions options;
  options.seconds = 1;
  options.observer = [&](const sim::Reading& reading) {
    recorder.write(reading.state.t, {reading.state.q, reading.state.v});
  };
  sim::Report report;
  sim::run(system, *method, x, options, report);
  recorder.close();

  lissom::Workspace work(model);
  lissom::forward_kinematics(model, work, x.q);
  const auto tool = lissom::placement(model, work, model.frame("tool")).p;
  std::cout << "after " << report.seconds << " s the tool is at " << tool.x << " " << tool.y << " " << tool.z << " m\n";
  std::cout << recorder.safe_frames() << " frames in reach.mcap: lissom plot reach.mcap --out reach.png\n";
  const double off = (lissom::to_eigen(tool) - Eigen::Vector3d(0.4, 0.1, 0.6)).norm();
  return off < 0.05 ? 0 : 1;
}
