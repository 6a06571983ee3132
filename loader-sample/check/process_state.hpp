// What a plugin shares with the process it is a guest in, as texts that can be compared.
#pragma once

#include <string>

namespace dsh::loader::check {

std::string thread_count();
std::string child_processes();
std::string signals();  ///< handlers, and what is blocked
std::string locale();
std::string terminate_handler();
std::string surroundings();    ///< directory, umask, environment
std::string floating_point();  ///< rounding, traps, flushing; not the flags that arithmetic raises
std::string limits();          ///< resource limits, and the priority
std::string timers();          ///< alarms and POSIX timers
std::string thread_keys();     ///< how many pthread keys are in use
std::string descriptors();     ///< those below 1024 that are open, and how
std::string unread_input();    ///< how many bytes wait at the standard input

}  // namespace dsh::loader::check
