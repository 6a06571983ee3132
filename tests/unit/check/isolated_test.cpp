#include "check/isolated.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace dsh::loader::check {
namespace {

using std::chrono::milliseconds;

Outcome run(const std::function<void(const Step &)> &test, milliseconds limit = milliseconds(20'000)) {
  return run_isolated(test, limit);
}

TEST(Isolated, tells_how_a_test_ended) {
  EXPECT_EQ(run([](const Step &) {}).verdict, Verdict::passed);
  const Outcome failed = run([](const Step &) { fail("the cause, \"quoted\"\nand on two lines"); });
  EXPECT_EQ(failed.verdict, Verdict::failed);
  EXPECT_EQ(failed.cause, "the cause, \"quoted\"\nand on two lines");
  EXPECT_EQ(run([](const Step &) { warn("w"); }).verdict, Verdict::warning);
  EXPECT_EQ(run([](const Step &) { skip("s"); }).verdict, Verdict::skipped);
  EXPECT_EQ(run([](const Step &) { throw std::runtime_error("thrown"); }).cause, "thrown");
}

TEST(Isolated, survives_what_the_test_does_to_its_process) {
  const Outcome killed = run([](const Step &step) {
    step("about to fall");
    std::raise(SIGKILL);
  });
  EXPECT_EQ(killed.verdict, Verdict::crashed);
  EXPECT_EQ(killed.cause, "crashed with SIGKILL: about to fall");
  const Outcome left = run([](const Step &step) {
    step("leaving");
    ::_exit(7);
  });
  EXPECT_EQ(left.cause, "ended the process with exit status 7: leaving");
  const Outcome closed = run([](const Step &) {
    for (int descriptor = 0; descriptor < 64; ++descriptor) ::close(descriptor);
  });
  EXPECT_EQ(closed.verdict, Verdict::crashed);
}

TEST(Isolated, ends_what_does_not_end) {
  const Outcome outcome = run(
      [](const Step &step) {
        step("waiting");
        for (;;) ::pause();
      },
      milliseconds(300));
  EXPECT_EQ(outcome.verdict, Verdict::crashed);
  EXPECT_EQ(outcome.cause, "did not end within 300 ms: waiting");
  EXPECT_LT(outcome.seconds, 15.0);
}

TEST(Isolated, does_not_wait_for_what_a_test_left_running) {
  const Outcome outcome = run([](const Step &) {
    if (::fork() == 0) {
      for (;;) ::pause();
    }
  });
  EXPECT_EQ(outcome.verdict, Verdict::passed);
  EXPECT_LT(outcome.seconds, 15.0);
}

TEST(Isolated, catches_what_is_printed) {
  const Outcome outcome = run([](const Step &) {
    std::puts("hello");
    std::fputs("trouble\n", stderr);
    fail(printed_to(1) + printed_to(2));
  });
  EXPECT_EQ(outcome.cause, "hello\ntrouble\n");
}

TEST(Isolated, takes_long_causes) {
  const std::string cause(1'000'000, 'x');
  EXPECT_EQ(run([&](const Step &) { fail(cause); }).cause, cause);
}

TEST(Isolated, in_place_is_the_same_without_a_process) {
  EXPECT_EQ(run_in_place([](const Step &) { fail("here"); }).cause, "here");
  EXPECT_EQ(run_in_place([](const Step &) {}).verdict, Verdict::passed);
}

}  // namespace
}  // namespace dsh::loader::check
