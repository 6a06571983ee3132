// What is done where nothing may be thrown, as far as memory allows.
#pragma once

namespace dsh::loader {

/// Does `work`, such as saying what failed; what it throws is dropped. For the handlers of functions that
/// may not throw: making a text there takes memory, and want of it must not end the host.
template <typename Work>
void attempt(const Work &work) noexcept {
  try {
    work();
  } catch (...) {  // NOLINT(bugprone-empty-catch): what can't be said is lost; the work goes on
  }
}

}  // namespace dsh::loader
