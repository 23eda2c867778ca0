#include "lissom/io/write/losses.h"

#include "lissom/io/write/left_out.h"
#include "lissom/model/source_place.h"
#include "lissom/model/text.h"

namespace lissom::io::write {

Losses::Losses(const Description& description, Format format, const WriteOptions& options)
    : description_(description), format_(to_string(format)), extensions_(options.extensions) {
  for (auto& loss : left_out(options.findings)) found_.add(std::move(loss)), ++not_read_;
}

void Losses::add(Severity severity, const char* code, int line, std::string subject, std::string message,
                 std::string remedy) {
  const auto [file, line_of_file] = place_of(description_, line);
  found_.add({severity, code, file, line_of_file, std::move(subject), std::move(message), std::move(remedy)});
}

void Losses::lost(const char* code, int line, std::string subject, const std::string& what,
                  const std::string& instead) {
  add(Severity::warning, code, line, std::move(subject), what + ", which " + format_ + " cannot say",
      instead.empty() ? "it is left out" : instead);
}

void Losses::replaced(const char* code, int line, std::string subject, const std::string& what,
                      const std::string& instead) {
  add(Severity::note, code, line, std::move(subject), what, instead);
}

void Losses::extended(const char* code, int line, std::string subject, const std::string& what) {
  if (!extensions_) return lost(code, line, std::move(subject), what);
  add(Severity::note, code, line, std::move(subject), what + ", which " + format_ + " cannot say",
      "it is written as an extension, which only lissom reads");
}

void Losses::unused(int line, std::string subject, const std::string& attribute) {
  add(extensions_ ? Severity::note : Severity::warning, "kept", line, std::move(subject),
      attribute.empty() ? "lissom keeps it, and does not use it"
                        : "its attribute " + in_quotes(attribute) + " is not used by lissom",
      extensions_ ? "it is written as an extension, which only lissom reads" : "it is left out");
}

void Losses::missing_mesh(int line, std::string subject, std::string what, std::string instead) {
  add(Severity::warning, "mesh-missing", line, std::move(subject), std::move(what), std::move(instead));
}

std::vector<Diagnostic> Losses::take() {
  auto found = found_.take();
  sort_by_place(found, description_.sources);
  return found;
}

}  // namespace lissom::io::write
