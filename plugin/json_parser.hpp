// How Boost.JSON's parser reads what JavaScript reads: for those who build values from it.
#pragma once

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace dsh::todo {

/// Builds a value from what the parser meets. Members are called as Boost.JSON's handlers are.
class ValueBuilder {
 public:
  static constexpr std::size_t max_object_size = boost::json::object::max_size();
  static constexpr std::size_t max_array_size = boost::json::array::max_size();
  static constexpr std::size_t max_key_size = boost::json::string::max_size();
  static constexpr std::size_t max_string_size = boost::json::string::max_size();

  using Error = boost::json::error_code;
  using Text = boost::json::string_view;

  boost::json::value_stack stack;

  static bool on_document_begin(Error &) { return true; }
  static bool on_document_end(Error &) { return true; }
  static bool on_object_begin(Error &) { return true; }
  static bool on_array_begin(Error &) { return true; }
  static bool on_comment_part(Text, Error &) { return true; }
  static bool on_comment(Text, Error &) { return true; }

  bool on_object_end(std::size_t count, Error &) {
    stack.push_object(count);
    return true;
  }
  bool on_array_end(std::size_t count, Error &) {
    stack.push_array(count);
    return true;
  }
  bool on_key_part(Text part, std::size_t, Error &) {
    stack.push_chars(part);
    return true;
  }
  bool on_key(Text rest, std::size_t, Error &) {
    stack.push_key(rest);
    return true;
  }
  bool on_string_part(Text part, std::size_t, Error &) {
    stack.push_chars(part);
    return true;
  }
  bool on_string(Text rest, std::size_t, Error &) {
    stack.push_string(rest);
    return true;
  }
  bool on_number_part(Text part, Error &) {
    number_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t, Text rest, Error &) { return on_number(rest); }
  bool on_uint64(std::uint64_t, Text rest, Error &) { return on_number(rest); }
  bool on_double(double, Text rest, Error &) { return on_number(rest); }
  bool on_bool(bool value, Error &) {
    stack.push_bool(value);
    return true;
  }
  bool on_null(Error &) {
    stack.push_null();
    return true;
  }

 private:
  /// The parser's own value is set aside: it is rounded otherwise than JavaScript's.
  bool on_number(Text rest);

  std::string number_;
};

/// A text that is to be parsed, perhaps several times.
class ParserInput {
 public:
  /// Takes a piece of a text, behind which there are more; false: no more are wanted.
  using Take = std::function<bool(std::string_view piece, bool more)>;

  /// Keeps the views; `what` names the text in messages. Throws Refusal where it is no UTF-8.
  ParserInput(std::string_view text, std::string_view what);
  ParserInput(const ParserInput &) = delete;
  ParserInput &operator=(const ParserInput &) = delete;

  static boost::json::parse_options options() noexcept;

  /// Throws NotJson, or Refusal where the text nests too deep. The handler may end it with stop().
  template <class Handler>
  void parse(boost::json::basic_parser<Handler> &parser) const {
    feed([&](std::string_view piece, bool more) {
      boost::json::error_code error;
      const std::size_t read = parser.write_some(more, piece.data(), piece.size(), error);
      if (!error && read == piece.size()) return true;
      explain(error);
      return false;
    });
  }

  /// What a handler's function returns that needs no more of the text.
  static bool stop(boost::json::error_code &error) noexcept;

 private:
  /// Passes the text on, piece by piece, as Boost.JSON takes it.
  void feed(const Take &take) const;
  void explain(const boost::json::error_code &error) const;

  std::string_view text_;
  std::string_view what_;
};

}  // namespace dsh::todo
