"""The finder of functions that sizes.py stands on, put to what could mislead it."""
import unittest

from cpp_functions import functions

SOURCE = r'''
#define OPEN {
namespace a::b {
// a comment {
template <class T, int n = (3 > 2)>
struct Box {
  Box(int x) : x_{x}, y_(x) {
    use("} {");
  }
  int size() const { return 1'000; }
  std::function<void(int)> call{};
  std::vector<int> list = {1, 2, 3};

 private:
  int x_{0};
};
constexpr double numbers[] = {
    1,
    2,
};
const char* text = R"(
  void not_a_function() {
)";
template <class T>
auto sum(const Box<T>& a,
         char c = '{') -> Box<T> {
  const auto inner = [&](int i) { return i; };
  if (a < c) {
    return {};
  }
  return inner(1);
}
bool Box<int>::operator<(const Box& b) const {
  return true;
}
TEST(Case, Name) {
}
}  // namespace a::b
'''


class Functions(unittest.TestCase):
    def test_found_with_their_lines(self):
        found = [(name, last - first + 1) for name, first, last in functions(SOURCE)]
        self.assertEqual(found, [("Box", 3), ("size", 1), ("sum", 9), ("Box::operator", 3), ("TEST(Case, Name)", 2)])


if __name__ == "__main__":
    unittest.main()
