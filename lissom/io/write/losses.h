#pragma once
// What a format cannot say about a robot. Not installed.
#include "lissom/io/write/write.h"
#include "lissom/model/diagnostic_list.h"

namespace lissom::io::write {

// "a loop", "an actuator"
inline std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

class Losses {
 public:
  // What the reader has left out, as the options say, is lost already.
  Losses(const Description& description, Format format, const WriteOptions& options);

  // Nothing in the file says it. `instead` is what the file says instead; empty: it is left out.
  void lost(const char* code, int line, std::string subject, const std::string& what, const std::string& instead = {});
  // It is said by other means of the format, with the same motion.
  void replaced(const char* code, int line, std::string subject, const std::string& what, const std::string& instead);
  // Only an extension says it; without extensions it is lost.
  void extended(const char* code, int line, std::string subject, const std::string& what);

  // What a reader has kept, and only an extension says here.
  void unused(int line, std::string subject, const std::string& attribute);

  // The file of a mesh is not there.
  void missing_mesh(int line, std::string subject, std::string what, std::string instead);

  bool extensions() const { return extensions_; }
  const char* format() const { return format_; }
  std::size_t not_read() const { return not_read_; }  // losses that are due to the reader
  std::vector<Diagnostic> take();

 private:
  void add(Severity severity, const char* code, int line, std::string subject, std::string message, std::string remedy);

  const Description& description_;
  const char* format_;
  bool extensions_;
  std::size_t not_read_ = 0;
  DiagnosticList found_;
};

}  // namespace lissom::io::write
