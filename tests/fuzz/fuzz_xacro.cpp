// xacro: the bytes are a file of macros, which may include itself; a YAML file; and an expression.
#include <algorithm>

#include "lissom/io/read.h"
#include "lissom/io/xacro/xacro.h"
#include "lissom/model/text.h"
#include "targets.h"

namespace lissom::fuzz {
namespace {

void check(const io::xacro::Expansion& expansion) {
  for (const auto& d : expansion.diagnostics)
    expect(!d.code.empty() && !d.message.empty() && !d.remedy.empty(), "a diagnostic has words");
  expect(expansion.usable() != expansion.text.empty(), "there is a text if there is no error");
  if (!expansion.usable()) return;
  const auto again = io::read_text(expansion.text, "expanded.urdf", {.check_meshes = false});
  for (const auto& d : again.diagnostics)
    expect(d.code != "xml-syntax" && d.code != "not-text" && d.code != "doctype",
           "the expanded file is well-formed XML");
}

}  // namespace

void xacro(std::string_view input) {
  static InputFile file;
  const auto& path = file.write(input);
  check(io::xacro::expand(path, {.xacro_arguments = {{"x", "1"}}}));
  io::read(path, {.check_meshes = false});
  const std::string beside = path + ".xacro", root = "<robot xmlns:xacro=\"x\">";
  check(io::xacro::expand_text(root + "<a>${xacro.load_yaml('input')}</a></robot>", beside));
  check(io::xacro::expand_text(root + "<a>${" + in_xml(input.substr(0, 4000)) + "}</a></robot>", beside));
}

}  // namespace lissom::fuzz
