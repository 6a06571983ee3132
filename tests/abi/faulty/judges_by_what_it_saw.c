/* check: host.services failed: the note repeats a number */
/* What a rule knows of a log has to be in the trace: the log is replayed when the service returns. */
#define APPEND_NOTE
#define CHECK
#define COMMITTED
#include "sound.h"

static unsigned long long given, seen;

static unsigned long long number_in(const dsh_str *data) {
  unsigned long long number = 0;
  for (size_t i = 0; i < data->size; i++)
    if (data->data[i] >= '0' && data->data[i] <= '9')
      number = number * 10 + (unsigned long long)(data->data[i] - '0');
  return number;
}

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  char data[40];
  const int size = snprintf(data, sizeof data, "{\"number\":%llu}", ++given);
  return call->session->append(call->session, &note_type, data, (size_t)size, NULL, error);
}

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace;
  if (number_in(&event->data) > seen) return DSH_OK;
  fail(error, "the note repeats a number", NULL);
  return DSH_VIOLATED;
}

static void DSH_CALL committed(void *user, void *trace, const dsh_event *event) {
  (void)user, (void)trace;
  seen = number_in(&event->data);
}
