#include "check/isolated.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "text/error.hpp"

namespace dsh::loader::check {
namespace {

using std::chrono::milliseconds;

Outcome run(const Body &test, milliseconds limit = milliseconds(20'000)) {
  Outcome one;
  run_isolated({test}, limit, 1, [&one](std::size_t, Outcome outcome) { one = std::move(outcome); });
  return one;
}

TEST(Isolated, tells_how_a_test_ended) {
  EXPECT_EQ(run([](const Place &) {}).verdict, Verdict::passed);
  const Outcome failed = run([](const Place &) { fail("the cause, \"quoted\"\nand on two lines"); });
  EXPECT_EQ(failed.verdict, Verdict::failed);
  EXPECT_EQ(failed.cause, "the cause, \"quoted\"\nand on two lines");
  EXPECT_EQ(run([](const Place &) { warn("w"); }).verdict, Verdict::warning);
  EXPECT_EQ(run([](const Place &) { skip("s"); }).verdict, Verdict::skipped);
  EXPECT_EQ(run([](const Place &) { throw std::runtime_error("thrown"); }).cause, "thrown");
}

TEST(Isolated, survives_what_the_test_does_to_its_process) {
  const Outcome killed = run([](const Place &place) {
    place.step("about to fall");
    std::raise(SIGKILL);
  });
  EXPECT_EQ(killed.verdict, Verdict::crashed);
  EXPECT_EQ(killed.cause, "crashed with SIGKILL: about to fall");
  const Outcome left = run([](const Place &place) {
    place.step("leaving");
    ::_exit(7);
  });
  EXPECT_EQ(left.cause, "ended the process with exit status 7: leaving");
}

TEST(Isolated, tells_that_its_report_was_cut_off) {
  const auto closing = [](const Place &place) {
    place.step("about to close");
    for (int descriptor = 0; descriptor < 256; ++descriptor) ::close(descriptor);
    place.step("unheard");
  };
  const Outcome closed = run(closing);
  EXPECT_EQ(closed.verdict, Verdict::failed);
  EXPECT_EQ(closed.cause,
            "the descriptor through which the test reports was closed: a plugin closes none but its own; "
            "the last report: about to close");
  const Outcome left = run([&closing](const Place &place) {
    closing(place);
    ::_exit(0);
  });
  EXPECT_EQ(left.verdict, Verdict::crashed);
  EXPECT_EQ(left.cause, "ended the process with exit status 0: about to close");
}

TEST(Isolated, takes_causes_that_hold_any_bytes) {
  const std::string cause("a\0b\xff\x1b", 5);
  EXPECT_EQ(run([&](const Place &) { fail(cause); }).cause, cause);
  EXPECT_EQ(run([&](const Place &) { throw Error(cause); }).cause, cause);
}

TEST(Isolated, ends_what_does_not_end) {
  const Outcome outcome = run(
      [](const Place &place) {
        place.step("waiting");
        for (;;) ::pause();
      },
      milliseconds(300));
  EXPECT_EQ(outcome.verdict, Verdict::crashed);
  EXPECT_EQ(outcome.cause, "did not end within 300 ms: waiting");
  EXPECT_LT(outcome.seconds, 15.0);
}

TEST(Isolated, does_not_wait_for_what_a_test_left_running) {
  const Outcome outcome = run([](const Place &) {
    if (::fork() == 0)
      for (;;) ::pause();
  });
  EXPECT_EQ(outcome.verdict, Verdict::passed);
  EXPECT_LT(outcome.seconds, 15.0);
}

TEST(Isolated, catches_what_is_printed) {
  const Outcome outcome = run([](const Place &place) {
    std::puts("hello");
    std::fputs("trouble\n", stderr);
    fail(place.printed(1) + place.printed(2));
  });
  EXPECT_EQ(outcome.cause, "hello\ntrouble\n");
}

TEST(Isolated, takes_long_causes) {
  const std::string cause(1'000'000, 'x');
  EXPECT_EQ(run([&](const Place &) { fail(cause); }).cause, cause);
}

TEST(Isolated, runs_tests_at_the_same_time) {
  // Each waits for a byte of the other: one after the other they would never end.
  int to_first[2], to_second[2];
  ASSERT_EQ(::pipe(to_first), 0);
  ASSERT_EQ(::pipe(to_second), 0);
  const auto meet = [](int other, int own) {
    char byte = 'x';
    require(::write(other, &byte, 1) == 1 && ::read(own, &byte, 1) == 1, "nobody came");
  };
  const std::vector<Body> tests = {[&](const Place &) { meet(to_second[1], to_first[0]); },
                                   [&](const Place &) { meet(to_first[1], to_second[0]); }};
  std::set<std::size_t> passed;
  run_isolated(tests, milliseconds(20'000), 2, [&passed](std::size_t number, const Outcome &outcome) {
    if (outcome.verdict == Verdict::passed) passed.insert(number);
  });
  EXPECT_EQ(passed, (std::set<std::size_t>{0, 1}));
  for (const int end : {to_first[0], to_first[1], to_second[0], to_second[1]}) ::close(end);
}

TEST(Isolated, keeps_apart_what_tests_tell) {
  std::vector<Body> tests;
  for (int i = 0; i < 12; ++i)
    tests.emplace_back([i](const Place &) {
      if (i % 3 == 0) std::raise(SIGKILL);
      fail("number " + std::to_string(i));
    });
  std::vector<std::string> causes(tests.size());
  run_isolated(tests, milliseconds(20'000), 5,
               [&causes](std::size_t number, const Outcome &outcome) { causes[number] = outcome.cause; });
  for (std::size_t i = 0; i < causes.size(); ++i)
    EXPECT_EQ(causes[i], i % 3 == 0 ? "crashed with SIGKILL" : "number " + std::to_string(i));
}

TEST(Isolated, in_place_is_the_same_without_a_process) {
  EXPECT_EQ(run_in_place([](const Place &) { fail("here"); }).cause, "here");
  EXPECT_EQ(run_in_place([](const Place &) {}).verdict, Verdict::passed);
}

}  // namespace
}  // namespace dsh::loader::check
