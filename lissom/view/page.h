#pragma once
// The page of the viewer: one file, which was built into the library; and saved pages, which have their data inside.
#include <string>
#include <string_view>

#include "lissom/view/scene.h"

namespace lissom::view {

/// The page. Empty if the library was built without it, because there was no Node.js.
std::string_view page();
/// The page; throws an Error that says why there is none.
std::string_view expect_page();

/// The page of a server, with the text of scene.json inside, so that it shows the scene without asking for it. Throws
/// an Error if there is no page.
std::string page_with_scene(std::string_view scene_json);
/// A page with the scene inside, which opens without a server. Throws an Error if there is no page.
std::string saved_page(const Scene& scene);

}  // namespace lissom::view
