#include "view/unfinished_items.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "text/json_runs.hpp"
#include "view/plan_items.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t most_named = 20;
constexpr std::size_t longest_name = 120;  // bytes

/// So many items are looked for in one pass over a list; of a longer one a part, that the passes stay few.
constexpr std::size_t least_in_a_pass = std::size_t{256} << 10;
constexpr std::size_t most_passes = 64;

/// Bytes. What is unfinished of a longer list is written down when that of the former is let go of.
constexpr std::size_t longest_written_twice = std::size_t{64} << 10;

bool is_finished(const ListedItem &item) { return item.status == "completed"; }

/// Looks for some contents in a list, and measures what is unfinished of it.
class Search final : public ItemVisitor {
 public:
  /// Takes up to `most` contents off `left`, each ended by a line break. What is unfinished goes into `next`,
  /// unless that is null.
  Search(std::string_view &left, std::size_t most, std::string *next) : next_(next) {
    for (; !left.empty() && sought_.size() < most; left.remove_prefix(left.find('\n') + 1)) {
      const std::string_view content = left.substr(0, left.find('\n'));
      sought_.push_back({hash_of(content), content, 0});
    }
    std::sort(sought_.begin(), sought_.end(),
              [](const Sought &one, const Sought &other) { return one.hash < other.hash; });
  }

  void begin_list() override {
    ++list_;
    if (next_ != nullptr) next_->clear();
    bytes = count = 0;
    extra_keys = false;
  }

  void item(const ListedItem &item) override {
    extra_keys = extra_keys || item.extra_keys;
    if (!is_finished(item)) {
      bytes += item.content.raw.size() + 1;
      ++count;
      if (next_ != nullptr) next_->append(item.content.raw).push_back('\n');
    }
    if (sought_.empty()) return;
    const std::uint64_t hash = hash_of(item.content.raw);
    auto one =
        std::lower_bound(sought_.begin(), sought_.end(), hash,
                         [](const Sought &sought, std::uint64_t wanted) { return sought.hash < wanted; });
    for (; one != sought_.end() && one->hash == hash; ++one) {
      if (!spell_the_same(one->content, item.content.raw)) continue;
      if (one->found_in == list_) return;  // and so were those behind it
      one->found_in = list_;
    }
  }

  /// Those that were not found, in the order of their list.
  void tell(ListRemarks &remarks) {
    std::erase_if(sought_, [this](const Sought &one) { return one.found_in == list_; });
    std::sort(sought_.begin(), sought_.end(), [](const Sought &one, const Sought &other) {
      return one.content.data() < other.content.data();
    });
    remarks.dropped += sought_.size();
    for (const Sought &one : sought_) {
      if (remarks.named.size() == most_named) break;
      remarks.named.push_back(excerpt_of_json_string(one.content, longest_name));
    }
  }

  std::size_t bytes = 0;
  std::size_t count = 0;
  bool extra_keys = false;

 private:
  struct Sought {
    std::uint64_t hash;
    std::string_view content;
    std::uint64_t found_in;  ///< a list, or 0
  };

  std::uint64_t hash_of(std::string_view content) const {
    return hash_of_json_string(content, reinterpret_cast<std::uintptr_t>(this));
  }

  std::string *next_;
  std::vector<Sought> sought_;
  std::uint64_t list_ = 1;  ///< the one at hand; lists may begin without end
};

/// Writes down what is unfinished of a list.
class Contents final : public ItemVisitor {
 public:
  explicit Contents(std::string &contents) : contents_(contents) {}

  void begin_list() override { contents_.clear(); }
  void item(const ListedItem &item) override {
    if (!is_finished(item)) contents_.append(item.content.raw).push_back('\n');
  }

 private:
  std::string &contents_;
};

}  // namespace

ListRemarks UnfinishedItems::replace(std::string_view data) {
  const std::size_t in_a_pass = std::max(least_in_a_pass, count_ / most_passes);
  const bool is_short = data.size() <= longest_written_twice;
  ListRemarks remarks;
  std::string_view left = contents_;
  for (;;) {
    Search search(left, in_a_pass, is_short ? &next_ : nullptr);
    visit_plan_items(data, search);
    search.tell(remarks);
    if (!left.empty()) continue;
    remarks.extra_keys = search.extra_keys;
    count_ = search.count;
    if (is_short) {
      contents_.swap(next_);
      if (next_.capacity() > longest_written_twice) next_ = std::string();
    } else {
      remember(data, search.bytes);
    }
    return remarks;
  }
}

void UnfinishedItems::clear() {
  contents_.clear();
  count_ = 0;
}

/// Measured before: what a text takes while it grows would be as much again.
void UnfinishedItems::remember(std::string_view data, std::size_t bytes) {
  if (contents_.capacity() < bytes) contents_ = std::string();
  contents_.reserve(bytes);
  Contents contents(contents_);
  visit_plan_items(data, contents);
}

}  // namespace dsh::loader
