"""Random inputs: values, the many ways to spell them as JSON, arguments, events.

A generator yields JSON texts, so that spelling (escapes, spaces, repeated keys, digits) is part of
what is random. The same seed gives the same inputs on every machine.
"""
import os
import random
import re
import struct

import javascript as js

SEED = int(os.environ.get("DSH_SEED", "1"))
ROUNDS = float(os.environ.get("DSH_ROUNDS", "1"))  # multiplies the number of random inputs

STATUSES = ("pending", "in_progress", "completed")
BAD_STATUSES = ("", "done", "Pending", "IN_PROGRESS", "pending ", " completed", "in-progress", "pend\0ing", "\ufeffpending",
                "__proto__", "\ud800")
KEYS = ("id", "note", "", "0", "1", "2", "10", "9", "01", "-1", "1.5", "4294967294", "4294967295", "4294967296", "1e3",
        "__proto__", "constructor", "Content", "status ", "content\0", "a\"b", "a\\b", "a\nb", "é", "🚀", "\ud800",
        "\udfff", "\u2028", "todos", "toJSON", "length", " 1", "+1", "00")
_CHARS = ("ab \t\n\r\v\f\0\x01\x1b\x1f\x7f\"\\/\u0085\u00a0\u00ad\u1680\u180e\u2000\u200a\u200b\u2028\u2029\u202e\u202f"
          "\u205f\u2060\u3000\ufeff\ufffe\uffffßéÅ漢\ud800\udbff\udc00\udfff🧭😀\U0010ffff'`$%<{[")
_SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SURROGATE = re.compile(r"(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})", re.I)
LOSSY = ("-0", "-0.0", "-0e5", "-0.000E-3", "-1e-400", "-4.9e-325", "1e999", "-1e999", "1e400", "1.7976931348623159e308",
         "-2.4703282292062327e-324", "9" * 400)


class Number(str):
    """A number as it is to be written."""


class Pairs(list):
    """An object as its (key, value) pairs in the order of writing; a key may stand there twice."""


def rng(name):
    """The random numbers of one test. Its name and the seed decide them."""
    return random.Random(f"{SEED} {name}")


def count(number):
    """How many random inputs a test takes."""
    return max(1, int(number * ROUNDS))


def text(r, longest=8):
    """A string, often an awkward one."""
    kind = r.random()
    if kind < 0.7:
        return r.choice(("step", "run tests", "fix", "ship", "a", "b")) + f" {r.randrange(1000)}" + r.choice(("", "", " ", "\t"))
    return js.joined("".join(r.choice(_CHARS) for _ in range(r.randint(0, longest))))


def number(r):
    """A number that JSON keeps, in any spelling."""
    kind = r.randrange(7)
    if kind == 0:
        return Number(r.choice(("0", "1", "-1", "0e5", "1.0", "1.50", "1E5", "1e+2", "100e-2", "0.1", "1e21", "1e-7")))
    if kind == 1:
        return Number(str(r.randint(-(10 ** r.randint(1, 30)), 10 ** r.randint(1, 30)) or 7))
    if kind == 2:
        return Number(f"{r.randint(1, 10 ** r.randint(1, 17))}e{r.randint(-330, 290)}")
    if kind == 3:  # a power of ten or of two, and its neighbours
        value = 10.0 ** r.randint(-300, 300) if r.random() < 0.5 else 2.0 ** r.randint(-1074, 1023)
        bits = struct.unpack("<Q", struct.pack("<d", value))[0] + r.randint(-2, 2)
        return Number(repr(struct.unpack("<d", struct.pack("<Q", max(1, bits)))[0]))
    if kind == 4:  # more digits than a double holds
        return Number(f"{r.randint(0, 9)}.{''.join(r.choice('0123456789') for _ in range(r.randint(1, 40)))}1e{r.randint(-20, 20)}")
    value = struct.unpack("<d", r.randbytes(8))[0]
    return Number(repr(value)) if js.lossless(value) and value == value else Number("4.35")


def value(r, depth=3):
    """Any JSON value."""
    kind = r.randrange(8 if depth else 5)
    if kind < 3:
        return r.choice((None, True, False, "", "x"))
    if kind == 3:
        return text(r)
    if kind == 4:
        return number(r)
    if kind < 7:
        return [value(r, depth - 1) for _ in range(r.randint(0, 3))]
    return Pairs((key(r), value(r, depth - 1)) for _ in range(r.randint(0, 4)))


def key(r):
    return r.choice(KEYS) if r.random() < 0.8 else text(r)


def literal(r, string, plain=0.6):
    """A spelling of a string as JSON. `plain`: how often a character stands for itself."""
    out = []
    for char in string:
        code = ord(char)
        legal = code >= 0x20 and char not in '"\\' and not 0xD800 <= code < 0xE000
        if legal and r.random() < plain:
            out.append(char)
        elif char in _SHORT and r.random() < 0.5:
            out.append(_SHORT[char])
        else:
            units = char.encode("utf-16-be", "surrogatepass").hex()
            for at in range(0, len(units), 4):
                out.append("\\u" + "".join(r.choice((digit, digit.upper())) for digit in units[at:at + 4]))
    return '"' + "".join(out) + '"'


def spaced(r):
    return "" if r.random() < 0.9 else "".join(r.choice(" \t\n\r") for _ in range(r.randint(1, 3)))


def written(r, value):
    """A JSON text of a value, spelled at random."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return literal(r, value)
    if isinstance(value, (dict, Pairs)):
        pairs = value.items() if isinstance(value, dict) else value
        members = [f"{spaced(r)}{literal(r, k, 0.9)}{spaced(r)}:{spaced(r)}{written(r, v)}{spaced(r)}" for k, v in pairs]
        return "{" + (",".join(members) or spaced(r)) + "}"
    if isinstance(value, list):
        return "[" + (",".join(spaced(r) + written(r, v) + spaced(r) for v in value) or spaced(r)) + "]"
    return js.stringify(value)


def item(r, faults):
    """An item of a call. `faults`: how likely each kind of fault is."""
    pairs = Pairs([("content", text(r)), ("status", r.choice(STATUSES))])
    if r.random() < faults:
        return value(r)
    if r.random() < faults:
        pairs[0] = ("content", value(r))
    if r.random() < faults:
        pairs[1] = ("status", r.choice(BAD_STATUSES) if r.random() < 0.5 else value(r, 4))
    if r.random() < faults:
        del pairs[r.randrange(2)]
    while r.random() < faults:
        pairs.insert(r.randint(0, len(pairs)), (key(r), value(r, 1)))
    if r.random() < 0.1:
        r.shuffle(pairs)
    return _repeated(r, pairs)


def _twins(r, items, space=""):
    """Now and then, two items of one content."""
    if len(items) > 1 and r.random() < 0.15:
        first, second = r.sample(items, 2)
        if isinstance(first, Pairs) and isinstance(second, Pairs):
            content = dict(first).get("content")
            if type(content) is str:
                second[:] = [(name, space + content if name == "content" else old) for name, old in second]
    return items


def _repeated(r, pairs):
    """Now and then, a key a second time: the last one counts."""
    if pairs and r.random() < 0.1:
        name, _ = r.choice(pairs)
        pairs.insert(r.randint(0, len(pairs)), (name, r.choice(("earlier", None, Number("1e999"), Number("-0")))))
    return pairs


def arguments(r):
    """The raw text of a call: mostly good, often wrong in one way, sometimes in several."""
    faults = r.choice((0, 0, 0, 0.05, 0.3))
    root = Pairs([("todos", _twins(r, [item(r, faults) for _ in range(r.choice((0, 1, 1, 2, 3, 3, 5, 8)))], " "))])
    if r.random() < faults:
        root = Pairs([("todos", value(r))] if r.random() < 0.7 else [])
    while r.random() < 0.2:
        root.insert(r.randint(0, len(root)), (key(r), value(r)))
    if r.random() < 0.08:
        root.insert(r.randint(0, len(root)), ("meta", [Pairs([("deep", Number(r.choice(LOSSY)))])]))
    result = spaced(r) + written(r, _repeated(r, root)) + spaced(r)
    if r.random() < 0.1:  # JavaScript's strings hold lone surrogates raw, too
        result = _SURROGATE.sub(lambda escape: escape[1] + chr(int(escape[2], 16)), result)
    if r.random() < 0.1:
        result = damaged(r, result)
    return written(r, value(r)) if r.random() < 0.03 else result


def damaged(r, string):
    """The same text with a few characters put in, taken out or replaced."""
    chars = list(string)
    for _ in range(r.randint(1, 3)):
        at = r.randint(0, len(chars))
        chars[at:at + r.randint(0, 1)] = r.choice(("", "", *'{}[]":,\\ub019eE+-.tn \n\0\x7f\u00a0\ufeff'))
    return "".join(chars)


def event_data(r):
    """The data of a stored todo/write, as somebody else may have written it, on one line."""
    return on_one_line(_event_data(r))


def on_one_line(json_text):
    """The same JSON: a line end stands only between its tokens."""
    return json_text.replace("\n", " ").replace("\r", " ")


def _event_data(r):
    if r.random() < 0.08:
        return written(r, value(r))
    faults = r.choice((0, 0, 0, 0.1, 0.3))
    items = [item(r, faults) for _ in range(r.choice((0, 1, 2, 3, 5)))]
    if r.random() < 0.7:  # what the tool would have stored: trimmed, and nothing twice
        unique = {}
        for one in items:
            if isinstance(one, Pairs):
                for at, (name, content) in enumerate(one):
                    if name == "content" and type(content) is str and js.trim(content):
                        one[at] = (name, js.trim(content))
                unique[str(dict(one).get("content"))] = one
            else:
                unique[len(unique)] = one
        items = _twins(r, list(unique.values()))
    return written(r, _repeated(r, Pairs([("todos", items if r.random() > faults else value(r))])))
