#include "lissom/recording/zip.h"

#include "lissom/model/text.h"
#include "lissom/recording/byte_writer.h"
#include "lissom/recording/crc.h"
#include "lissom/recording/input_file.h"

namespace lissom::recording {
namespace {

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50,
                        end64_mark = 0x06064b50, locator_mark = 0x07064b50;
constexpr std::uint16_t version = 45;  // of readers that support sizes of eight bytes
constexpr std::uint16_t utf8_names = 1 << 11;
constexpr std::uint16_t stored = 0, extra64 = 1;
constexpr std::uint32_t see_extra = 0xffffffff;
constexpr std::uint16_t see_end64 = 0xffff;
constexpr std::uint16_t day = 0x21;  // 1 January 1980, always: the same recording gives the same bytes
constexpr std::size_t locator_bytes = 20;
constexpr const char* copy_again = "; the file is damaged: copy the original again";

}  // namespace

void ZipWriter::add(std::string_view name, std::string_view first, std::string_view second) {
  const Member member{std::string(name), file_.size(), first.size() + second.size(), crc32_of(second, crc32_of(first))};
  std::string head;
  ByteWriter to(head);
  to.number(local_mark).number(version).number(utf8_names).number(stored).number(std::uint16_t{0}).number(day);
  to.number(member.crc).number(see_extra).number(see_extra);
  to.number(std::uint16_t(name.size())).number(std::uint16_t{20}).bytes(name);
  to.number(extra64).number(std::uint16_t{16}).number(member.size).number(member.size);
  const std::string_view pieces[] = {head, first, second};
  file_.append(pieces);
  members_.push_back(member);
}

void ZipWriter::finish() {
  std::string out;
  ByteWriter to(out);
  for (const auto& member : members_) {
    to.number(central_mark).number(version).number(version).number(utf8_names).number(stored);
    to.number(std::uint16_t{0}).number(day).number(member.crc).number(see_extra).number(see_extra);
    to.number(std::uint16_t(member.name.size())).number(std::uint16_t{28}).number(std::uint16_t{0});
    to.number(std::uint16_t{0}).number(std::uint16_t{0}).number(std::uint32_t{0}).number(see_extra);
    to.bytes(member.name);
    to.number(extra64).number(std::uint16_t{24}).number(member.size).number(member.size).number(member.offset);
  }
  const std::uint64_t directory = file_.size(), size = out.size(), count = members_.size();
  to.number(end64_mark).number(std::uint64_t{44}).number(version).number(version);
  to.number(std::uint32_t{0}).number(std::uint32_t{0}).number(count).number(count).number(size).number(directory);
  to.number(locator_mark).number(std::uint32_t{0}).number(directory + size).number(std::uint32_t{1});
  to.number(end_mark).number(std::uint16_t{0}).number(std::uint16_t{0}).number(see_end64).number(see_end64);
  to.number(see_extra).number(see_extra).number(std::uint16_t{0});
  file_.append(out);
}

namespace {

class ZipReader {
 public:
  ZipReader(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  std::map<std::string, ZipMember> read() {
    find_directory();
    auto directory = at(directory_, "the directory");
    std::map<std::string, ZipMember> members;
    for (std::uint64_t k = 0; k < count_; ++k) {
      auto [name, member] = next(directory);
      members[name] = member;
    }
    return members;
  }

 private:
  ByteReader at(std::uint64_t offset, const char* what) const {
    if (offset > bytes_.size())
      fail(path_, bytes_.size(), std::string(what) + " should be at byte " + std::to_string(offset) + copy_again);
    return {bytes_.substr(std::size_t(offset)), offset, path_};
  }
  void expect(ByteReader& from, std::uint32_t mark, const char* what) const {
    const auto offset = from.offset();
    if (from.number<std::uint32_t>(what) != mark) fail(path_, offset, "expected " + std::string(what) + copy_again);
  }

  void find_directory() {
    constexpr char mark[] = {'P', 'K', 5, 6};
    const auto end = bytes_.rfind(std::string_view(mark, 4));
    if (end == std::string_view::npos)
      fail(path_, bytes_.size(),
           "expected the directory of the archive at its end; the file is truncated: copy the original again");
    auto last = at(end, "the end of the directory");
    last.bytes(10, "the end of the directory");
    count_ = last.number<std::uint16_t>("the end of the directory");
    last.number<std::uint32_t>("the end of the directory");
    directory_ = last.number<std::uint32_t>("the end of the directory");
    if (end < locator_bytes) return;
    auto locator = at(end - locator_bytes, "the locator");
    if (locator.number<std::uint32_t>("the locator") != locator_mark) return;
    locator.number<std::uint32_t>("the locator");
    auto end64 = at(locator.number<std::uint64_t>("the locator"), "the end of the directory");
    expect(end64, end64_mark, "the end of the directory");
    end64.bytes(28, "the end of the directory");
    count_ = end64.number<std::uint64_t>("the end of the directory");
    end64.number<std::uint64_t>("the end of the directory");
    directory_ = end64.number<std::uint64_t>("the end of the directory");
  }

  // Reads the sizes and the offset of a member that do not fit into four bytes.
  static void take_extra(ByteReader extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& offset) {
    while (extra.left() >= 4) {
      const auto id = extra.number<std::uint16_t>("an extra field");
      const auto length = extra.number<std::uint16_t>("an extra field");
      const auto start = extra.offset();
      ByteReader field(extra.bytes(length, "an extra field"), start, extra.file());
      if (id != extra64) continue;
      for (auto* number : {&size, &packed, &offset})
        if (*number == see_extra) *number = field.number<std::uint64_t>("a size in an extra field");
    }
  }

  std::pair<std::string, ZipMember> next(ByteReader& directory) {
    const char* const what = "an entry of the directory";
    expect(directory, central_mark, what);
    directory.bytes(4, what);
    const auto flags = directory.number<std::uint16_t>(what);
    const auto method = directory.number<std::uint16_t>(what);
    directory.bytes(4, what);
    const auto crc = directory.number<std::uint32_t>(what);
    std::uint64_t packed = directory.number<std::uint32_t>(what), size = directory.number<std::uint32_t>(what);
    const auto name_size = directory.number<std::uint16_t>(what);
    const auto extra_size = directory.number<std::uint16_t>(what);
    const auto comment_size = directory.number<std::uint16_t>(what);
    directory.bytes(8, what);
    std::uint64_t offset = directory.number<std::uint32_t>(what);
    const std::string name(directory.bytes(name_size, what));
    const auto extra_at = directory.offset();
    take_extra({directory.bytes(extra_size, what), extra_at, path_}, size, packed, offset);
    directory.bytes(comment_size, what);
    if (method != stored || (flags & 1) != 0 || packed != size)
      directory.fail("member " + in_quotes(name) +
                     " is compressed or encrypted, expected a stored member as lissom and numpy.savez write it");
    // Members that share bytes would make a small file need as much memory as a huge one.
    if (size > bytes_.size() - taken_)
      directory.fail("the members together are larger than the file" + std::string(copy_again));
    taken_ += size;
    const auto member = content(name, offset, size);
    if (!crc32_matches(member.content, crc))
      fail(path_, member.offset, "the checksum of member " + in_quotes(name) + " is wrong" + copy_again);
    return {name, member};
  }

  ZipMember content(const std::string& name, std::uint64_t offset, std::uint64_t size) const {
    auto local = at(offset, "a member");
    expect(local, local_mark, "a member");
    local.bytes(22, "a member");
    const auto name_size = local.number<std::uint16_t>("a member");
    const auto extra_size = local.number<std::uint16_t>("a member");
    if (local.bytes(name_size, "the name of a member") != name)
      fail(path_, offset, "expected member " + in_quotes(name) + copy_again);
    local.bytes(extra_size, "the head of a member");
    const auto start = local.offset();
    return {local.bytes(size, "a member"), start};
  }

  const std::string& path_;
  std::string_view bytes_;
  std::uint64_t directory_ = 0, count_ = 0, taken_ = 0;
};

}  // namespace

std::map<std::string, ZipMember> read_zip(const std::string& path, std::string_view bytes) {
  return ZipReader(path, bytes).read();
}

}  // namespace lissom::recording
