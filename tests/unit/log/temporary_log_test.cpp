#include "log/temporary_log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "durability/fault_ops.hpp"
#include "log/log_lock.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

/// Does something before the next flock, as another process might.
class MeddledOps : public FaultOps {
 public:
  MeddledOps() : FaultOps(system_file_ops()) {}
  void before_next_lock(std::function<void()> what) { what_ = std::move(what); }
  int flock(int fd, int operation) override {
    if (const auto what = std::exchange(what_, nullptr)) what();
    return FaultOps::flock(fd, operation);
  }

 private:
  std::function<void()> what_;
};

class TemporaryLogTest : public ::testing::Test {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> names;
    EXPECT_EQ(ops_.list(root_.path().c_str(), names), 0);
    return names;
  }
  std::string only_path() { return root_.path() + "/" + names().at(0); }

  TemporaryDirectory root_;
  std::string log_ = root_.path() + "/session.jsonl";
  MeddledOps ops_;
};

TEST_F(TemporaryLogTest, each_has_a_name_of_its_own_and_is_locked) {
  const TemporaryLog one = make_temporary_log(ops_, log_);
  const TemporaryLog other = make_temporary_log(ops_, log_);
  EXPECT_NE(one.path, other.path);
  EXPECT_FALSE(try_to_lock(ops_, open_file(ops_, one.path, O_RDWR), one.path));
}

TEST_F(TemporaryLogTest, of_a_living_maker_it_stays_and_of_a_dead_one_it_goes) {
  {
    const TemporaryLog made = make_temporary_log(ops_, log_);
    remove_stale_temporaries(ops_, log_, nullptr);
    EXPECT_EQ(names().size(), 1U);
  }
  remove_stale_temporaries(ops_, log_, nullptr);
  EXPECT_EQ(names().size(), 0U);
}

TEST_F(TemporaryLogTest, a_second_name_of_the_log_at_hand_goes) {
  const TemporaryLog made = make_temporary_log(ops_, log_);
  ASSERT_EQ(ops_.link(made.path.c_str(), log_.c_str()), 0);
  struct ::stat held {};
  ASSERT_EQ(ops_.fstat(made.file.fd(), &held), 0);
  remove_stale_temporaries(ops_, log_, &held);
  EXPECT_EQ(names(), std::vector<std::string>{"session.jsonl"});
}

TEST_F(TemporaryLogTest, one_that_was_taken_for_stale_before_it_was_locked_is_made_anew) {
  std::string first;
  ops_.before_next_lock([&] {
    first = only_path();
    remove_stale_temporaries(system_file_ops(), log_, nullptr);
  });
  const TemporaryLog made = make_temporary_log(ops_, log_);
  EXPECT_NE(made.path, first);
  EXPECT_EQ(only_path(), made.path);
}

TEST_F(TemporaryLogTest, one_that_is_being_looked_at_is_made_anew) {
  File looking;
  ops_.before_next_lock([&] {
    looking = open_file(system_file_ops(), only_path(), O_RDWR);
    ASSERT_TRUE(try_to_lock(system_file_ops(), looking, ""));
  });
  const TemporaryLog made = make_temporary_log(ops_, log_);
  EXPECT_FALSE(try_to_lock(ops_, open_file(ops_, made.path, O_RDWR), made.path));
}

TEST_F(TemporaryLogTest, a_failure_leaves_no_file) {
  for (std::int64_t call = 0; call < 3; ++call) {
    ops_.set({call, 1, EIO});
    EXPECT_THROW(make_temporary_log(ops_, log_), Error) << call;
    ops_.set({});
    EXPECT_EQ(names().size(), 0U);
  }
}

TEST_F(TemporaryLogTest, what_cannot_be_looked_at_stays_and_stops_nobody) {
  { const TemporaryLog made = make_temporary_log(ops_, log_); }
  for (std::int64_t call = 0; call < 4; ++call) {
    ops_.set({call, 1, EIO});
    EXPECT_NO_THROW(remove_stale_temporaries(ops_, log_, nullptr));
    ops_.set({});
    EXPECT_EQ(names().size(), 1U) << call;
  }
}

}  // namespace
}  // namespace dsh::loader
