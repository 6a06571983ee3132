"""The rules for texts as properties: trimming, quoting and comparing, over every UTF-16 code unit, where plugin and
model must agree to the byte.

Each test draws from a seed of its own (see generators.py); a failure prints the line that shows it.
"""
import itertools
import unittest

import generators as gen
import javascript as js
from argument_texts import blocks, item, text_of
from compared import Compared


class Texts(unittest.TestCase):
    """Contents, over every UTF-16 code unit."""

    def test_trim_knows_every_code_unit(self):
        spaces = [unit for unit in map(chr, range(0x10000)) if not js.trim(unit)]
        others = [unit for unit in map(chr, range(0x10000)) if js.trim(unit)]
        with Compared() as host:
            host.op("session/create", session="s")
            for unit in spaces:
                for content in (unit, unit * 3, unit + "\n" + unit):
                    host.call(self._escaped([content]), "s")
            for block in blocks(spaces + others, 2048):  # at both ends, one item a unit
                host.op("tool/call", name="todo_write", session="s",
                        arguments=self._escaped([f"{unit}{ord(unit):x} {unit}" for unit in block]))
            for block in blocks(others, 2048):  # alone, and inside
                host.op("tool/call", name="todo_write", session="s",
                        arguments=self._escaped(block + [f"a{unit}b" for unit in block]))

    def test_trim_knows_raw_characters_too(self):
        plain = [unit for unit in map(chr, range(0x20, 0x10000)) if unit not in '"\\' and not "\ud800" <= unit <= "\udfff"]
        with Compared() as host:
            host.op("session/create", session="s")
            for block in blocks(plain, 2048):
                host.op("tool/call", name="todo_write", session="s",
                        arguments=text_of([item(f"{unit}{ord(unit):x}{unit}") for unit in block]))

    def test_quoting_knows_every_code_unit(self):
        """A duplicate is quoted as JSON.stringify would; so is a status that the invariant names."""
        with Compared(without=()) as host:
            host.op("session/create", session="s")
            host.append("s", "turn/start", '{"turn":1}')
            for block in blocks([chr(unit) for unit in range(0x10000)], 512):
                content = "<" + "|".join(block) + ">"
                host.op("tool/call", name="todo_write", session="s", arguments=self._escaped([content, content]))
                host.append("s", "todo/write", f'{{"todos":[{{"content":"a","status":{self._literal(content)}}}]}}')
                twins = ",".join([f'{{"content":{self._literal(content)},"status":"pending"}}'] * 2)
                host.append("s", "todo/write", f'{{"todos":[{twins}]}}')

    def test_lone_and_paired_surrogates(self):
        high, low, pair = "\ud83d", "\ude00", "\U0001f600"
        contents = [high, low, high + low, low + high, high + high + low, high + low + low, pair, "a" + high, low + "b",
                    high + "x" + low, pair + high, low + pair]
        with Compared() as host:
            host.op("session/create", session="s")
            for first, second in itertools.product(contents, repeat=2):
                host.op("tool/call", name="todo_write", session="s", arguments=self._escaped([first, second]))
                mixed = text_of([item(js.joined(first)), item(js.joined(second))])
                host.op("tool/call", name="todo_write", session="s", arguments=mixed)
                for prefix in ("", "\\\\", "\\"):  # raw, after an escaped backslash, after one that would escape it
                    raw = f'{{"todos":[{{"content":"{prefix}{first}","status":"pending"}},{{"content":"{second}","status":"completed"}}]}}'
                    host.op("tool/call", name="todo_write", session="s", arguments=raw)
            for place in ('{0}{{"todos":[]}}', '{{"todos":[]}}{0}', '{{{0}:1,"todos":[]}}', '{{"{0}":1,"todos":[{{"{0}":1}}]}}', "{0}"):
                host.call(place.format(high), "s")

    def test_duplicates_under_every_spelling(self):
        """However two contents are spelled and padded, they are one where their trimmed code units are."""
        r = gen.rng("spellings")
        with Compared() as host:
            host.op("session/create", session="s")
            for _ in range(gen.count(800)):
                content = gen.text(r)
                spellings = [gen.literal(r, self._padded(r, content), r.random()) for _ in range(2)]
                if r.random() < 0.3:  # nearly the same
                    spellings[1] = gen.literal(r, gen.damaged(r, content))
                items = [f'{{"content":{spelling},"status":"pending"}}' for spelling in spellings]
                items.insert(r.randint(0, 2), js.stringify(item("between")))
                host.op("tool/call", name="todo_write", session="s", arguments=f'{{"todos":[{",".join(items)}]}}')

    def test_keys_and_statuses_under_every_spelling(self):
        r = gen.rng("key spellings")
        with Compared() as host:
            host.op("session/create", session="s")
            for _ in range(gen.count(300)):
                content, status, todos, value = (gen.literal(r, name, r.random())
                                                 for name in ("content", "status", "todos", r.choice(gen.STATUSES)))
                host.op("tool/call", name="todo_write", session="s",
                        arguments=f'{{{todos}:[{{{status}:{value},{content}:"x"}}]}}')

    def test_comparison_is_by_code_unit(self):
        """Case, normal form, width and inner spaces count."""
        alike = [["e\u0301", "\u00e9"], ["K", "\u212a"], ["ss", "\u00df"], ["I", "i", "\u0131", "\u0130"], ["a b", "a  b"],
                 ["a\u00a0b", "a b"], ["\uff41", "a"], ["\ufb01", "fi"], ["x\u200b", "x"], ["x\u0085", "x"], ["\0", "\0\0"]]
        with Compared() as host:
            host.op("session/create", session="s")
            for contents in alike:
                self.assertFalse(host.call(self._escaped(contents), "s")["isError"])

    @staticmethod
    def _padded(r, content):
        return "".join(r.choices(js.SPACES, k=r.randint(0, 3))) + content + "".join(r.choices(js.SPACES, k=r.randint(0, 3)))

    @staticmethod
    def _literal(content):
        """Every code unit as an escape."""
        units = content.encode("utf-16-be", "surrogatepass").hex()
        return '"' + "".join("\\u" + units[at:at + 4] for at in range(0, len(units), 4)) + '"'

    def _escaped(self, contents):
        items = ",".join(f'{{"content":{self._literal(content)},"status":"pending"}}' for content in contents)
        return f'{{"todos":[{items}]}}'


if __name__ == "__main__":
    unittest.main()
