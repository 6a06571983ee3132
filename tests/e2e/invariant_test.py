"""The durable-log invariant, through script mode."""
import unittest

from loader import Script, items

PREFIX = 'invariant violated by "@deepseek-ai/dsh-tool-todo": '
OUTSIDE = PREFIX + "todo/write appended outside any open turn"
START = {"type": "turn/start", "data": {"turn": 1}}
END = {"type": "turn/end", "data": {"turn": 1}}


def write(todos):
    return {"type": "todo/write", "data": {"todos": todos}}


class InvariantTest(unittest.TestCase):
    def setUp(self):
        self.script = self.enterContext(Script())

    def create(self, *seed, session="s"):
        fields = {"seed": list(seed)} if seed else {}
        return self.script.op("session/create", session=session, **fields)

    def append(self, event, session="s"):
        return self.script.op("session/append", session=session, **event)

    def assert_vetoed(self, event, text):
        before = self.script.events("s")
        self.assertEqual(self.append(event), {"ok": False, "error": text})
        self.assertEqual(self.script.events("s"), before)


class Shapes(InvariantTest):
    def setUp(self):
        super().setUp()
        self.create()
        self.append(START)

    def test_a_sound_list_passes(self):
        self.assertEqual(self.append(write(items("a:p, b:i, c:i"))), {"ok": True, "seq": 1})

    def test_todos_have_to_be_an_array(self):
        for todos in ({}, None, "x", 1):
            with self.subTest(todos=todos):
                self.assert_vetoed(write(todos), PREFIX + "todo/write todos must be an array")
        self.assert_vetoed({"type": "todo/write", "data": {}}, PREFIX + "todo/write todos must be an array")

    def test_entries_have_to_be_objects(self):
        for entry in (1, None, "a", True):
            with self.subTest(entry=entry):
                self.assert_vetoed(write([entry]), PREFIX + "todo/write entries must be objects")

    def test_an_array_counts_as_an_object(self):
        self.assert_vetoed(write([[]]), PREFIX + "todo/write content must be non-empty and already trimmed")

    def test_contents_have_to_be_trimmed(self):
        for content in ("", " ", " a", "a\u00a0", 1, None, [], "\ufeff"):
            with self.subTest(content=content):
                self.assert_vetoed(write([{"content": content, "status": "pending"}]),
                                   PREFIX + "todo/write content must be non-empty and already trimmed")

    def test_contents_are_not_repeated(self):
        self.assert_vetoed(write(items('a"b:p') * 2), PREFIX + r'todo/write repeats content "a\"b"')

    def test_statuses_are_known(self):
        for status, shown in (("done", '"done"'), (None, "null"), (1, "1"), (1e21, "1e+21"), (0.1, "0.1"), ([1, 2], "[1,2]"),
                              ({"b": 1, "2": 2, "1": 3}, '{"1":3,"2":2,"b":1}'), (True, "true"), ("\ud800", r'"\ud800"')):
            with self.subTest(status=status):
                self.assert_vetoed(write([{"content": "a", "status": status}]), PREFIX + "todo/write carries unknown status " + shown)

    def test_a_missing_status_is_undefined(self):
        self.assert_vetoed(write([{"content": "a"}]), PREFIX + "todo/write carries unknown status undefined")

    def test_numbers_print_as_javascript_prints_them(self):
        answer = self.script.line('{"op":"session/append","session":"s","type":"todo/write",'
                                  '"data":{"todos":[{"content":"a","status":12345678901234567890}]}}')
        self.assertEqual(answer["error"], PREFIX + "todo/write carries unknown status 12345678901234567000")

    def test_extra_keys_pass(self):
        self.assertIs(self.append(write([{"content": "a", "status": "pending", "id": 7}]))["ok"], True)

    def test_the_first_item_that_is_wrong_decides(self):
        self.assert_vetoed(write([{"content": "a", "status": "x"}, {"content": " "}]), PREFIX + 'todo/write carries unknown status "x"')


class Turns(InvariantTest):
    def test_a_write_needs_an_open_turn(self):
        self.create()
        self.assert_vetoed(write([]), OUTSIDE)
        self.append(START)
        self.assertIs(self.append(write([]))["ok"], True)
        self.append(END)
        self.assert_vetoed(write([]), OUTSIDE)

    def test_nested_starts_need_one_end(self):
        self.create()
        self.append(START)
        self.append(START)
        self.append(END)
        self.assert_vetoed(write([]), OUTSIDE)

    def test_turn_numbers_are_ignored(self):
        self.create()
        self.append({"type": "turn/start", "data": {"turn": 7}})
        self.append({"type": "turn/end", "data": {"turn": 1}})
        self.assert_vetoed(write([]), OUTSIDE)

    def test_the_shape_comes_before_the_turn(self):
        self.create()
        self.assert_vetoed(write({}), PREFIX + "todo/write todos must be an array")

    def test_each_session_has_its_own_turn(self):
        self.create()
        self.create(session="t")
        self.append(START)
        self.assertEqual(self.append(write([]), session="t")["error"], OUTSIDE)

    def test_inside_a_call_it_is_the_calls_error(self):
        self.create()
        answer = self.script.call(items("a:p"), session="s")
        self.assertEqual((answer["ok"], answer["isError"], answer["text"]), (True, True, "Error: " + OUTSIDE))
        self.assertEqual(self.script.events("s"), [])


class Replay(InvariantTest):
    def test_a_bad_seed_vetoes_the_creation_and_the_id_stays_free(self):
        self.assertEqual(self.create(write([])), {"ok": False, "error": OUTSIDE})
        self.assertIs(self.create(START, write([]))["ok"], True)

    def test_a_seeds_turn_goes_on_live(self):
        self.create(START)
        self.assertIs(self.append(write([]))["ok"], True)

    def test_existing_sessions_are_replayed_when_it_comes(self):
        with Script(without=["invariants"]) as script:
            script.ok("session/create", session="s", seed=[START, write(items("a:p"))])
            script.ok("service/add", name="invariants")
            self.assertIs(script.op("session/append", session="s", **write([]))["ok"], True)

    def test_a_bad_log_refuses_it_and_the_service_stays(self):
        with Script(without=["invariants"]) as script:
            script.ok("session/create", session="s", seed=[write(items("a:p"))])
            answer = script.op("service/add", name="invariants")
            self.assertIs(answer["ok"], False)
            self.assertIn(OUTSIDE, answer["error"])
            self.assertIs(script.op("service/add", name="invariants")["ok"], False)
            self.assertIs(script.op("service/remove", name="invariants")["ok"], True)


if __name__ == "__main__":
    unittest.main()
