#include "log/log_writer.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>

#include "durability/fault_ops.hpp"
#include "support/failing_memory.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using dsh::test::FailingMemory;

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

}  // namespace
}  // namespace dsh::loader
