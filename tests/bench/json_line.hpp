// How the programs of the measurements answer: one JSON object a line.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace dsh::bench {

inline std::string json_line(const boost::json::object &answer) {
  return boost::json::serialize(answer) + '\n';
}

}  // namespace dsh::bench
