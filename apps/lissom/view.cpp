// lissom view FILE…: shows a robot, a scene, or recorded runs, on a page in the browser; or writes the page, a picture
// or a video to a file.
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "interrupt.h"
#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/limbs/contacts_file.h"
#include "lissom/scenes/world_model.h"
#include "lissom/view/page.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "other_programs.h"
#include "output.h"
#include "pictures.h"
#include "recording_arguments.h"
#include "scene_files.h"
#include "state_arguments.h"
#include "verbs.h"
#include "view_arguments.h"

namespace verb::view {
namespace {

using lissom::Error;
using lissom::view::Mode;
using lissom::view::Scene;

struct Options {
  std::vector<std::string> files;
  ModelArguments model;
  ViewArguments page;
  PictureOptions picture;
  std::string q, save, size, contacts_file;
  std::vector<std::string> layers;
  std::set<std::string> given;  // names of the options on the command line
  double rate = lissom::view::RecordedOptions{}.rate;
};

// What is shown, and the time that the runs cover.
struct Shown {
  Scene scene;
  double begin = 0, seconds = 0;
};

Shown robot(const Options& o) {
  auto options = o.model.options;
  options.find_meshes = true;
  std::vector<lissom::Diagnostic> findings;
  const auto& file = o.files[0];
  const auto model = file == "-" ? lissom::load_text(standard_input(), standard_input_name, options, &findings)
                                 : lissom::load(file, options, &findings);
  Shown shown{Scene(Mode::pose, model.name())};
  shown.scene.add_robot(model, o.q.empty() ? initial_configuration(model) : configuration_of(model, "--q", o.q));
  shown.scene.add_findings(findings);
  return shown;
}

// The world of a scene before it begins to move. Surroundings, in which nothing moves, can be seen as well.
Shown world(const Options& o) {
  for (const auto& name : {"--base", "--mimic", "--packages", "--loops", "--q", "--contacts-file"})
    if (o.given.contains(name))
      throw Error(std::string(name) + " does not apply to a scene: its file says what its robots are, and where");
  const auto scene = lissom::scenes::read_surroundings(o.files[0]);
  const lissom::scenes::WorldModel model(scene);
  auto begin = lissom::scenes::make_world(scene);
  Eigen::VectorXd q, v, tau;
  model.read(begin, q, v, tau);
  Shown shown{Scene(Mode::pose, scene.name)};
  shown.scene.add_robot(model.model(), q);
  return shown;
}

Shown runs(const Options& o) {
  if (!o.q.empty()) throw Error("--q is for robots; a recording has its own configurations (--from chooses a moment)");
  Shown shown{Scene(Mode::replay, std::filesystem::path(o.files[0]).filename().string())};
  double end = 0;
  for (const auto& file : o.files) {
    const auto recording = read_and_warn(file, o.picture.quiet);
    shown.scene.add_run(recording, std::filesystem::path(file).filename().string(), {.rate = o.rate},
                        o.model.options.package_paths);
    shown.begin = &file == o.files.data() ? recording.times.front() : std::min(shown.begin, recording.times.front());
    end = std::max(end, recording.times.back());
  }
  shown.seconds = end - shown.begin;
  return shown;
}

Shown shown(const Options& o) {
  using lissom::recording::is_recording;
  const auto recordings = std::ranges::count_if(o.files, is_recording);
  if (recordings == long(o.files.size())) return runs(o);
  if (o.files.size() == 1) return is_scene(o.files[0]) ? world(o) : robot(o);
  for (const auto& file : o.files)
    if (!is_recording(file))
      throw Error("'" + file + "' is not a recording; one robot, one scene, or one or more recordings can be shown");
  return runs(o);
}

std::pair<int, int> size_of(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 || width > 7680 ||
      height > 7680)
    throw Error("--size '" + text + "': expected WIDTHxHEIGHT in pixels, such as 1280x720, each from 16 to 7680");
  return {width, height};
}

int run(Options& o) {
  o.model.take_arguments(o.files);
  if (o.files.empty()) throw Error("no file is given, only arguments of xacro");
  if (!o.size.empty()) std::tie(o.picture.width, o.picture.height) = size_of(o.size);
  if (!o.picture.file.empty()) ::check(o.picture);
  auto what = shown(o);
  if (!o.contacts_file.empty())
    for (std::size_t i = 0; i < what.scene.models().size(); ++i)
      what.scene.set_contacts(int(i), lissom::read_contacts(what.scene.models()[i].description(), o.contacts_file));
  what.scene.set_layers(split_names(o.layers, [](const std::string&) { return false; }));
  if (!o.save.empty()) {
    replace_file(o.save, lissom::view::saved_page(what.scene), "--save");
    std::cout << fmt::format("saved {} ({:.1f} MB)\n", o.save, double(std::filesystem::file_size(o.save)) / 1e6);
  }
  if (!o.picture.file.empty()) {
    end_on_request();
    const auto pictures = render(std::move(what.scene), what.begin, what.seconds, o.picture);
    if (pictures == 0) {
      complain("interrupted; no picture was written");
      return interrupted_code;
    }
    std::cout << fmt::format("rendered {} ({} picture{})\n", o.picture.file, pictures, pictures == 1 ? "" : "s");
  } else if (o.save.empty()) {
    serve(std::move(what.scene), o.page, std::cout);
  }
  return 0;
}

void add_pictures(CLI::App& verb, Options& o) {
  auto& p = o.picture;
  verb.add_option(
      "--video", p.file,
      "write a video (.mp4, .webm, .gif, .webp; needs ffmpeg) or a picture (.png) instead, rendered by Chromium");
  verb.add_option("--size", o.size, "its width and height in pixels (default: 1280x720)");
  verb.add_option("--fps", p.fps, "its pictures per second (default: 30)")->check(number_check::between(1, 240));
  verb.add_option("--speed", p.speed, "seconds of the run per second of the video (default: 1)")
      ->check(number_check::between(.001, 1000));
  verb.add_option("--from", p.from, "s: where the video begins, or the moment of the picture (default: the beginning)");
  verb.add_option("--until", p.to, "s: where the video ends (default: the end)");
  take_one_of(verb.add_option("--camera", p.camera, "where it is seen from (default: home)"),
              {"home", "front", "back", "left", "right", "top"});
  take_one_of(verb.add_option("--theme", p.theme, "light (default) or dark"), {"light", "dark"});
  verb.add_flag("--quiet", p.quiet, "show no progress");
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("view", "show a robot, a scene or recordings in the browser, or save that as a file");
  const auto o = std::make_shared<Options>();
  verb->add_option("FILE", o->files,
                   "a robot (URDF, MJCF, SDF, xacro with NAME:=VALUE; - reads standard input), a scene (.json) at its "
                   "beginning, or recordings (.mcap, .npz, .csv): several are overlaid")
      ->required();
  o->model.add_options_to(*verb);
  verb->add_option("--loops", o->model.options.loops_file, "file (JSON) with closed loops, which stay closed");
  verb->add_option("--q", o->q,
                   "configuration of the robot (default: the posture initial of an SDF file, otherwise neutral): " +
                       configuration_syntax);
  verb->add_option(
          "--rate", o->rate,
          fmt::format("frames per second of recordings; those in between are left out (default: {}; 0: all)", o->rate))
      ->check(number_check::non_negative());
  std::string names;
  for (const auto& name : Scene::layers()) names += (names.empty() ? "" : ", ") + name;
  verb->add_option("--show", o->layers,
                   "what is shown at first besides the robot, separated by commas: some of " + names);
  verb->add_option("--contacts-file", o->contacts_file,
                   "contacts that are shown with --show contacts (default: ROBOT.contacts.json beside the robot, "
                   "otherwise they are proposed)");
  verb->add_option("--save", o->save, "write the page with everything in it to this file (.html), and serve nothing");
  o->page.add_options_to(*verb);
  add_pictures(*verb, *o);
  verb->footer(
      "The address of the page is the first line of the output; Ctrl-C ends it.\n"
      "Exit code: 0 success (also after Ctrl-C while it serves), 2 wrong usage or input, or nothing could be rendered, "
      "130 "
      "interrupted while it renders.");
  verb->callback([o, verb, &exit_code] {
    for (const auto* option : verb->get_options())
      if (option->count() > 0) o->given.insert(option->get_name());
    exit_code = run(*o);
  });
}

}  // namespace verb::view
