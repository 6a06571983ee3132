#include "log/log_writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "durability/fault_ops.hpp"
#include "support/error_of.hpp"
#include "support/failing_memory.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using dsh::test::FailingMemory;

/// A disk that fails as soon as a first log has its name, until it is set again.
class FailsOncePublished : public FaultOps {
 public:
  FailsOncePublished() : FaultOps(system_file_ops()) {}
  int link(const char *from, const char *to) override {
    const int linked = FaultOps::link(from, to);
    if (!std::exchange(published_, true)) set({0, 1000, EIO});
    return linked;
  }

 private:
  bool published_ = false;
};

TEST(LogWriterTest, a_failed_write_is_taken_back_without_memory_for_its_message) {
  const TemporaryDirectory root;
  const std::string log = root.write("session.jsonl", "kept\n");
  FaultOps ops(system_file_ops());
  LogWriter writer = LogWriter::open(ops, log);
  // Halves of what is left, down to the byte that fails; and so does the first attempt to cut it off.
  ops.set({1, 1000, 0});
  bool out_of_memory = false;
  {
    const FailingMemory memory(0);
    try {
      writer.append("a line of which a part is written\n");
    } catch (const std::bad_alloc &) {
      out_of_memory = true;
    } catch (const Error &) {
    }
  }
  EXPECT_TRUE(out_of_memory);
  EXPECT_EQ(ops.last(), "ftruncate");
  EXPECT_GT(root.read("session.jsonl").size(), std::string("kept\n").size());
  ops.set({});
  writer.append("next\n");
  EXPECT_EQ(root.read("session.jsonl"), "kept\nnext\n");
}

TEST(LogWriterTest, what_could_not_be_taken_back_is_left_to_whoever_published_in_its_place) {
  const TemporaryDirectory root;
  SessionHeader header;
  header.id = "s";
  FailsOncePublished ops;
  std::optional<LogWriter> leftover;
  const auto create = [&] { (void)LogWriter::create(ops, root.path(), header, "ours\n", leftover); };
  const std::string place = "_no-cwd/s/session.jsonl";
  EXPECT_THROW(create(), Error);
  EXPECT_EQ(root.read(place), "ours\n");
  ASSERT_TRUE(leftover);
  ops.set({});
  ASSERT_EQ(ops.unlink((root.path() + "/" + place).c_str()), 0);
  root.write(place, "another's\n");
  EXPECT_EQ(error_of(create), "session \"s\" already exists");
  EXPECT_EQ(root.read(place), "another's\n");
}

TEST(LogWriterTest, a_log_is_lost_when_others_have_changed_it_and_not_by_what_it_wrote_itself) {
  const TemporaryDirectory root;
  const std::string log = root.write("session.jsonl", "kept\n");
  FaultOps ops(system_file_ops());
  LogWriter writer = LogWriter::open(ops, log);
  writer.append("ours\n");
  EXPECT_FALSE(writer.is_lost());
  ops.set({1, 1000, 0});  // a part of it stays for now
  EXPECT_THROW(writer.append("a line of which a part is written\n"), Error);
  ops.set({});
  EXPECT_FALSE(writer.is_lost());
  writer.append("next\n");
  EXPECT_FALSE(writer.is_lost());
  const std::uint64_t length = writer.length();
  for (const std::uint64_t other : {length + 1, length - 1}) {
    std::filesystem::resize_file(log, other);
    EXPECT_TRUE(writer.is_lost());
    std::filesystem::resize_file(log, length);
    EXPECT_FALSE(writer.is_lost());
  }
  root.write("session.jsonl", "kept\nours\nnext\n");  // another file
  EXPECT_TRUE(writer.is_lost());
  std::filesystem::remove(log);
  EXPECT_TRUE(writer.is_lost());
}

}  // namespace
}  // namespace dsh::loader
