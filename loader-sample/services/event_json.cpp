#include "services/event_json.hpp"

#include "text/json_text.hpp"

namespace dsh::loader {

void append_event_json(std::string &out, const Event &event) {
  out += R"({"type":)";
  append_json_string(out, event.type);
  out += R"(,"seq":)";
  append_integer(out, event.seq);
  out += R"(,"time":)";
  append_integer(out, event.time);
  out += R"(,"data":)";
  out += event.data;
  if (!event.source_event_seqs.empty()) {
    out += R"(,"sourceEventSeqs":)";
    out += event.source_event_seqs;
  }
  if (!event.surface_op.empty()) {
    out += R"(,"surfaceOp":)";
    out += event.surface_op;
  }
  out += '}';
}

}  // namespace dsh::loader
