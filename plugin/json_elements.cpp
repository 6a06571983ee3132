#include "json_elements.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <cstdint>

namespace dsh::todo {
namespace json = boost::json;
namespace {

using Each = std::function<bool(const json::value &)>;

// Follows the parser to the arrays that stand in the place of one, and builds the elements of one of them.
class ElementBuilder : public ValueBuilder {
 public:
  explicit ElementBuilder(std::optional<std::string_view> member)
      : member_(member), array_depth_(member ? 1 : 0) {}

  /// Has the elements of an array built, one after the other.
  void build(std::size_t array, const Each &each) {
    wanted_ = array;
    each_ = &each;
  }

  /// Which array counts: the last one, where nothing else stands behind it. 0: none.
  std::size_t last_array() const noexcept { return last_is_array_ ? arrays_ : 0; }

  bool on_object_begin(Error &) {
    begin();
    ++depth_;
    return true;
  }
  bool on_object_end(std::size_t count, Error &error) {
    --depth_;
    return end(error, [&] { ValueBuilder::on_object_end(count, error); });
  }
  bool on_array_begin(Error &) {
    begin();
    if (in_place()) {
      last_is_array_ = true;
      in_wanted_ = ++arrays_ == wanted_;
    }
    ++depth_;
    return true;
  }
  bool on_array_end(std::size_t count, Error &error) {
    if (--depth_ == array_depth_) in_wanted_ = false;
    return end(error, [&] { ValueBuilder::on_array_end(count, error); });
  }
  bool on_key_part(Text part, std::size_t size, Error &error) {
    if (building_) return ValueBuilder::on_key_part(part, size, error);
    if (depth_ == array_depth_) add_to_key(part, size);
    return true;
  }
  bool on_key(Text rest, std::size_t size, Error &error) {
    if (building_) return ValueBuilder::on_key(rest, size, error);
    if (depth_ != array_depth_) return true;
    add_to_key(rest, size);
    is_member_ = size == member_->size() && key_ == *member_;
    key_.clear();
    return true;
  }
  bool on_string_part(Text part, std::size_t size, Error &error) {
    begin();
    return !building_ || ValueBuilder::on_string_part(part, size, error);
  }
  bool on_string(Text rest, std::size_t size, Error &error) {
    begin();
    return end(error, [&] { ValueBuilder::on_string(rest, size, error); });
  }
  bool on_number_part(Text part, Error &error) {
    begin();
    return !building_ || ValueBuilder::on_number_part(part, error);
  }
  bool on_int64(std::int64_t, Text rest, Error &error) { return on_number(rest, error); }
  bool on_uint64(std::uint64_t, Text rest, Error &error) { return on_number(rest, error); }
  bool on_double(double, Text rest, Error &error) { return on_number(rest, error); }
  bool on_bool(bool value, Error &error) {
    begin();
    return end(error, [&] { ValueBuilder::on_bool(value, error); });
  }
  bool on_null(Error &error) {
    begin();
    return end(error, [&] { ValueBuilder::on_null(error); });
  }

 private:
  bool on_number(Text rest, Error &error) {
    begin();
    return end(error, [&] { ValueBuilder::on_double(0, rest, error); });
  }

  /// Does the value at hand stand where the array is looked for?
  bool in_place() const noexcept { return depth_ == array_depth_ && (!member_ || is_member_); }

  /// A value begins, or goes on.
  void begin() {
    if (!building_ && depth_ <= array_depth_ + 1) begin_outside();
  }

  /// A value ends; push() adds it to the one that is being built.
  template <class Push>
  bool end(Error &error, const Push &push) {
    if (!building_) return true;
    push();
    return depth_ != array_depth_ + 1 || pass_on(error);
  }

  // What isn't done for each value stands in functions of its own: what they take of the stack would be taken
  // by each level of the parser.

  [[gnu::noinline]] void begin_outside() {
    if (in_place()) last_is_array_ = false;
    building_ = in_wanted_;
    if (!building_) return;
    memory_.emplace();
    stack.reset(&*memory_);
  }

  [[gnu::noinline]] bool pass_on(Error &error) {
    building_ = false;
    const json::value element = stack.release();
    return (*each_)(element) || ParserInput::stop(error);
  }

  /// Of longer keys than the one that is looked for, the start will do.
  void add_to_key(Text part, std::size_t size) {
    if (size <= member_->size()) key_.append(part.data(), part.size());
  }

  std::optional<std::string_view> member_;
  std::size_t array_depth_;
  std::size_t wanted_ = 0;
  const Each *each_ = nullptr;
  std::optional<json::monotonic_resource> memory_;
  std::size_t depth_ = 0;
  std::string key_;
  bool is_member_ = false;  ///< the key before was the one that is looked for
  std::size_t arrays_ = 0;
  bool last_is_array_ = false;
  bool in_wanted_ = false;
  bool building_ = false;
};

using ElementParser = json::basic_parser<ElementBuilder>;

std::size_t find_array(const ParserInput &input, std::optional<std::string_view> member) {
  ElementParser parser(ParserInput::options(), member);
  input.parse(parser);
  return parser.handler().last_array();
}

}  // namespace

JsonElements::JsonElements(std::string_view text, std::string_view what,
                           std::optional<std::string_view> member)
    : input_(text, what), member_(member), array_(find_array(input_, member_)) {}

void JsonElements::each(const Each &each) const {
  if (!is_array()) return;
  ElementParser parser(ParserInput::options(), member_);
  parser.handler().build(array_, each);
  input_.parse(parser);
}

}  // namespace dsh::todo
