#include "log/zstd_source.hpp"

#include <gtest/gtest.h>

#include "support/log_generator.hpp"
#include "support/zstd_log.hpp"
#include "text/error.hpp"
#include "unit/log/text_source.hpp"

namespace dsh::loader {
namespace {

struct Unpacked {
  std::string text;
  bool torn = false;
  std::string error;
};

Unpacked unpack(const std::string &packed, std::size_t piece = 5, std::size_t step = 11) {
  TextSource source(packed, piece);
  ZstdSource frames(source);
  Unpacked result;
  std::string room(step, '\0');
  try {
    while (const std::size_t got = frames.read(room.data(), room.size())) result.text.append(room, 0, got);
    result.torn = frames.torn();
  } catch (const Error &error) {
    result.error = error.text();
  }
  return result;
}

TEST(ZstdSource, frames_are_one_text_however_small_the_pieces) {
  const std::string text = generate_log({.bytes = 30'000, .id = "s"});
  for (const std::size_t lines : {1, 7, 1000}) {
    for (const std::size_t piece : {1, 13, 1 << 20}) {
      const Unpacked unpacked = unpack(zstd_log(text, lines), piece, piece + 1);
      EXPECT_EQ(unpacked.text, text) << unpacked.error;
      EXPECT_FALSE(unpacked.torn);
    }
  }
}

TEST(ZstdSource, a_last_frame_cut_anywhere_is_torn_and_keeps_what_came_out) {
  const std::string start = zstd_frame("header\n") + zstd_frame("one\ntwo\n");
  const std::string last = zstd_frame("three\nfour\n");
  for (std::size_t size = 1; size < last.size(); ++size) {
    const Unpacked unpacked = unpack(start + last.substr(0, size));
    EXPECT_EQ(unpacked.error, "") << size;
    EXPECT_TRUE(unpacked.torn) << size;
    EXPECT_EQ(unpacked.text.substr(0, 15), "header\none\ntwo\n") << size;
  }
  EXPECT_FALSE(unpack(start + last).torn);
}

TEST(ZstdSource, a_window_that_is_too_large_is_a_limit_and_no_damage) {
  for (const int log_of_window : {28, 30, 31}) {
    // Magic, no flags, the window: as `zstd --long=30` writes it. The first block is never reached.
    const std::string frame = std::string("\x28\xB5\x2F\xFD\0", 5) +
                              static_cast<char>((log_of_window - 10) << 3) + std::string(8, '\0');
    const std::string first = zstd_frame("header\n");
    EXPECT_EQ(unpack(first + frame).error,
              "the Zstandard frame at byte " + std::to_string(first.size()) +
                  " needs a window of more than 128 MiB, which this program does not read; compress the log "
                  "again without --long");
  }
}

TEST(ZstdSource, the_first_frame_is_the_header_line_alone) {
  const std::string rest = zstd_frame("one\n");
  for (const char *first : {"header", "header\none\n", "header\no", ""})
    EXPECT_EQ(unpack(zstd_frame(first) + rest).error,
              "corrupt Zstandard session log: first frame is not exactly one header line")
        << first;
}

TEST(ZstdSource, what_is_no_frame_is_told_with_its_place) {
  EXPECT_EQ(unpack("plain text\n").error, "corrupt Zstandard session log: not Zstandard data");
  EXPECT_EQ(unpack("").error, "empty or header-less Zstandard session log");
  const std::string start = zstd_frame("header\n");
  const std::string at = "corrupt Zstandard session log: the frame at byte " + std::to_string(start.size());
  EXPECT_EQ(unpack(start + "plain text\n").error.rfind(at + " failed validation", 0), 0U);
  EXPECT_EQ(unpack(start + zstd_frame("no end")).error, at + " ends inside a line");
  std::string flipped = start + zstd_frame("one\n");
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  EXPECT_EQ(unpack(flipped).error.rfind(at + " failed validation", 0), 0U) << "its checksum";
}

}  // namespace
}  // namespace dsh::loader
