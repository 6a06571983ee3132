"""The real host and the model side by side: every line goes to both, and they must answer alike."""
import re

import generators
import loader
import own_texts
from hosts import Raw, ScriptHost, line_of, raw_elements
from model_host import ModelHost

_TIME = re.compile(r'"time":\d+')


class Differs(AssertionError):
    """The answers differ. The text says with which line, and how to see it again."""


class Compared:
    """Both hosts in the same state. `op` returns the real one's answer."""

    def __init__(self, parallel=True, without=("invariants",), **options):
        composition = loader.PARALLEL if parallel else loader.SINGLE
        self.real = ScriptHost(composition, without=without, **options)
        self._model = ModelHost(parallel, without)
        self._lines = 0

    def op(self, line, /, **fields):
        self._lines += 1
        wanted = self._model.op(line, **fields)
        got = self.real.op(line, **fields)
        problem = _difference(got, wanted)
        if problem:
            raise Differs(f"{problem}\nline {self._lines}: {ascii(line_of(line, fields))[:3000]}\n"
                          f"real:  {got}\nmodel: {wanted}\n(DSH_SEED={generators.SEED})")
        return got

    def call(self, arguments, session=None):
        """Calls the tool, and compares the log afterwards. Returns the answer."""
        owner = {} if session is None else {"session": session}
        answer = self.op("tool/call", name="todo_write", arguments=arguments, **owner)
        if session is not None:
            self.op("session/events", session=session)
        return answer

    def append(self, session, type, data="{}"):
        return self.op("session/append", session=session, type=type, data=Raw(data))

    def close(self):
        self.real.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.real.__exit__(kind, value, trace)


def _difference(got, wanted):
    if got.ok != wanted.ok:
        return "one of them refuses"
    if not got.ok and wanted.error.startswith("malformed todo/write"):  # worded by each for itself
        return None if "todo" in got.error and not own_texts.FOREIGN.search(got.error) else "the text names no field"
    for key in wanted.raw_keys() | got.raw_keys():
        ours, theirs = got.raw(key), wanted.raw(key)
        if key == "events" and ours and theirs:
            ours, theirs = ([_TIME.sub('"time":0', event, count=1) for event in raw_elements(events)]
                            for events in (ours, theirs))
        if ours != theirs:
            return f"{key} differs"
    return None
