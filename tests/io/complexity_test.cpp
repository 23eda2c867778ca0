// How the work of readers of robots, motions, scenes, goals, states and recordings grows.
#include "complexity.h"

#include <fstream>
#include <iterator>
#include <zlib.h>

#include "fuzz/targets.h"
#include "lissom/api/load.h"
#include "lissom/api/postures.h"
#include "lissom/control/motion_plan.h"
#include "lissom/io/description_json.h"
#include "lissom/io/loops_file.h"
#include "lissom/io/read.h"
#include "lissom/io/xacro/xacro.h"
#include "lissom/limbs/contacts_file.h"
#include "lissom/model/diagnostic.h"
#include "lissom/plan/plan.h"
#include "lissom/recording/read.h"
#include "lissom/recording/recorder.h"
#include "lissom/scenes/scene.h"
#include "test_folder.h"

namespace lissom::test {
namespace {

class Complexity : public testing::Test {
 protected:
  // A reader that takes a path.
  template <class Read>
  Prepare of_file(const Text& name, const std::function<Text(int)>& make, Read read) {
    return [this, name, make, read](int size) {
      const auto path = folder_.path() + "/" + std::to_string(size) + name;
      std::ofstream(path, std::ios::binary) << make(size);
      return [path, read] { read(path); };
    };
  }
  const TestFolder folder_;
};

void read_robot(const Text& text) {
  const auto found = io::read_text(text, "robot", {.check_meshes = false});
  EXPECT_TRUE(found.usable()) << to_string(found.diagnostics.at(0));
}

TEST_F(Complexity, ItIsSeenIfWorkGrowsWithTheSquare) {
  const auto copies = [](int size) {
    return [size] {
      for (int i = 0; i < size; ++i) EXPECT_EQ(Text(std::size_t(size), 'x').size(), std::size_t(size));
    };
  };
  if (counting_allocations) EXPECT_GT(growth_of(copies, 200).allocated, max_allocated);
}

constexpr const char* inertial =
    R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
Text urdf(int size, bool chain) {
  const auto link = [](const Text& i) { return "<link name='l" + i + "'>" + inertial + "</link>"; };
  return "<robot name='r'><link name='base'/>" + many(size, link) +
         many(size,
              [&](const Text& i) {
                const Text parent = !chain || i == "0" ? "base" : "l" + std::to_string(std::stoi(i) - 1);
                return "<joint name='j" + i + "' type='continuous'><parent link='" + parent + "'/><child link='l" + i +
                       "'/><origin xyz='1 0 0' rpy='.1 .2 .3'/><axis xyz='0 0 1'/></joint>\n";
              }) +
         "</robot>";
}

TEST_F(Complexity, Urdf) {
  expect_proportional(of_text([](int n) { return urdf(n, true); }, read_robot), 200);
  expect_proportional(of_text([](int n) { return urdf(n, false); }, read_robot), 200);
  // Elements that are not known: one finding each.
  const auto unknown = [](int n) {
    return "<robot name='r'><link name='l'/>" + many(n, [](const Text& i) { return "<t" + i + "/>\n"; }) + "</robot>";
  };
  expect_proportional(of_text(unknown, read_robot), 200);
}

TEST_F(Complexity, Mjcf) {
  const auto make = [](int n) {
    return "<mujoco><worldbody>" +
           many(n,
                [](const Text& i) {
                  return "<body name='b" + i + "' pos='0 0 " + i + "'><joint name='j" + i + "'/><geom name='g" + i +
                         "' size='.1'/><site name='s" + i + "'/></body>\n";
                }) +
           "</worldbody><actuator>" +
           many(n, [](const Text& i) { return "<position joint='j" + i + "' kp='1' dampratio='1'/>"; }) +
           "</actuator><equality>" +
           many(n, [](const Text& i) { return "<connect body1='b" + i + "' anchor='0 0 0'/>"; }) +
           "</equality><contact>" + many(n, [](const Text& i) { return "<pair geom1='g" + i + "' geom2='g0'/>"; }) +
           "</contact></mujoco>";
  };
  expect_proportional(of_text(make, read_robot), 100);
  const auto replicas = [](int n) {
    return "<mujoco><worldbody><replicate count='" + std::to_string(n) +
           "' offset='1 0 0'><body name='b'><joint/><geom size='.1'/></body></replicate></worldbody></mujoco>";
  };
  expect_proportional(of_text(replicas, read_robot), 100);
}

TEST_F(Complexity, Sdf) {
  // Each pose is relative to that of the link before.
  const auto make = [](int n) {
    return "<sdf version='1.9'><model name='m'><link name='base'/>" +
           many(n,
                [](const Text& i) {
                  const Text before = i == "0" ? "base" : "l" + std::to_string(std::stoi(i) - 1);
                  return "<link name='l" + i + "'><pose relative_to='" + before +
                         "'>1 0 0 0 0 .1</pose><inertial><mass>1</mass></inertial></link><joint name='j" + i +
                         "' type='revolute'><parent>" + before + "</parent><child>l" + i +
                         "</child><axis><xyz>0 0 1</xyz></axis></joint>\n";
                }) +
           "</model></sdf>";
  };
  expect_proportional(of_text(make, read_robot), 100);
}

TEST_F(Complexity, Xacro) {
  const auto make = [](int n) {
    return "<robot name='r' xmlns:xacro='x'><xacro:macro name='m' params='i'><link name='l${i + 1}'/></xacro:macro>" +
           many(n,
                [](const Text& i) {
                  return "<xacro:property name='p" + i + "' value='${" + i + " * 2}'/><xacro:m i='" + i + "'/>\n";
                }) +
           "</robot>";
  };
  const auto expand = [](const Text& text) { EXPECT_TRUE(io::xacro::expand_text(text, "robot.xacro").usable()); };
  expect_proportional(of_text(make, expand), 100);
  const auto list = [](int n) { return "[" + many(n, [](const Text& i) { return i; }, ", ") + "]"; };
  const auto expand_yaml = [](const Text& path) {
    const auto text = "<robot xmlns:xacro='x'><a>${len(xacro.load_yaml('" + path + "'))}</a></robot>";
    const auto found = io::xacro::expand_text(text, path + ".xacro");
    EXPECT_TRUE(found.usable()) << to_string(found.diagnostics.at(0));
  };
  expect_proportional(of_file("list.yaml", list, expand_yaml), 4000);
}

TEST_F(Complexity, FilesOfRobots) {
  static const auto planar = load(LISSOM_MODELS_DIR "/planar2.urdf");
  const auto contacts = [](int n) {
    return R"({"robot": "planar2", "contacts": [)" +
           many(
               n,
               [](const Text& i) {
                 return R"({"name": "c)" + i +
                        R"(", "role": "pad", "link": "link2", "kind": "point", "position": [0, 0, 0]})";
               },
               ", ") +
           "]}";
  };
  expect_proportional(
      of_file("contacts.json", contacts, [](const Text& path) { read_contacts(planar.description(), path); }), 50);
  const auto loops = [](int n) {
    return R"({"loops": [)" +
           many(
               n,
               [](const Text& i) {
                 return R"({"name": "l)" + i + R"(", "a": {"frame": "world"}, "b": {"frame": "link2"}, "axes": "x"})";
               },
               ", ") +
           "]}";
  };
  expect_proportional(of_file("loops.json", loops,
                              [](const Text& path) {
                                auto d = planar.description();
                                io::read_loops(path, d);
                              }),
                      50);
  const auto postures = [](int n) {
    return "{" +
           many(
               n, [](const Text& i) { return "\"p" + i + R"(": {"joints": {"joint1": 0.5, "joint2": 1}})"; }, ", ") +
           "}";
  };
  expect_proportional(of_file("postures.json", postures, [](const Text& path) { read_postures(planar, path); }), 100);
}

TEST_F(Complexity, MotionsAndScenes) {
  static const auto humanoid = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const auto motion = [](int n) {
    return R"({"postures": ")" LISSOM_MODELS_DIR
           R"(/postures/humanoid.json", "start": "stand", "contacts": ["left_sole", "right_sole"],
      "standing": ["left_sole", "right_sole"], "stages": [)" +
           many(
               n, [](const Text& i) { return R"({"name": "s)" + i + R"(", "over": ["left_sole"], "seconds": 1})"; },
               ", ") +
           "]}";
  };
  expect_proportional(
      of_file("motion.json", motion, [](const Text& path) { control::read_motion_plan(humanoid, path); }), 800);
  const auto scene = [](int n) {
    return R"({"bodies": [)" +
           many(
               n,
               [](const Text& i) {
                 return R"({"name": "b)" + i + R"(", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 1})";
               },
               ", ") +
           "]}";
  };
  expect_proportional(of_file("scene.json", scene, [](const Text& path) { scenes::read_scene(path); }), 100);
}

// As many limbs as the goal names.
TEST_F(Complexity, Goals) {
  static const auto planar = load(LISSOM_MODELS_DIR "/planar2.urdf");
  const auto quoted = [](const Text& i) { return "\"l" + i + "\""; };
  const auto goal = [&](int n) {
    return R"({"contacts": [)" + many(n, quoted, ", ") + R"(], "places": {)" +
           many(n, [&](const Text& i) { return quoted(i) + ": [0, 0, 0.5, 0.1, 0.2, 0.3]"; }, ", ") + "}}";
  };
  expect_proportional(
      [&](int n) {
        std::vector<plan::Limb> limbs(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) limbs[std::size_t(i)].frame = "l" + std::to_string(i);
        const auto path = folder_.path() + "/" + std::to_string(n) + "goal.json";
        std::ofstream(path) << goal(n);
        return [limbs, path] { EXPECT_EQ(plan::read_goal(planar, limbs, path).places.size(), limbs.size()); };
      },
      200);
}

#ifdef LISSOM_TEST_COMMAND
// The command as it is, as it is fuzzed: reading, evaluating and writing.
TEST_F(Complexity, StatesOfEval) {
  const auto states = [](int n) {
    return R"({"states": [)" +
           many(
               n, [](const Text& i) { return R"({"q": {"joint1": [)" + i + R"(]}, "tau": {"joint2": [1]}})"; }, ", ") +
           "]}";
  };
  expect_proportional(of_text(states, fuzz::states), 100);
}

Text packed_by_gzip(const Text& text, const std::string& path) {
  const auto file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), unsigned(text.size()));
  gzclose(file);
  std::ifstream packed(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(packed), {}};
}

// min ½ |x|² + x0 with x0 + x1 = 1 and x0 ≤ 1, many times.
TEST_F(Complexity, QuadraticPrograms) {
  const auto append = [](const auto& number, Text& bytes) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const auto problems = [&](int n) {
    Text bytes = "LQP1";
    append(n, bytes);
    for (int k = 0; k < n; ++k) {
      for (const int size : {2, 1, 1, 0}) append(size, bytes);
      for (const double x : {0., 1., 0., 0., 1., 1., 0., 1., 1., 1., 1., 0., -1e20, 1., 0., 0., 1e20, 1e20, 0., 0.})
        append(x, bytes);
    }
    return packed_by_gzip(bytes, folder_.path() + "/problems.gz");
  };
  expect_proportional(of_text(problems, fuzz::qp), 500);
}

// Both texts with a zero between them, as they are fuzzed; and packed.
TEST_F(Complexity, Tosses) {
  const auto tosses = [](int n) {
    const Text zeros = "0,0,1,1,0,0,0,0,0,0,0,0,0\n", columns = "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
    const auto frames = [&](const Text& i) { return i + ",0," + zeros + i + ",.01," + zeros; };
    return "toss,t," + columns + many(n, frames) + Text(1, '\0') + "toss,frames_before_contact," + columns +
           many(n, [&](const Text& i) { return i + ",2," + zeros; });
  };
  expect_proportional(of_text(tosses, fuzz::tosses), 500);
  const auto packed = [&](int n) { return packed_by_gzip(tosses(n), folder_.path() + "/tosses.gz"); };
  expect_proportional(of_text(packed, fuzz::tosses), 5000);
}
#endif

TEST_F(Complexity, DescriptionsAsJson) {
  const auto make = [](int n) { return io::description_to_json(io::read_text(urdf(n, true), "r").description); };
  expect_proportional(of_text(make, [](const Text& text) { io::description_from_json(text); }), 50);
}

// Frames, columns of a signal, and signals.
TEST_F(Complexity, Recordings) {
  const auto recorded = [this](const Text& ending, int frames, int signals, int columns) {
    const auto path = folder_.path() + "/" + std::to_string(frames) + "_" + std::to_string(signals) + "_" +
                      std::to_string(columns) + ending;
    std::vector<recording::Signal> all(static_cast<std::size_t>(signals));
    std::vector<double> values(static_cast<std::size_t>(columns), 1.5);
    for (int s = 0; s < signals; ++s) {
      all[std::size_t(s)].name = "s" + std::to_string(s);
      for (int c = 0; c < columns; ++c) all[std::size_t(s)].columns.push_back({"c" + std::to_string(c), "m"});
    }
    recording::Recorder recorder(path, {}, all);
    const std::vector<recording::Row> rows(all.size(), recording::Row{values});
    for (int k = 0; k < frames; ++k) recorder.write(k * 1e-3, rows);
    recorder.close();
    return [path] { recording::read_recording(path); };
  };
  for (const char* ending : {".mcap", ".npz", ".csv"}) {
    SCOPED_TRACE(ending);
    expect_proportional([&](int n) { return recorded(ending, n, 1, 3); }, 2000);
    expect_proportional([&](int n) { return recorded(ending, 1, 1, n); }, 1000);
    expect_proportional([&](int n) { return recorded(ending, 1, n, 1); }, 500);
  }
}

}  // namespace
}  // namespace lissom::test
