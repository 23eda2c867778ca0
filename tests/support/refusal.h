#pragma once
// What a function that must throw says.
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "lissom/model/diagnostic.h"

namespace lissom::test {

// The message of the Error that f throws; the test fails if it throws nothing, or something else.
inline std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& other) {
    ADD_FAILURE() << "not a lissom::Error: " << other.what();
    return "";
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace lissom::test
