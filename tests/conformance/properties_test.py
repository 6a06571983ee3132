"""The rules of a call as properties: random inputs, where plugin and model must agree to the byte.

Each test draws from a seed of its own (see generators.py); a failure prints the line that shows it.
"""
import itertools
import unittest

import generators as gen
import javascript as js
import loader
import todo_model
from argument_texts import blocks, item, text_of
from compared import Compared

GOOD = {"content": "kept", "status": "pending"}


class Calls(unittest.TestCase):
    def test_random_calls(self):
        for parallel in (True, False):
            r = gen.rng(f"calls {parallel}")
            with Compared(parallel) as host:
                for at in range(gen.count(1500)):
                    if at % 50 == 0:  # a fresh log, so that comparing it stays cheap
                        session = f"s{at}"
                        host.op("session/create", session=session)
                    arguments = gen.arguments(r)
                    host.op("tool/present", name="todo_write", arguments=arguments)
                    host.call(arguments, session if r.random() < 0.9 else None)
                    host.op("projection/read", session=session)

    def test_what_was_stored_reads_and_writes_the_same(self):
        """The value, written as arguments again, gives the same bytes; so does the event's data."""
        r = gen.rng("round trip")
        with Compared() as host:
            for at in range(gen.count(400)):
                session = f"s{at}"
                host.op("session/create", session=session)
                contents = {js.trim(gen.text(r)) for _ in range(4)} - {""}
                arguments = gen.written(r, {"todos": [item(text, r.choice(gen.STATUSES)) for text in sorted(contents)]})
                first = host.call(arguments, session)
                stored = js.stringify({"todos": first["value"]["todos"]})
                again = host.call(stored, session)
                self.assertEqual(again.raw("value"), first.raw("value"))
                host.append(session, "todo/write", stored)
                host.op("session/events", session=session)

    def test_a_failed_call_changes_nothing(self):
        """Wherever failures stand between successes, the log and every later answer are those of the
        successes alone."""
        r = gen.rng("failures between")
        with Compared(parallel=False) as host:
            host.op("session/create", session="mixed")
            host.op("session/create", session="pure")
            for _ in range(gen.count(150)):
                arguments = gen.arguments(r)
                before = host.op("projection/read", session="mixed").raw("values")
                answer = host.call(arguments, "mixed")
                if answer["isError"]:
                    self.assertEqual(host.op("projection/read", session="mixed").raw("values"), before)
                else:
                    host.call(arguments, "pure")
            mixed, pure = (host.op("session/events", session=session)["events"] for session in ("mixed", "pure"))
            self.assertEqual([event["data"] for event in mixed], [event["data"] for event in pure])

    def test_precedence_of_the_checks_in_every_combination(self):
        """Each subset of the faults, in every place they can take: the first check decides."""
        for parallel, turn in itertools.product((True, False), repeat=2):
            with Compared(parallel, without=()) as host:
                host.op("session/create", session="s")
                if turn:
                    host.append("s", "turn/start", '{"turn":1}')
                for broken, lossy, schema, empty, twice, active, owned in itertools.product((False, True), repeat=7):
                    for order in itertools.permutations(self._faulty(schema, empty, twice, active)):
                        todos = [one for group in order for one in group] + [GOOD]
                        arguments = text_of(todos, **({"n": -0.5} if lossy else {})).replace("-0.5", "-0")
                        host.call(arguments[:-1] if broken else arguments, "s" if owned else None)

    @staticmethod
    def _faulty(schema, empty, twice, active):
        groups = []
        if schema:
            groups.append([item("bad", "done")])
        if empty:
            groups.append([item(" \t")])
        if twice:
            groups.append([item("twin"), item(" twin ")])
        if active:
            groups.append([item("a", "in_progress"), item("b", "in_progress")])
        return groups

    def test_violations_are_all_listed_in_schema_order(self):
        """Every subset of {content, status} missing, wrong or right, with undeclared keys around them."""
        contents = (None, "x", 7.0)  # None: not there
        statuses = (None, "pending", "done", True)
        kinds = [self._item_text(content, status, extra) for content in contents for status in statuses
                 for extra in ((), ("zeta",), ("b", "10", "2", "a"))]
        r = gen.rng("violations")
        with Compared() as host:
            host.op("session/create", session="s")
            for kind in kinds + ["null", "[]", '"x"', "1", "true"]:
                host.call(f'{{"todos":[{kind}]}}', "s")
            for _ in range(gen.count(300)):
                host.call(f'{{"todos":[{",".join(r.choices(kinds, k=r.randint(2, 6)))}]}}', "s")

    @staticmethod
    def _item_text(content, status, extra):
        pairs = gen.Pairs((key, 1.0) for key in extra)
        if status is not None:
            pairs.insert(len(pairs) // 2, ("status", status))
        if content is not None:
            pairs.insert(len(pairs), ("content", content))
        return js.stringify(dict(pairs))

    def test_undeclared_keys_list_integers_first(self):
        r = gen.rng("key order")
        edges = ["0", "1", "00", "01", "4294967293", "4294967294", "4294967295", "4294967296", "9007199254740993",
                 "99999999999", "-0", "-1", "1.0", "1e0", " 1", "1 ", "+1", "٣", "0x1", ""]
        with Compared() as host:
            host.op("session/create", session="s")
            for _ in range(gen.count(400)):
                keys = [r.choice(edges) if r.random() < 0.4 else str(r.randrange(10 ** r.randint(1, 11)))
                        if r.random() < 0.7 else gen.key(r) for _ in range(r.randint(1, 12))]
                keys += r.sample(keys, min(len(keys), 2))  # a repeated key keeps its first place
                pairs = gen.Pairs((key, 1.0) for key in keys if key not in ("content", "status"))
                pairs.insert(r.randint(0, len(pairs)), ("content", "c"))
                pairs.insert(r.randint(0, len(pairs)), ("status", "pending"))
                host.call(gen.written(r, gen.Pairs([("todos", [pairs])])), "s")

    def test_counts(self):
        for parallel in (True, False):
            with Compared(parallel) as host:
                host.op("session/create", session="s")
                for counts in itertools.product((0, 1, 2, 9, 10, 11), repeat=3):
                    todos = [item(f"{status} {i}", status) for status, n in zip(gen.STATUSES, counts) for i in range(n)]
                    gen.rng(f"counts {counts}").shuffle(todos)
                    host.op("tool/call", name="todo_write", arguments=text_of(todos), session="s")


class Numbers(unittest.TestCase):
    """Numbers that JSON cannot keep are refused wherever they stand; the others print as JavaScript's."""

    KEPT = ("0", "0.0", "0e9", "1e-400", "5e-324", "2.4703282292062328e-324", "-2.4703282292062328e-324",
            "1.7976931348623157e308", "1.7976931348623158e308", "-1.7976931348623157e+308", "1e308", "1" + "0" * 308,
            "0." + "0" * 400 + "1", "123456789012345678901234567890", "1e-7", "0.000001", "1e21", "1e20")

    def test_lossy_numbers_wherever_they_stand(self):
        places = ('{{"todos":[],"n":{0}}}', '{{"todos":{0}}}', '{{"todos":[{0}]}}', '{{"todos":[{{"content":{0},"status":"pending"}}]}}',
                  '{{"todos":[{{"content":"a","status":{0}}}]}}', '{{"todos":[{{"content":"a","status":"pending","x":{0}}}]}}',
                  '{{"a":[[{{"b":[1,{0}]}}]],"todos":[]}}', '[{0}]', '{0}', ' {0} ', '{{"x":{0},"todos":[],"x":1}}',
                  '{{"x":1,"todos":[],"x":{0}}}', '{{"x":{{"y":{0}}},"x":{{}},"todos":[]}}', '{{"x":[{{"y":{0},"y":0}}],"todos":[]}}',
                  '{{"todos":[{{"content":"a","content":"b","status":"pending","x":{0}}}],"todos":[]}}',
                  '{{"todos":[{{"content":{0},"content":"b","status":"pending"}}]}}', '{{"x":{0}', '{{"x":{0}}}}}')
        with Compared() as host:
            host.op("session/create", session="s")
            for place, number in itertools.product(places, gen.LOSSY + self.KEPT):
                host.op("tool/call", name="todo_write", arguments=place.format(number), session="s")
            host.op("session/events", session="s")

    def test_malformed_numbers_are_no_json(self):
        bad = ("01", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "0x10", "1_000", "NaN", "Infinity", "-Infinity", "--1", "1.2.3",
               "00", "-01", "1e5.5", "٣")
        with Compared() as host:
            host.op("session/create", session="s")
            for number in bad:
                host.call(f'{{"todos":[],"n":{number}}}', "s")
                host.call(number, "s")

    def test_numbers_print_as_javascript_prints_them(self):
        """The invariant names an unknown status; a list of numbers shows how each is printed."""
        r = gen.rng("numbers")
        edges = [f"{digits}e{power}" for power in range(-326, 309) for digits in ("1", "9.999999999999999", "1.5", "4.9406564584124654")]
        edges += [str(2 ** power) for power in range(0, 70)] + [f"0.{'0' * zeros}123" for zeros in range(12)]
        numbers = [number for number in edges + [str(gen.number(r)) for _ in range(gen.count(20000))]
                   if js.lossless(float(number))]
        with Compared(without=()) as host:
            host.op("session/create", session="s")
            for block in blocks(numbers, 500):
                for list_of in (block, ["-" + number.lstrip("-") for number in block if float(number)]):
                    list_of = [number for number in list_of if js.lossless(float(number))]
                    host.append("s", "todo/write", f'{{"todos":[{{"content":"a","status":[{",".join(list_of)}]}}]}}')
            for number in numbers[:300]:
                host.append("s", "todo/write", f'{{"todos":[{{"content":"a","status":{number}}}]}}')

    def test_events_keep_no_lossy_number(self):
        with Compared(without=()) as host:
            host.op("session/create", session="s")
            for number in gen.LOSSY + self.KEPT:
                host.append("s", "zoo/fed", f'{{"n":[{number}]}}')
            host.op("session/events", session="s")


class Nesting(unittest.TestCase):
    """JSON.parse has no bound; the plugin has a generous one, which its error names."""

    BOUND = 5000
    SHAPES = ("[]", '{"a":}')

    def test_within_the_bound(self):
        """What is ignored may nest; what is wrong is named all the same."""
        with Compared() as host:
            host.op("session/create", session="s")
            for depth, shape in itertools.product((1, 31, 32, 33, 100, 1000, 3000, self.BOUND - 3), self.SHAPES):
                deep = _nested(shape, depth)
                host.call(f'{{"todos":[],"d":{deep}}}', "s")
                host.op("tool/present", name="todo_write", arguments=f'{{"todos":[],"d":{deep}}}')
                for arguments in (f'{{"todos":{deep}}}', f'{{"todos":[{{"content":{deep}}}]}}', f'{{"todos":[],"d":{deep[:-1]}}}', deep):
                    host.op("tool/call", name="todo_write", session="s", arguments=arguments)

    def test_beyond_the_bound(self):
        """Refused with the bound and what came, and nothing crashes, however deep it goes."""
        with Compared() as host:
            host.op("session/create", session="s")
            for depth, shape in itertools.product((self.BOUND, 100_000, 1_000_000), self.SHAPES):
                arguments = f'{{"todos":[],"d":{_nested(shape, depth)}}}'
                answer = host.real.op("tool/call", name="todo_write", arguments=arguments, session="s")
                self.assertEqual(answer["text"], "Error: the text of the arguments nests "
                                 f"{depth + 1} levels deep, the bound is {self.BOUND}")
                unclosed = host.real.op("tool/call", name="todo_write", arguments=shape[:-1] * depth, session="s")
                self.assertTrue(unclosed["isError"])
            host.call(text_of([GOOD]), "s")


class StrangeBytes(unittest.TestCase):
    def test_nul_and_other_controls(self):
        with Compared() as host:
            host.op("session/create", session="s")
            for code in range(0x20):
                for place in ('{0}{{"todos":[]}}', '{{"todos":[]}}{0}', '{{"todos"{0}:[]}}', '{{"todos":[]{0}}}',
                              '{{"todos":[{{"content":"a{0}b","status":"pending"}}]}}', '{{"a{0}":1,"todos":[]}}', '{0}'):
                    host.call(place.format(chr(code)), "s")

    def test_white_space_that_json_does_not_know(self):
        with Compared() as host:
            host.op("session/create", session="s")
            for space in js.SPACES + "\u0085\u200b\u180e":
                for place in ('{0}{{"todos":[]}}', '{{"todos":[]}}{0}', '{{{0}"todos":[]}}', '{{"todos":[{0}]}}', "{0}"):
                    host.call(place.format(space), "s")

    def test_every_cut_of_a_text_is_refused_or_right(self):
        arguments = '{"todos":[{"content":"a\\u00e9\\ud83d\\ude00\\n","status":"pending"}],"n":[-1.5e+3,true,null]}'
        with Compared() as host:
            host.op("session/create", session="s")
            for cut in range(len(arguments) + 1):
                host.call(arguments[:cut], "s")
                host.call(arguments[cut:], "s")


class Config(unittest.TestCase):
    def test_random_configs(self):
        """A config is YAML; JSON is YAML. What is no boolean is refused as JavaScript would print it."""
        r = gen.rng("config")
        for _ in range(gen.count(60)):
            config = self._config(r)
            written = js.stringify(config)
            composition = f"- name: '@deepseek-ai/dsh-tool-todo'\n  config: {written}\n"
            with self.subTest(config=ascii(written)):
                error = loader.load_failure(composition)
                problem = todo_model.config_problem(config)
                if problem is None:
                    self.assertIsNone(error)
                else:
                    self.assertRegex(error, r"\Afailed to apply loader entry \S+ \(@deepseek-ai/dsh-tool-todo\): ")
                    self.assertEqual(error.partition("): ")[2], problem)

    @staticmethod
    def _config(r):
        def plain(depth):
            kind = r.randrange(7 if depth else 5)
            if kind == 0:
                return r.choice((True, False, None))
            if kind == 1:
                return r.choice((0.0, 1.0, -1.5, 1e21, 1e-7, 12345678901234567890.0, 0.1, 5e-324))
            if kind < 5:
                return r.choice(("true", "no", "", "it's", "a b", "é", "1", "null", "[object Object]", "~", "<<", "\ud800", "a\nb"))
            if kind == 5:
                return [plain(depth - 1) for _ in range(r.randint(0, 3))]
            return {r.choice("abc"): plain(depth - 1) for _ in range(r.randint(0, 2))}
        value = r.choice((True, False, plain(2), plain(2), plain(2)))
        config = {"allowParallelInProgress": value} if r.random() < 0.8 else plain(2)
        if type(config) is dict and r.random() < 0.3:
            config["colour"] = "red"
        return config


def _nested(shape, depth):
    """[] or {"a":} nested so many times; the innermost object holds null."""
    first, last = shape[:-1], shape[-1]
    return first * depth + ("" if shape == "[]" else "null") + last * depth


if __name__ == "__main__":
    unittest.main()
