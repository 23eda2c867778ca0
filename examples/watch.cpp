// A double pendulum that one watches in the browser while it swings, and can pull with the mouse.
// usage: watch MODELS [SECONDS]
#include <chrono>
#include <functional>
#include <iostream>
#include <lissom/lissom.h>
#include <lissom/recording.h>
#include <lissom/sim.h>
#include <lissom/view.h>
#include <thread>

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: watch MODELS [SECONDS]\n";
    return 2;
  }
  const double seconds = argc > 2 ? std::stod(argv[2]) : 60;
  const auto model = lissom::load(std::string(argv[1]) + "/planar2.urdf");
  lissom::sim::State x{0, lissom::neutral(model), Eigen::VectorXd::Zero(model.nv()), 0};
  x.q << 1.5, .5;

  lissom::view::Scene scene(lissom::view::Mode::live, model.name());
  scene.add_robot(model, x.q);
  scene.set_live(
      "pendulum",
      {{"q", lissom::recording::configuration_columns(model)}, {"v", lissom::recording::velocity_columns(model)}},
      "{}");
  scene.set_abilities({"pull", "release"});
  lissom::view::Server server(std::move(scene), {.port = 0});
  std::cout << "open " << server.address() << std::endl;

  lissom::sim::System system(model);
  lissom::sim::PullLaw mouse(1e-3);
  system.add(std::ref(mouse));
  const auto integrator = lissom::sim::integrator(model, "rk4");
  const auto begin = std::chrono::steady_clock::now();
  while (x.t < seconds) {
    if (const auto pull = server.controls().pull)
      mouse.pull(pull->on, pull->point, pull->to);
    else
      mouse.release();
    integrator->step(system, x, 1e-3);
    const lissom::recording::Row rows[] = {x.q, x.v};
    server.write(x.t, rows);
    std::this_thread::sleep_until(begin + std::chrono::duration<double>(x.t));
  }
  std::cout << "ended at " << x.t << " s\n";
}
