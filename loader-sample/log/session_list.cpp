#include "log/session_list.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <map>
#include <new>

#include "log/log_reader.hpp"
#include "log/log_search.hpp"
#include "log/place_rules.hpp"
#include "text/error.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t longest_id = 255;  ///< bytes: no session can have a longer one, but a damaged header

void read_session(const SessionPlace &place, const std::function<void(const Event &)> &fold, FileOps &ops,
                  SessionEntry &entry) {
  LogSource source(place.log, ops);
  LogReader reader(source.bytes());
  const SessionHeader &header = reader.header();
  entry.id = excerpt(header.id, longest_id);
  entry.cwd = header.cwd;
  require_place(place.log, header);
  while (reader.next()) {
    entry.events = reader.events();
    entry.last_time = reader.last_time();
    reader.stored().each(0, [&fold](const Event &event) {
      fold(event);
      return true;
    });
  }
  if (reader.dropped() && !reader.dropped()->torn)
    throw Error(dropped_text(reader.dropped()->line, reader.dropped()->reason));
}

}  // namespace

void list_sessions(const std::string &root, const std::function<void(const SessionEntry &)> &begin,
                   const std::function<void(const Event &)> &fold,
                   const std::function<void(const SessionEntry &)> &each, FileOps &ops) {
  struct ::stat status {};
  if (ops.stat(root.c_str(), &status) != 0 && errno == ENOENT) return;
  const auto places = sessions_of_root(ops, root);
  std::map<std::string_view, int> times;  // how often a session's name is there
  for (const SessionPlace &place : places) ++times[place.name];
  for (const SessionPlace &place : places) {
    SessionEntry entry;
    entry.id = place.name.empty() ? place.project : place.name;
    entry.directory = place.directory;
    entry.doubled = !place.name.empty() && times[place.name] > 1;
    begin(entry);
    try {
      if (!place.problem.empty()) throw Error(place.problem);
      read_session(place, fold, ops, entry);
    } catch (const Error &error) {
      entry.damaged = true;
      entry.error = error.text();
    } catch (const std::bad_alloc &) {  // others may need less
      entry.damaged = true;
      entry.error = "out of memory while it was read";
    }
    each(entry);
  }
}

}  // namespace dsh::loader
