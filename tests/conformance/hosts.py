"""What the tests talk to: script mode, line by line, either the real one or the model's.

A host has `op(line, **fields)`, which sends a line and returns its Answer. Fields go out as
JSON; a Raw goes out as it is, so that a test decides on the very bytes.
"""
import json

import loader
from javascript import Raw

_DECODER = json.JSONDecoder()


def line_of(op, fields):
    """One line of a script."""
    members = [f"{json.dumps(key)}:{value if isinstance(value, Raw) else json.dumps(value)}"
               for key, value in {"op": op, **fields}.items()]
    return "{" + ",".join(members) + "}"


def raw_members(text):
    """A compact JSON object as {key: the text of its value}."""
    return dict(_raw_parts(text, "{", "}"))


def raw_elements(text):
    """A compact JSON array as the texts of its elements."""
    return [part for _, part in _raw_parts(text, "[", "]")]


def _raw_parts(text, first, last):
    if text[0] != first or text[-1] != last:
        raise ValueError(f"no compact JSON {first}{last}: {text[:80]}")
    at = 1
    while at < len(text) - 1:
        key = None
        if first == "{":
            key, at = _DECODER.raw_decode(text, at)
            at += 1  # the colon
        _, end = _DECODER.raw_decode(text, at)
        yield key, text[at:end]
        at = end + 1


class Answer:
    """An answer line: its members read, and as they were written."""

    def __init__(self, line):
        self.line = line.decode("utf-8") if isinstance(line, bytes) else line  # strict
        self._raw = raw_members(self.line)
        self.ok = self["ok"]

    def __contains__(self, key):
        return key in self._raw

    def __getitem__(self, key):
        return json.loads(self._raw[key])

    def raw(self, key):
        """The text of a member, or None."""
        return self._raw.get(key)

    def raw_keys(self):
        return self._raw.keys()

    @property
    def error(self):
        """Why the line failed, or None."""
        return None if self.ok else self["error"]

    def __repr__(self):
        return ascii(self.line if len(self.line) < 2000 else self.line[:2000] + "…")


class ScriptHost:
    """The real `loader-sample run`, with the real plugin."""

    def __init__(self, composition, without=(), **options):
        self.script = loader.Script(composition, without=without, **options)

    def op(self, line, /, **fields):
        self.script.line(line_of(line, fields))
        return Answer(self.script.answer_text)

    def close(self):
        self.script.__exit__(None, None, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.script.__exit__(kind, value, trace)


def prepared(answer):
    """An answer to a line that only prepares a case: it has to be a success."""
    if not answer.ok:
        raise AssertionError(f"preparation failed: {answer}")
    return answer
