// Meshes that the readers of a format refuse, and that have no hull, are said to be lost or written otherwise.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "lissom/io/write/write.h"

namespace lissom::io::write_mesh {  // files of tests are compiled together
namespace {

using namespace write;
namespace fs = std::filesystem;

class WriteMesh : public testing::Test {
 protected:
  WriteMesh() : folder_(fs::temp_directory_path() / ("lissom_write_mesh_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~WriteMesh() override { fs::remove_all(folder_); }

  // A link with this mesh, which is seen or touched.
  Description robot(const std::string& name, const std::string& content, bool collides) const {
    std::ofstream(folder_ / name) << content;
    Description d;
    d.name = "robot";
    auto& link = d.links.emplace_back();
    link.name = "base", link.mass = 1, link.inertia = {1, 0, 0, 1, 0, 1};
    Geometry geometry;
    geometry.shape.kind = Shape::Kind::mesh, geometry.shape.file = name;
    geometry.shape.path = (folder_ / name).string();
    (collides ? link.collisions : link.visuals) = {geometry};
    return d;
  }
  WriteResult written(const Description& d, Format format, Meshes meshes) const {
    return write::write(d, format, {.path = (folder_ / "out.x").string(), .meshes = meshes});
  }

  fs::path folder_;
};

const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

const Diagnostic* find(const WriteResult& result, std::string_view code) {
  const auto found = std::ranges::find(result.losses, code, &Diagnostic::code);
  return found == result.losses.end() ? nullptr : &*found;
}

TEST_F(WriteMesh, WhatMujocoRefusesIsLost) {
  struct Case {
    const char *name, *what;
    std::string content;
    bool seen, touched;  // what MuJoCo accepts
  };
  const Case cases[] = {{"empty.obj", "cannot be read", "", false, false},
                        {"noise.obj", "cannot be read", "v 0 0\nf 9 9 9\n", false, false},
                        {"triangle.obj", "fewer than 4 vertices", triangle, false, false},
                        {"square.obj", "is flat", square, true, false},
                        {"tetrahedron.obj", "", tetrahedron, true, true}};
  for (const Case& c : cases)
    for (const bool collides : {false, true})
      for (const auto meshes : {Meshes::keep, Meshes::copy, Meshes::hulls}) {
        const auto result = written(robot(c.name, c.content, collides), Format::mjcf, meshes);
        const bool accepted = collides ? c.touched : c.seen;
        const auto* loss = find(result, "mesh-format");
        EXPECT_EQ(loss == nullptr, accepted) << c.name << " collides: " << collides;
        EXPECT_EQ(result.lossless(), accepted) << c.name;
        EXPECT_EQ(result.text.find("<geom") != std::string::npos, accepted) << result.text;
        if (!loss) continue;
        EXPECT_EQ(loss->severity, Severity::warning);
        EXPECT_NE(loss->message.find(c.what), std::string::npos) << loss->message;
        EXPECT_EQ(loss->subject, "link 'base'");
      }
}

TEST_F(WriteMesh, AMeshWithoutAHullIsWrittenItself) {
  for (const auto format : {Format::urdf, Format::sdf}) {
    const auto flat = written(robot("square.obj", square, true), format, Meshes::hulls);
    ASSERT_NE(find(flat, "mesh-hull"), nullptr);
    EXPECT_EQ(find(flat, "mesh-hull")->severity, Severity::note);
    EXPECT_NE(flat.text.find("square.obj"), std::string::npos);
    EXPECT_EQ(find(written(robot("square.obj", square, true), format, Meshes::copy), "mesh-hull"), nullptr);
    EXPECT_EQ(find(written(robot("solid.obj", tetrahedron, true), format, Meshes::hulls), "mesh-hull"), nullptr);
  }
}

}  // namespace
}  // namespace lissom::io::write_mesh
