#include "services/abi_call.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "support/error_of.hpp"

namespace dsh::loader {
namespace {

std::int32_t write(const Sink &sink, std::string_view text) {
  return sink.abi()->write(sink.abi()->ctx, text.data(), text.size());
}

void set(const ErrorSink &sink, std::string_view text, const char *name = nullptr,
         const char *code = nullptr) {
  sink.abi()->set(sink.abi()->ctx, text.data(), text.size(), name, code);
}

TEST(FromAbi, a_null_with_a_size_is_empty) { EXPECT_EQ(from_abi({nullptr, 5}), ""); }

TEST(Sink, joins_what_is_written) {
  std::string text;
  const Sink sink(text);
  EXPECT_EQ(write(sink, "a"), DSH_OK);
  EXPECT_EQ(write(sink, {}), DSH_OK);
  EXPECT_EQ(write(sink, "bc"), DSH_OK);
  EXPECT_EQ(text, "abc");
}

TEST(Sink, once_it_refused_it_refuses_all_that_follows) {
  std::string text;
  const Sink sink(text);
  EXPECT_EQ(sink.abi()->write(sink.abi()->ctx, nullptr, 1), DSH_ERROR);
  EXPECT_EQ(write(sink, "a"), DSH_ERROR);
  EXPECT_EQ(sink.refusal(), DSH_ERROR);
  EXPECT_EQ(text, "");
}

TEST(ErrorSink, keeps_what_was_said_last) {
  const ErrorSink sink;
  set(sink, "first", "Name", "CODE");
  set(sink, "second \xff", "Other");
  const Error error = sink.error("tool \"x\"", 7);
  EXPECT_EQ(error.text(), "second \uFFFD");
  EXPECT_EQ(error.name(), "Other");
  EXPECT_EQ(error.code(), "");
}

TEST(ErrorSink, a_word_without_end_is_cut_off) {
  const ErrorSink sink;
  const std::string endless(10'000, 'n');
  set(sink, "text", endless.c_str());
  EXPECT_EQ(sink.error("x", 1).name().size(), 256U);
}

TEST(ErrorSink, what_was_not_said_the_status_says) {
  const ErrorSink sink;
  EXPECT_EQ(sink.error("tool \"x\"", 7).text(), "tool \"x\" failed with status 7");
  EXPECT_EQ(sink.error("tool \"x\"", DSH_NO_MEMORY).text(), "tool \"x\" ran out of memory");
  set(sink, "said");
  EXPECT_EQ(sink.error("tool \"x\"", threw).text(), "tool \"x\" broke the contract: an exception left it");
}

TEST(Guarded, an_exception_ends_here) {
  EXPECT_EQ(guarded([]() -> std::int32_t { return 5; }), 5);
  EXPECT_EQ(guarded([]() -> std::int32_t { throw 1; }), threw);
}

TEST(Guarded, a_sink_that_refused_fails_a_call_that_did_not) {
  std::string text;
  const Sink sink(text);
  EXPECT_EQ(guarded_write([&] { return write(sink, "a"); }, sink), DSH_OK);
  const auto ignores = [&](std::int32_t status) {
    return [&sink, status] {
      (void)sink.abi()->write(sink.abi()->ctx, nullptr, 1);
      return status;
    };
  };
  EXPECT_EQ(guarded_write(ignores(DSH_OK), sink), DSH_ERROR);
  EXPECT_EQ(guarded_write(ignores(5), sink), 5);
}

TEST(WrittenJson, is_put_on_one_line) {
  std::string json = "{ \"a\":\n1 }";
  check_written_json(json, "tool", "x", "value");
  EXPECT_EQ(json, R"({"a":1})");
}

TEST(WrittenJson, that_is_none_is_told_with_its_place) {
  std::string json = "[1,";
  const std::string error = error_of([&] { check_written_json(json, "tool", "x", "value"); });
  EXPECT_EQ(error.rfind("tool \"x\" gave a value that is not JSON: ", 0), 0U) << error;
  EXPECT_NE(error.find(" at byte 3"), std::string::npos) << error;
}

/// What a plugin hears, and the status, when a function of the host throws.
template <typename Thrown>
std::pair<std::int32_t, std::string> heard(const Thrown &thrown) {
  const ErrorSink sink;
  try {
    throw thrown;
  } catch (...) {
    const std::int32_t status = fail_with_thrown(sink.abi(), "unknown");
    const Error error = sink.error("nothing", status);
    return {status, error.text() + '|' + error.name() + '|' + error.code()};
  }
}

TEST(Fail, tells_a_plugin_what_was_thrown) {
  using Heard = std::pair<std::int32_t, std::string>;
  EXPECT_EQ(heard(Error("text", "Name", "CODE")), Heard(DSH_ERROR, "text|Name|CODE"));
  EXPECT_EQ(heard(std::runtime_error("text")), Heard(DSH_ERROR, "text||"));
  EXPECT_EQ(heard(1), Heard(DSH_ERROR, "unknown||"));
  EXPECT_EQ(heard(std::bad_alloc()), Heard(DSH_NO_MEMORY, "nothing ran out of memory||"));
}

TEST(Fail, a_plugin_that_gave_no_sink_hears_nothing) {
  EXPECT_EQ(fail(nullptr, "text"), DSH_ERROR);
  const dsh_error none{};
  EXPECT_EQ(fail(&none, "text"), DSH_ERROR);
}

}  // namespace
}  // namespace dsh::loader
