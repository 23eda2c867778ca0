// Mass, center and inertia against closed forms, and against MuJoCo.
#include <random>

#include "mesh_test_support.h"

namespace lissom::test::mesh_mass {
namespace {

using namespace mesh;

std::array<double, 10> as_list(const MassProperties& p) {
  return {p.mass,       p.center.x,   p.center.y,   p.center.z,   p.inertia.xx,
          p.inertia.xy, p.inertia.xz, p.inertia.yy, p.inertia.yz, p.inertia.zz};
}
void expect_near(const MassProperties& p, const std::array<double, 10>& expected, double tolerance,
                 const std::string& what) {
  const auto found = as_list(p);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << what << ", element " << i;
}

TEST(MeshMass, OfABoxWhereverItIs) {
  for (const double far : {0.0, 1000.0}) {
    const auto m = box({far + 1, -1, 2}, {far + 3, 2, 7});
    const double v = 2 * 3 * 5;
    expect_near(mass_properties(m), {v, far + 2, 0.5, 4.5, v / 12 * 34, 0, 0, v / 12 * 29, 0, v / 12 * 13},
                far == 0 ? 1e-12 : 1e-9, "solid");
    EXPECT_NEAR(mass_properties(m, InertiaKind::shell).mass, 62, 1e-9);
  }
}

TEST(MeshMass, OfACubicShell) {
  // A hollow cube of side a: m a² · 5/18.
  const auto p = mass_properties(box({-1, -1, -1}, {1, 1, 1}), InertiaKind::shell);
  expect_near(p, {24, 0, 0, 0, 24 * 4 * 5 / 18.0, 0, 0, 24 * 4 * 5 / 18.0, 0, 24 * 4 * 5 / 18.0}, 1e-12, "shell");
}

TEST(MeshMass, OfATorus) {
  // With n triangles around, errors shrink with n².
  const double R = 1, r = 0.3, v = 2 * M_PI * M_PI * R * r * r, zz = v * (R * R + 0.75 * r * r),
               xx = v * (0.5 * R * R + 0.625 * r * r);
  for (const int n : {50, 100, 200}) {
    const auto p = mass_properties(torus(R, r, n, n));
    const double allowed = 30.0 / (n * n);
    EXPECT_NEAR(p.mass, v, allowed * v);
    EXPECT_LT(p.mass, v);
    EXPECT_NEAR(p.inertia.zz, zz, allowed * zz);
    EXPECT_NEAR(p.inertia.xx, xx, allowed * xx);
    EXPECT_NEAR(p.center.x, 0, 1e-12);
  }
}

// The volume of a sum is the sum, and inertia moves by Steiner's theorem.
TEST(MeshMass, RotatesAndMovesWithTheMesh) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto m = read_good(l_shape_obj(), "l.obj");
  const auto p = mass_properties(m);
  for (int k = 0; k < 20; ++k) {
    const Vec3<double> axis{number(random), number(random), number(random)},
        move{number(random), 5 * number(random), 0};
    const double length = std::sqrt(dot(axis, axis)), angle = 3 * number(random);
    const auto K = skew((1 / length) * axis);
    const double c = std::sin(angle), d = 1 - std::cos(angle);
    const auto KK = K * K;
    const Mat3<double> R =
        identity3<double>() +
        Mat3<double>(c * K.xx, c * K.xy, c * K.xz, c * K.yx, c * K.yy, c * K.yz, c * K.zx, c * K.zy, c * K.zz) +
        Mat3<double>(d * KK.xx, d * KK.xy, d * KK.xz, d * KK.yx, d * KK.yy, d * KK.yz, d * KK.zx, d * KK.zy, d * KK.zz);
    auto moved = m;
    transform(moved, R, move);
    const auto expected_center = R * p.center + move;
    const auto expected = congruence(R, p.inertia);
    expect_near(mass_properties(moved),
                {p.mass, expected_center.x, expected_center.y, expected_center.z, expected.xx, expected.xy, expected.xz,
                 expected.yy, expected.yz, expected.zz},
                1e-12, "moved");
  }
}

// What MuJoCo 4.0.0 computes for the L, with a density of 1: closed, with the last three triangles missing, and with a
// scale that mirrors.
struct FromMujoco {
  std::string which;
  InertiaKind kind;
  std::array<double, 10> expected;
};
const std::vector<FromMujoco> from_mujoco{
    {"closed",
     InertiaKind::exact,
     {1.6875000000000002, 0.83333333333333337, 0.58333333333333337, 0.5, 1.520507812500008, 0.46875000000000233, 0,
      0.58300781250000278, 0, 1.94531250000001}},
    {"closed",
     InertiaKind::convex,
     {3.0937500000000004, 1.0227272727272727, 0.69696969696969702, 0.5, 2.1226473721591019, 0.53533380681818421, 0,
      0.95787464488636842, 0, 2.7904829545454688}},
    {"closed",
     InertiaKind::legacy,
     {2.3098244863013702, 0.93145333904109584, 0.52734375, 0.5, 1.7512438934143364, 0.56701445832309183, 0,
      0.74244021618276868, 0, 2.3004752322426527}},
    {"closed",
     InertiaKind::shell,
     {12, 0.859375, 0.609375, 0.5, 12.497070312500069, 3.7060546875000222, 0, 5.3720703125000329, 0,
      15.900390625000092}},
    {"open",
     InertiaKind::exact,
     {0.92582380174291945, 1.0771968046477851, 0.23954248366013081, 0.48850762527233121, 0.77087899147815864,
      0.28144029977738766, -0.0054063598964185968, 0.38530118460889923, 0.022739549705005357, 1.0409833912868249}},
    {"open",
     InertiaKind::convex,
     {3.0937500000000004, 1.0227272727272727, 0.69696969696969702, 0.50000000000000011, 2.1226473721591028,
      0.53533380681818454, 0, 0.95787464488636853, 0, 2.7904829545454697}},
    {"open",
     InertiaKind::legacy,
     {1.6285615124178223, 1.0910844144256111, 0.37140837563694418, 0.49294222808577359, 1.1532569083964594,
      0.37659429998189864, -0.0052272523629596918, 0.49300823788985187, 0.020444741368043133, 1.4914944016475218}},
    {"open",
     InertiaKind::shell,
     {9.5625, 1.0081699346405226, 0.480392156862745, 0.49754901960784303, 9.5226332710964208, 2.8890931374605699,
      -0.011910350278834183, 4.1936402205793399, 0.047334826857620839, 11.976154000154517}},
    {"mirrored",
     InertiaKind::exact,
     {1.6875000000000002, 0.41666666666666669, -1.1666666666666667, 0.5, 5.8447265625000462, -0.46875000000000427, 0,
      0.20507812500000189, 0, 5.8916015625000462}},
    {"mirrored",
     InertiaKind::convex,
     {3.0937500000000004, 0.51136363636363635, -1.393939393939394, 0.5, 8.0555308948864059, -0.53533380681818488, 0,
      0.3482333096590931, 0, 8.1137251420454977}},
    {"mirrored",
     InertiaKind::legacy,
     {2.3085333440721651, 0.47841494845360827, -0.9666559278350515, 0.5, 6.8208221414699954, -0.57128852337479463, 0,
      0.25687533471930718, 0, 6.8845612255852418}},
    {"mirrored",
     InertiaKind::shell,
     {15, 0.375, -1.5625, 0.5, 54.441406250000085, -3.8671875000000062, 0, 2.3906250000000013, 0, 54.582031250000064}}};

TEST(MeshMass, IsThatOfMujoco) {
  for (const auto& reference : from_mujoco) {
    LoadOptions options;
    if (reference.which == "mirrored") options.scale = {0.5, -2, 1};
    auto m = read_good(l_shape_obj(), "l.obj", options);
    if (reference.which == "open") m.triangles.resize(m.triangles.size() - 3);
    // Its principal axes, of which these were made, are exact to some 1e-8 of the moments.
    expect_near(mass_properties(m, reference.kind), reference.expected, 3e-8 * reference.expected[9],
                reference.which + " " + to_string(reference.kind));
  }
}

TEST(MeshMass, OfWhatHasNone) {
  const auto zero = as_list(MassProperties{});
  const TriangleMesh nothing, point{{{1, 2, 3}}, {}}, flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  for (const auto kind : {InertiaKind::exact, InertiaKind::convex, InertiaKind::legacy, InertiaKind::shell}) {
    EXPECT_EQ(as_list(mass_properties(nothing, kind)), zero);
    EXPECT_EQ(as_list(mass_properties(point, kind)), zero);
    if (kind != InertiaKind::shell) EXPECT_NEAR(mass_properties(flat, kind).mass, 0, 1e-15);
  }
  EXPECT_NEAR(mass_properties(flat, InertiaKind::shell).mass, 0.5, 1e-15);
  // Points are the corners of their hull.
  EXPECT_NEAR(mass_properties({box({0, 0, 0}, {1, 2, 3}).vertices, {}}).mass, 6, 1e-12);
}

TEST(MeshSurface, FindingsSayWhatIsWrong) {
  auto m = box({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(codes_of(check_surface(m)), "");
  auto open = m;
  open.triangles.pop_back();
  EXPECT_EQ(codes_of(check_surface(open, "a.stl")), "mesh-open");
  EXPECT_EQ(count_edges(open).open, 3u);
  EXPECT_EQ(check_surface(open, "a.stl")[0].file, "a.stl");
  auto inside_out = m;
  flip(inside_out);
  EXPECT_EQ(codes_of(check_surface(inside_out)), "mesh-orientation");
  EXPECT_LT(mass_properties(inside_out).mass, 0);
  auto one_flipped = m;
  std::swap(one_flipped.triangles[5][0], one_flipped.triangles[5][1]);
  EXPECT_EQ(codes_of(check_surface(one_flipped)), "mesh-orientation");
  auto doubled = m;
  doubled.triangles.push_back(doubled.triangles[0]);
  EXPECT_EQ(codes_of(check_surface(doubled)), "mesh-manifold");
  const TriangleMesh sheet{{{0, 0, 1000}, {1, 0, 1000}, {0, 1, 1000}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(codes_of(check_surface(sheet)), "mesh-zero-volume");
}

}  // namespace
}  // namespace lissom::test::mesh_mass
