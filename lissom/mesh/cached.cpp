#include "lissom/mesh/cached.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "lissom/files/cache.h"
#include "lissom/files/hash.h"
#include "lissom/mesh/bytes.h"

namespace lissom::mesh {
namespace {

// To be raised when a reader or the decomposition gives other results for the same file. The byte order of the machine
// is a part of it.
std::string cache_version() {
  return std::string("lissom mesh 1 ") + (std::endian::native == std::endian::little ? "l" : "b");
}

std::string exactly(double number) {
  char text[40];
  std::snprintf(text, sizeof text, " %a", number);
  return text;
}

std::string key_of(std::string_view content, const std::string& name, const LoadOptions& options) {
  const auto dot = name.rfind('.');
  return cache_version() + " file " + to_text(hash_of(content)) + " " + std::to_string(content.size()) +
         exactly(options.scale.x) + exactly(options.scale.y) + exactly(options.scale.z) + " " +
         std::to_string(int(options.up_axis)) + std::to_string(int(options.accept_points)) + " " +
         std::to_string(options.max_document_bytes) + " " + std::to_string(options.max_triangles) + " " +
         (dot == std::string::npos ? "" : name.substr(dot));
}

std::string key_of(const TriangleMesh& mesh, const DecomposeOptions& options) {
  std::string content;
  append_mesh(mesh, content);
  return cache_version() + " hulls " + to_text(hash_of(content)) + " " + std::to_string(content.size()) + " " +
         std::to_string(options.max_hulls) + exactly(options.max_concavity) + " " + std::to_string(options.resolution) +
         " " + std::to_string(options.max_vertices);
}

template <class T>
void append_number(T number, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}
template <class T>
bool take_number(std::string_view& bytes, T& number) {
  if (bytes.size() < sizeof number) return false;
  std::ranges::copy(bytes.substr(0, sizeof number), reinterpret_cast<char*>(&number));
  bytes.remove_prefix(sizeof number);
  return true;
}

void append_text(const std::string& text, std::string& bytes) {
  append_number(std::uint64_t(text.size()), bytes);
  bytes += text;
}
bool take_text(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (!take_number(bytes, size) || size > bytes.size()) return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

bool take_findings(std::string_view& bytes, const std::string& name, std::vector<Diagnostic>& findings) {
  std::uint64_t count = 0;
  if (!take_number(bytes, count)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    Diagnostic finding;
    std::uint8_t severity = 0;
    std::int32_t line = 0;
    if (!take_number(bytes, severity) || severity > 2 || !take_number(bytes, line) || !take_text(bytes, finding.code) ||
        !take_text(bytes, finding.message) || !take_text(bytes, finding.remedy))
      return false;
    finding.severity = Severity(severity);
    finding.line = line;
    finding.file = name;
    findings.push_back(std::move(finding));
  }
  return true;
}

}  // namespace

void append_mesh(const TriangleMesh& mesh, std::string& bytes) {
  append_number(std::uint64_t(mesh.vertices.size()), bytes);
  append_number(std::uint64_t(mesh.triangles.size()), bytes);
  auto at = bytes.size();
  bytes.resize(at + 24 * mesh.vertices.size() + 12 * mesh.triangles.size());
  for (const auto& p : mesh.vertices) {
    const double numbers[3] = {p.x, p.y, p.z};
    std::memcpy(bytes.data() + at, numbers, sizeof numbers);
    at += sizeof numbers;
  }
  if (!mesh.empty()) std::memcpy(bytes.data() + at, mesh.triangles.data(), 12 * mesh.triangles.size());
}

bool take_mesh(std::string_view& bytes, TriangleMesh& mesh) {
  std::uint64_t vertices = 0, triangles = 0;
  if (!take_number(bytes, vertices) || !take_number(bytes, triangles)) return false;
  if (vertices > bytes.size() / 24 || triangles > (bytes.size() - 24 * vertices) / 12) return false;
  mesh.vertices.reserve(vertices);
  for (std::uint64_t i = 0; i < vertices; ++i) {
    double numbers[3];
    std::memcpy(numbers, bytes.data() + 24 * i, sizeof numbers);
    mesh.vertices.emplace_back(numbers[0], numbers[1], numbers[2]);
  }
  mesh.triangles.resize(triangles);
  if (triangles > 0) std::memcpy(mesh.triangles.data(), bytes.data() + 24 * vertices, 12 * triangles);
  bytes.remove_prefix(24 * vertices + 12 * triangles);
  for (const auto& t : mesh.triangles)
    if (t[0] >= vertices || t[1] >= vertices || t[2] >= vertices) return false;
  return true;
}

std::optional<LoadedMesh> find_mesh(std::string_view content, const std::string& name, const LoadOptions& options) {
  const auto entry = Cache().find_entry(key_of(content, name, options));
  if (!entry) return {};
  auto bytes = entry->content();
  LoadedMesh loaded;
  std::uint8_t format = 0;
  if (!take_number(bytes, format) || format > std::uint8_t(Format::msh) ||
      !take_findings(bytes, name, loaded.findings) || !take_mesh(bytes, loaded.mesh) || !bytes.empty())
    return {};
  loaded.format = Format(format);
  loaded.from_cache = true;
  return loaded;
}

void store_mesh(std::string_view content, const std::string& name, const LoadOptions& options,
                const LoadedMesh& loaded) {
  std::string bytes;
  append_number(std::uint8_t(loaded.format), bytes);
  append_number(std::uint64_t(loaded.findings.size()), bytes);
  for (const auto& finding : loaded.findings) {
    append_number(std::uint8_t(finding.severity), bytes);
    append_number(std::int32_t(finding.line), bytes);
    for (const auto* text : {&finding.code, &finding.message, &finding.remedy}) append_text(*text, bytes);
  }
  append_mesh(loaded.mesh, bytes);
  Cache().store(key_of(content, name, options), bytes);
}

std::optional<ConvexDecomposition> find_decomposition(const TriangleMesh& mesh, const DecomposeOptions& options) {
  const auto entry = Cache().find_entry(key_of(mesh, options));
  if (!entry) return {};
  auto bytes = entry->content();
  ConvexDecomposition result;
  std::uint64_t count = 0;
  if (!take_number(bytes, result.concavity) || !take_number(bytes, count) || count > options.max_hulls) return {};
  result.hulls.resize(count);
  for (auto& hull : result.hulls)
    if (!take_mesh(bytes, hull)) return {};
  if (!bytes.empty()) return {};
  result.from_cache = true;
  return result;
}

void store_decomposition(const TriangleMesh& mesh, const DecomposeOptions& options, const ConvexDecomposition& result) {
  std::string bytes;
  append_number(result.concavity, bytes);
  append_number(std::uint64_t(result.hulls.size()), bytes);
  for (const auto& hull : result.hulls) append_mesh(hull, bytes);
  Cache().store(key_of(mesh, options), bytes);
}

}  // namespace lissom::mesh
