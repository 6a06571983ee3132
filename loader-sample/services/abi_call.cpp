#include "services/abi_call.hpp"

#include <cstring>
#include <exception>
#include <new>

#include "text/attempt.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

// Words are short; a longer one lacks its end.
constexpr std::size_t longest_word = 256;

std::string word(const char *text) {
  return text == nullptr ? std::string() : to_wtf8({text, strnlen(text, longest_word)});
}

}  // namespace

dsh_event to_abi(const Event &event) noexcept {
  return {sizeof(dsh_event), 0, event.seq, event.time, to_abi(event.type), to_abi(event.data)};
}

Sink::Sink(std::string &text, std::size_t likely) noexcept : Sink(text) {
  attempt([&] { text.reserve(likely); });
}

std::int32_t DSH_CALL Sink::write(void *ctx, const char *data, std::size_t size) noexcept {
  Sink &self = *static_cast<Sink *>(ctx);
  if (self.refusal_ != DSH_OK || size == 0) return self.refusal_;
  if (data == nullptr) return self.refusal_ = DSH_ERROR;
  try {
    self.text_.append(data, size);
  } catch (...) {
    self.refusal_ = DSH_NO_MEMORY;
  }
  return self.refusal_;
}

void DSH_CALL ErrorSink::set(void *ctx, const char *text, std::size_t size, const char *name,
                             const char *code) noexcept {
  ErrorSink &self = *static_cast<ErrorSink *>(ctx);
  try {
    std::string new_text = text == nullptr ? std::string() : to_wtf8({text, size});
    std::string new_name = word(name);
    std::string new_code = word(code);
    self.text_.swap(new_text);
    self.name_.swap(new_name);
    self.code_.swap(new_code);
  } catch (...) {
    // Without memory for the text the host words the failure itself.
    self.text_.clear();
    self.name_.clear();
    self.code_.clear();
  }
}

Error ErrorSink::error(std::string_view what, std::int32_t status) const {
  if (status == threw) return Error(std::string(what) + " broke the contract: an exception left it");
  if (!text_.empty()) return Error(text_, name_, code_);
  const std::string why =
      status == DSH_NO_MEMORY ? " ran out of memory" : " failed with status " + std::to_string(status);
  return Error(std::string(what) + why, name_, code_);
}

void check_written_json(std::string &json, std::string_view kind, std::string_view name,
                        std::string_view what, std::size_t known) {
  const JsonCheck check = known == 0 ? check_json(json) : check_json_rest(json, known);
  if (!check)
    throw Error(std::string(kind) + " \"" + std::string(name) + "\" gave a " + std::string(what) +
                " that is not JSON: " + check.fault + " at byte " + std::to_string(check.offset));
  if (check.spaced) json = compact_json(json);
}

std::int32_t fail(const dsh_error *sink, std::string_view text, const std::string &name,
                  const std::string &code) noexcept {
  if (sink != nullptr && sink->set != nullptr) {
    const auto or_null = [](const std::string &word) { return word.empty() ? nullptr : word.c_str(); };
    attempt([&] { sink->set(sink->ctx, text.data(), text.size(), or_null(name), or_null(code)); });
  }
  return DSH_ERROR;
}

std::int32_t fail_with_thrown(const dsh_error *sink, std::string_view unknown) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return DSH_NO_MEMORY;
  } catch (const Error &error) {
    return fail(sink, error.text(), error.name(), error.code());
  } catch (const std::exception &error) {
    return fail(sink, error.what());
  } catch (...) {
    return fail(sink, unknown);
  }
}

}  // namespace dsh::loader
