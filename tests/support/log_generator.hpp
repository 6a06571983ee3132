// Session logs to test and measure with: deterministic, of any size, in the shapes that real ones have.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>

namespace dsh {

struct LogShape {
  std::uint64_t bytes = 100'000;  ///< about; at least one turn is written
  std::uint32_t seed = 1;
  std::string id = "generated";
  int version = 0;
  bool packed = false;    ///< runs of chunks as packed rows
  bool closed = true;     ///< the last turn ends
  bool one_turn = false;  ///< everything in one turn
};

/// A log: the header, then turns of about 200 events, 1 in 50 of them a `todo/write`, the others chunks
/// of 15 to 450 characters; 1 chunk in 200 quotes lines of a log, 1 in 12 is Chinese. The last turn
/// leaves a standing plan. The rules of the todo plugin hold.
class LogGenerator {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit LogGenerator(LogShape shape) : shape_(std::move(shape)), random_(shape_.seed) {}

  /// Hands the log to `sink` in pieces of whole lines.
  void run(const Sink &sink);

  std::int64_t events() const { return seq_; }
  std::int64_t turns() const { return turn_; }
  /// The data of the last `todo/write`.
  const std::string &last_plan() const { return plan_; }

 private:
  void turn();
  void chunk();
  void write_plan();
  void event(std::string_view type, const std::string &data);
  void end_row();
  void flush();
  std::string words(std::size_t size);
  std::string chinese(std::size_t size);
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_()) % bound; }

  LogShape shape_;
  std::mt19937 random_;
  const Sink *sink_ = nullptr;
  std::string lines_;
  std::uint64_t written_ = 0;
  std::int64_t seq_ = 0;
  std::int64_t time_ = 1'750'000'000'000;
  std::int64_t turn_ = 0;
  std::string plan_;
  // The packed row that is being filled.
  std::int64_t row_seq_ = 0;
  std::int64_t row_time_ = 0;
  std::string row_gaps_;
  std::string row_texts_;
};

/// The whole log as one text.
std::string generate_log(const LogShape &shape);

}  // namespace dsh
