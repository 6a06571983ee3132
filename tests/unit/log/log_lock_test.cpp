#include "log/log_lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <optional>

#include "durability/child_process.hpp"
#include "durability/fault_ops.hpp"
#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

/// Lets the lock of a directory go to another process before it is looked for a second time who has it.
class HandedOn : public FaultOps {
 public:
  explicit HandedOn(const std::string &root)
      : FaultOps(system_file_ops()), directory_(open_file(*this, root, O_RDONLY | O_DIRECTORY)) {
    EXPECT_EQ(flock(directory_.fd(), LOCK_EX), 0);
    heir_.emplace([root](int out) {
      const File directory = open_file(system_file_ops(), root, O_RDONLY | O_DIRECTORY);
      if (system_file_ops().flock(directory.fd(), LOCK_EX) == 0) write_line(out, "locked");
      ::pause();
    });
  }
  int fstat(int fd, struct ::stat *to) override {
    if (++looked_ == 2) {
      std::string line;
      EXPECT_EQ(flock(directory_.fd(), LOCK_UN), 0);
      EXPECT_TRUE(heir_->read_line(line));
    }
    return FaultOps::fstat(fd, to);
  }

 private:
  File directory_;
  std::optional<ChildProcess> heir_;
  int looked_ = 0;
};

TEST(LogLockTest, who_keeps_the_turn_to_publish_is_named) {
  const TemporaryDirectory root;
  FileOps &ops = system_file_ops();
  const File directory = open_file(ops, root.path(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(ops.flock(directory.fd(), LOCK_EX), 0);
  EXPECT_THAT(
      error_of([&] { const PublishingTurn turn(ops, root.path(), milliseconds(0)); }),
      HasSubstr("this process (" + std::to_string(::getpid()) + ") has been creating one all the time"));
  ASSERT_EQ(ops.flock(directory.fd(), LOCK_UN), 0);
  EXPECT_NO_THROW(PublishingTurn(ops, root.path(), milliseconds(0)));
}

TEST(LogLockTest, who_has_only_just_got_the_turn_to_publish_is_not_blamed) {
  const TemporaryDirectory root;
  HandedOn ops(root.path());
  const std::string error = error_of([&] { const PublishingTurn turn(ops, root.path(), milliseconds(0)); });
  EXPECT_THAT(error, HasSubstr("other processes have been creating some all the time"));
  EXPECT_THAT(error, Not(HasSubstr("end it")));
}

}  // namespace
}  // namespace dsh::loader
