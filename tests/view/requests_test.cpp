// Which requests the viewer's server refuses.
#include "lissom/view/requests.h"

#include <set>

#include <gtest/gtest.h>

namespace lissom::view {
namespace {

const std::string secret = "0123456789abcdef";
const Access here{.port = 8420, .loopback = true, .token = secret};
const Access everywhere{.port = 8420, .loopback = false, .token = secret};
const Target target{.path = "scene.json", .token = secret};

TEST(Requests, OnLoopbackTheHostMustBeThisMachine) {
  for (const char* host :
       {"127.0.0.1:8420", "localhost:8420", "[::1]:8420", "LOCALHOST:9000", "localhost", "127.0.0.2:1"})
    EXPECT_EQ(here.refusal(host, "", "", target), "") << host;
  for (const char* host :
       {"evil.example:8420", "127.0.0.1.evil:8420", "localhost.evil", "", "[", "[::2]:8420", "127.evil"})
    EXPECT_NE(here.refusal(host, "", "", target), "") << host;
}

TEST(Requests, AnOriginMustBeTheServerItself) {
  EXPECT_EQ(here.refusal("127.0.0.1:8420", "http://127.0.0.1:8420", "", target), "");
  for (const char* origin : {"http://evil.example", "https://127.0.0.1:8420", "http://localhost:8420", "null"})
    EXPECT_NE(here.refusal("127.0.0.1:8420", origin, "", target), "") << origin;
}

TEST(Requests, EveryRequestNeedsTheToken) {
  const auto refused = [](const char* asked, const char* cookies) {
    const bool elsewhere = !everywhere.refusal("robot.lan:8420", "", cookies, target_of(asked)).empty();
    EXPECT_EQ(!here.refusal("127.0.0.1:8420", "", cookies, target_of(asked)).empty(), elsewhere);
    return elsewhere;
  };
  EXPECT_TRUE(refused("/", ""));
  EXPECT_TRUE(refused("/?token=", ""));
  EXPECT_TRUE(refused("/?token=0123456789abcdeF", ""));
  EXPECT_TRUE(refused("/?token=0123456789abcde", ""));
  EXPECT_TRUE(refused("/?token=0123456789abcdef0", ""));
  EXPECT_TRUE(refused("/", "lissom_8421=0123456789abcdef"));
  EXPECT_TRUE(refused("/", "lissom_8420x=0123456789abcdef"));
  EXPECT_FALSE(refused("/?token=0123456789abcdef", ""));
  EXPECT_FALSE(refused("/scene.json?a=b&token=0123456789abcdef&c", ""));
  EXPECT_FALSE(refused("/", "other=1; lissom_8420=0123456789abcdef"));
}

TEST(Requests, PathsAreDecodedAndKeptAsTheyAre) {
  EXPECT_EQ(target_of("/meshes/0/my%20foot.stl?token=x").path, "meshes/0/my foot.stl");
  EXPECT_EQ(target_of("/../etc/passwd").path, "../etc/passwd");
  EXPECT_EQ(target_of("/%2e%2e/etc").path, "../etc");
  EXPECT_EQ(target_of("/50%").path, "50%");
  EXPECT_EQ(target_of("/a%zz").path, "a%zz");
  EXPECT_EQ(target_of("").path, "");
  EXPECT_EQ(target_of("?token=a%62c").token, "abc");
}

TEST(Requests, TokensDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(random_token());
  EXPECT_EQ(tokens.size(), 100u);
  for (const auto& token : tokens) EXPECT_EQ(token.size(), 32u);
}

}  // namespace
}  // namespace lissom::view
