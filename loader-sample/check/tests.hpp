// The tests of `check`, by what they look at. A test returns where the plugin keeps the contract and throws
// a Finding where it doesn't.
#pragma once

#include <string_view>
#include <vector>

#include "check/subject.hpp"

namespace dsh::loader::check {

struct Test {
  std::string_view name;         ///< "tools.value"
  std::string_view description;  ///< what holds where it passes
  void (*run)(Subject &subject);
};

std::vector<Test> library_tests();
std::vector<Test> config_tests();
std::vector<Test> service_tests();
std::vector<Test> handle_tests();
std::vector<Test> life_tests();
std::vector<Test> leak_tests();
std::vector<Test> tool_tests();
std::vector<Test> tool_failure_tests();
std::vector<Test> invariant_tests();
std::vector<Test> projection_tests();
std::vector<Test> observer_tests();
std::vector<Test> process_tests();
std::vector<Test> host_tests();

/// All of them, in the order in which they run; the first, "library.opens", decides whether the others can.
std::vector<Test> all_tests();

}  // namespace dsh::loader::check
