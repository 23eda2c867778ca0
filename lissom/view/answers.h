#pragma once
// Answers the questions of a page (docs/stream.md): matrices of a state, a link that is pulled, a frame that is to
// reach a pose.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/model.h"

namespace lissom::view {

/// Belongs to one caller at a time.
class Answers {
 public:
  explicit Answers(const std::vector<Model>& robots);
  ~Answers();
  Answers(Answers&&) noexcept;

  /// The names of all questions.
  static std::vector<std::string> abilities();
  /// The answer, JSON text; to a question that makes no sense, one with `error`. Throws nothing because of a question.
  std::string answer(std::string_view question);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::view
