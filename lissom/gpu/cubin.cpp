#include "lissom/gpu/cubin.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "lissom/model/diagnostic.h"

namespace lissom::gpu {
namespace {

// The parts of ELF's 64-bit headers that are read here.
struct FileHeader {
  unsigned char identification[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_headers, section_headers;
  std::uint32_t flags;
  std::uint16_t size, program_header_size, program_header_count, section_header_size, section_count, names;
};
struct SectionHeader {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};
struct Symbol {
  std::uint32_t name;
  unsigned char info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};
constexpr std::uint32_t no_bits = 8;

class Reader {
 public:
  explicit Reader(std::span<const char> bytes) : bytes_(bytes) {}

  bool read_headers() {
    const auto header = at<FileHeader>(0);
    if (!header || std::memcmp(header->identification, "\177ELF\2\1", 6) != 0) return false;
    for (int i = 0; i < header->section_count; ++i) {
      const auto section = at<SectionHeader>(header->section_headers + std::uint64_t(i) * sizeof(SectionHeader));
      if (!section) return false;
      sections_.push_back(*section);
    }
    if (header->names >= sections_.size()) return false;
    names_ = sections_[header->names];
    return true;
  }
  const SectionHeader* section(std::string_view name) const {
    for (const auto& s : sections_)
      if (text(names_, s.name) == name) return &s;
    return nullptr;
  }
  // The index of a symbol in the table of symbols.
  std::optional<std::uint32_t> symbol(std::string_view name) const {
    const auto* const table = section(".symtab");
    if (!table || table->link >= sections_.size()) return {};
    for (std::uint64_t i = 0; i < table->size / sizeof(Symbol); ++i) {
      const auto s = at<Symbol>(table->offset + i * sizeof(Symbol));
      if (s && text(sections_[table->link], s->name) == name) return std::uint32_t(i);
    }
    return {};
  }
  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return {};
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

 private:
  std::string_view text(const SectionHeader& strings, std::uint32_t offset) const {
    const auto begin = strings.offset + offset;
    if (strings.type == no_bits || begin >= bytes_.size()) return {};
    const char* const from = bytes_.data() + begin;
    return {from, ::strnlen(from, bytes_.size() - begin)};
  }

  std::span<const char> bytes_;
  std::vector<SectionHeader> sections_;
  SectionHeader names_{};
};

// The compiler's notes about a function: records of a form, an attribute and a size; of some attributes the content is
// the index of a function, and a number.
int note_of(const Reader& reader, std::uint32_t function, unsigned char attribute) {
  constexpr unsigned char with_content = 4;
  const auto* const notes = reader.section(".nv.info");
  if (!notes) return 0;
  struct Note {
    unsigned char form, attribute;
    std::uint16_t size;
  };
  struct OfFunction {
    std::uint32_t function, value;
  };
  for (std::uint64_t at = notes->offset; at < notes->offset + notes->size;) {
    const auto note = reader.at<Note>(at);
    if (!note) return 0;
    at += sizeof(Note);
    if (note->form != with_content) continue;
    if (note->attribute == attribute && note->size == sizeof(OfFunction))
      if (const auto content = reader.at<OfFunction>(at); content && content->function == function)
        return int(content->value);
    at += note->size;
  }
  return 0;
}

}  // namespace

KernelResources resources_of(std::span<const char> machine_code, const std::string& kernel) {
  constexpr unsigned char frame_size = 0x11, register_count = 0x2f;
  Reader reader(machine_code);
  if (!reader.read_headers()) throw Error("kernel " + kernel + ": the compiled kernel is no machine code (ELF file)");
  const auto* const code = reader.section(".text." + kernel);
  const auto symbol = reader.symbol(kernel);
  if (!symbol) throw Error("kernel " + kernel + ": the compiled kernel has no function of this name");
  return {.registers = note_of(reader, *symbol, register_count),
          .local_bytes = note_of(reader, *symbol, frame_size),
          .code_bytes = code ? long(code->size) : 0};
}

}  // namespace lissom::gpu
