#pragma once
// Manual pages (roff), made from the definitions of the verbs.
#include <string>

namespace CLI {
class App;
}

std::string manual_page(const CLI::App& app);
std::string manual_page(const CLI::App& app, const CLI::App& verb);
