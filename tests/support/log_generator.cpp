#include "support/log_generator.hpp"

#include <array>

namespace dsh {
namespace {

/// As a JSON string; `text` holds no control characters but line breaks and tabs.
std::string quoted(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json.push_back('\\');
    if (c == '\n')
      json += "\\n";
    else if (c == '\t')
      json += "\\t";
    else
      json.push_back(c);
  }
  return json + "\"";
}

}  // namespace

std::string LogGenerator::words(std::size_t size) {
  static constexpr std::array<std::string_view, 24> pool = {"the",     "plan",
                                                            "parser",  "session",
                                                            "inspect", "refactor",
                                                            "of",      "update",
                                                            "tests",   "stream",
                                                            "module",  "event",
                                                            "index",   "cache",
                                                            "docs",    "schema",
                                                            "replay",  "\"quoted\"",
                                                            "a\\b",    "line\nbreak",
                                                            "tab\t",   "const x = { a: 1 };",
                                                            "config",  "https://example.com/x?y=1&z=2"};
  std::string text;
  while (text.size() < size) text.append(pool[below(pool.size())]).push_back(' ');
  return text;
}

std::string LogGenerator::chinese(std::size_t size) {
  static constexpr std::array<std::string_view, 12> pool = {"任", "务", "列", "表", "更", "新",
                                                            "检", "查", "会", "话", "日", "志"};
  std::string text;
  while (text.size() < size) text += pool[below(pool.size())];
  return text;
}

void LogGenerator::event(std::string_view type, const std::string &data) {
  end_row();
  time_ += 1 + static_cast<std::int64_t>(below(40));
  lines_.append(R"({"type":")").append(type).append(R"(","seq":)").append(std::to_string(seq_++));
  lines_.append(R"(,"time":)").append(std::to_string(time_)).append(R"(,"data":)").append(data).append("}\n");
  flush();
}

void LogGenerator::end_row() {
  if (row_texts_.empty()) return;
  lines_.append(R"({"type":"text-chunks","seq0":)").append(std::to_string(row_seq_));
  lines_.append(R"(,"time0":)").append(std::to_string(row_time_));
  lines_.append(R"(,"data":{"turn":)").append(std::to_string(turn_)).append(R"(,"step":1,"index":0,"dt":[)");
  lines_.append(row_gaps_).append(R"(],"texts":[)").append(row_texts_).append("]}}\n");
  row_texts_.clear();
  row_gaps_.clear();
}

void LogGenerator::flush() {
  if (lines_.size() < (std::size_t{1} << 20)) return;
  (*sink_)(lines_);
  written_ += lines_.size();
  lines_.clear();
}

void LogGenerator::chunk() {
  const std::size_t size = 15 + below(440);
  const std::size_t kind = below(1000);
  std::string text;
  if (kind < 5)
    text = R"({"type":"todo/write","seq":)" + std::to_string(seq_) +
           R"(,"time":1,"data":{"todos":[{"content":"fake","status":"pending"}]}})" + "\n" +
           R"({"type":"turn/start"} )" + words(size / 2);
  else
    text = kind < 85 ? chinese(size) : words(size);
  if (shape_.packed && kind % 3 != 0) {
    const auto gap = static_cast<std::int64_t>(below(40));
    if (row_texts_.empty()) {
      time_ += gap;
      row_seq_ = seq_;
      row_time_ = time_;
      row_texts_ = quoted(text);
    } else {
      time_ += gap;
      row_gaps_.append(row_gaps_.empty() ? "" : ",").append(std::to_string(gap));
      row_texts_.append(",").append(quoted(text));
    }
    ++seq_;
    return;
  }
  event("assistant/chunk", R"({"turn":)" + std::to_string(turn_) +
                               R"(,"step":1,"chunk":{"type":"text-delta","index":0,"text":)" + quoted(text) +
                               "}}");
}

void LogGenerator::write_plan() {
  static constexpr std::array<std::string_view, 3> statuses = {"completed", "in_progress", "pending"};
  std::string todos;
  const std::size_t items = 3 + below(13);
  for (std::size_t item = 0; item < items; ++item) {
    const std::string name = std::to_string(item + 1) + "." + std::to_string(turn_) + ": ";
    std::string content = "Step " + name + words(below(60));
    content.erase(content.find_last_not_of(" \n\t") + 1);
    todos.append(todos.empty() ? "" : ",").append(R"({"content":)").append(quoted(content));
    todos.append(R"(,"status":")").append(statuses[below(3)]).append("\"}");
  }
  plan_ = R"({"todos":[)" + todos + "]}";
  event("todo/write", plan_);
}

void LogGenerator::turn() {
  const std::string number = std::to_string(++turn_);
  event("turn/start", R"({"turn":)" + number + "}");
  event("step/start", R"({"turn":)" + number + R"(,"step":1})");
  const auto more = [&](std::size_t done, std::size_t wanted) {
    return shape_.one_turn ? written_ + lines_.size() < shape_.bytes : done < wanted;
  };
  const std::size_t wanted = 150 + below(97);
  for (std::size_t done = 0; more(done, wanted); ++done)
    if (below(50) == 0)
      write_plan();
    else
      chunk();
  const bool last = written_ + lines_.size() >= shape_.bytes;
  if (last) {
    write_plan();
    for (int rest = 0; rest < 50; ++rest) chunk();
    end_row();
    if (!shape_.closed) return;
  }
  event("step/end", R"({"turn":)" + number + R"(,"step":1})");
  event("turn/end", R"({"turn":)" + number + R"(,"reason":{"kind":"completed"}})");
}

void LogGenerator::run(const Sink &sink) {
  sink_ = &sink;
  lines_ = R"({"type":"session","version":)" + std::to_string(shape_.version) + R"(,"id":)" +
           quoted(shape_.id) + R"(,"createdAt":)" + std::to_string(time_) + R"(,"delegationDepth":0})" + "\n";
  do {
    turn();
  } while (written_ + lines_.size() < shape_.bytes);
  sink(lines_);
}

std::string generate_log(const LogShape &shape) {
  std::string text;
  LogGenerator(shape).run([&text](std::string_view lines) { text += lines; });
  return text;
}

}  // namespace dsh
