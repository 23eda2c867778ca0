#pragma once
// The languages that code can be generated in.
#include <string_view>

namespace lissom::codegen {

enum class Language { cpp, c, cuda };

/// "c++", "c" or "cuda". Throws Error for other words.
Language language_of(std::string_view word);

}  // namespace lissom::codegen
