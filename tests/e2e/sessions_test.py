"""Sessions, through script mode."""
import json
import pathlib
import tempfile
import time
import unittest

from loader import Script, items

CARRIES = 'session event "%s" carries non-JSON-serializable data'


class SessionsTest(unittest.TestCase):
    def setUp(self):
        self.script = self.enterContext(Script(without=["invariants"]))
        self.script.ok("session/create", session="s")

    def append(self, type="acme/note", data=None, **more):
        return self.script.op("session/append", session="s", type=type, data={} if data is None else data, **more)

    def assert_refused(self, answer):
        self.assertIs(answer["ok"], False, answer)
        self.assertTrue(answer["error"])


class Envelopes(SessionsTest):
    def test_keys_come_in_their_order(self):
        self.append("turn/start", {"turn": 1})
        self.append("user/message", {"content": []}, surfaceOp="append", sourceEventSeqs=[0])
        self.script.ok("session/events", session="s")
        text = self.script.answer_text.decode()
        self.assertRegex(text, r'\{"type":"turn/start","seq":0,"time":\d+,"data":\{"turn":1\}\}')
        self.assertRegex(text, r'\{"type":"user/message","seq":1,"time":\d+,"data":\{"content":\[\]\},"sourceEventSeqs":\[0\],"surfaceOp":"append"\}')

    def test_seqs_are_contiguous_and_times_are_now(self):
        before = time.time() * 1000
        seqs = [self.append()["seq"] for _ in range(5)]
        self.assertEqual(seqs, list(range(5)))
        for event in self.script.events("s"):
            self.assertLess(abs(event["time"] - before), 60_000)

    def test_data_is_kept_as_written(self):
        for data in ('{"b":1,"a":2,"b":3}', '1.50', '1e2', r'"\u0061\ud800\/"', '12345678901234567890', '[]', 'null',
                     '"caf\u00e9 \U0001f600"', '{"2":0,"1":0}', '0.1e-7'):
            with self.subTest(data=data):
                answer = self.script.line('{"op":"session/append","session":"s","type":"acme/note","data":%s}' % data)
                self.assertIs(answer["ok"], True, answer)
                self.script.ok("session/events", session="s")
                self.assertIn(f'"data":{data}}}'.encode(), self.script.answer_text)

    def test_data_is_stored_compact(self):
        self.script.line('{"op":"session/append","session":"s","type":"acme/note","data": { "a" : [ 1 , " x " ] } }')
        self.script.ok("session/events", session="s")
        self.assertIn(b'"data":{"a":[1," x "]}', self.script.answer_text)

    def test_events_of_one_type_are_listed(self):
        self.append("a")
        self.append("b")
        self.append("a")
        self.assertEqual([e["seq"] for e in self.script.events("s", "a")], [0, 2])


class Checks(SessionsTest):
    def test_data_has_to_be_lossless(self):
        for data in ("-0", "1e999", "[-0.0]", '{"a":{"b":-1e-400}}'):
            with self.subTest(data=data):
                answer = self.script.line('{"op":"session/append","session":"s","type":"acme/note","data":%s}' % data)
                self.assertEqual(answer, {"ok": False, "error": CARRIES % "acme/note"})

    def test_surface_events_need_their_operation(self):
        for type in ("user/message", "assistant/message", "tool/result"):
            with self.subTest(type=type):
                self.assert_refused(self.append(type))
                self.assertIs(self.append(type, surfaceOp="append")["ok"], True)

    def test_no_other_event_may_carry_one(self):
        self.assert_refused(self.append("todo/write", {"todos": []}, surfaceOp="append"))
        self.append()
        self.assert_refused(self.append("acme/note", sourceEventSeqs=[0]))

    def test_sources_are_earlier_events_without_duplicates(self):
        self.append()
        self.append()
        for seqs in ([2], [9], [-1], [0, 0], [0.5], ["0"], "0", {}):
            with self.subTest(seqs=seqs):
                self.assert_refused(self.append("tool/result", surfaceOp="append", sourceEventSeqs=seqs))
        self.assertIs(self.append("tool/result", surfaceOp="append", sourceEventSeqs=[1, 0])["ok"], True)

    def test_sources_are_empty_only_on_an_assistants_message(self):
        self.assertIs(self.append("assistant/message", surfaceOp="append", sourceEventSeqs=[])["ok"], True)
        for type in ("user/message", "tool/result"):
            self.assert_refused(self.append(type, surfaceOp="append", sourceEventSeqs=[]))

    def test_losslessness_comes_before_the_surface_rules(self):
        answer = self.script.line('{"op":"session/append","session":"s","type":"user/message","data":-0}')
        self.assertEqual(answer["error"], CARRIES % "user/message")

    def test_in_memory_any_type_is_accepted(self):
        self.assertIs(self.append("\ud800 \u0000 anything")["ok"], True)


class Ids(SessionsTest):
    def test_ids_default_to_numbers(self):
        self.assertEqual([self.script.ok("session/create")["session"] for _ in range(2)], ["session-1", "session-2"])

    def test_a_clash_is_refused(self):
        self.assertEqual(self.script.op("session/create", session="s"), {"ok": False, "error": 'session "s" already exists'})

    def test_a_disposed_id_is_free_again(self):
        self.script.ok("session/dispose", session="s")
        self.assertEqual(self.append(), {"ok": False, "error": 'unknown session "s"'})
        self.script.ok("session/create", session="s")
        self.assertEqual(self.script.events("s"), [])

    def test_an_unknown_session_is_no_answer(self):
        for op, fields in (("session/append", {"type": "a", "data": {}}), ("session/events", {}), ("session/dispose", {}),
                           ("projection/read", {}), ("projection/checkpoint", {}),
                           ("tool/call", {"name": "todo_write", "arguments": "{}"})):
            with self.subTest(op=op):
                self.assertEqual(self.script.op(op, session="x", **fields), {"ok": False, "error": 'unknown session "x"'})


class Seeds(SessionsTest):
    def test_a_seed_is_closed(self):
        self.script.ok("session/create", session="t", seed=[{"type": "turn/start", "data": {"turn": 1}}])
        self.assertEqual([(e["type"], e["seq"], e["data"]) for e in self.script.events("t")],
                         [("turn/start", 0, {"turn": 1}), ("session/end-seed", 1, {})])

    def test_a_seed_that_is_closed_stays_as_it_is(self):
        self.script.ok("session/create", session="t", seed=[{"type": "session/end-seed", "data": {}}])
        self.assertEqual(len(self.script.events("t")), 1)

    def test_a_seed_has_to_be_contiguous(self):
        self.assert_refused(self.script.op("session/create", session="t", seed=[{"type": "a", "data": {}, "seq": 1}]))
        self.assert_refused(self.script.op("session/create", session="t", seed=[
            {"type": "a", "data": {}, "seq": 0}, {"type": "a", "data": {}, "seq": 2}]))
        self.script.ok("session/create", session="t", seed=[{"type": "a", "data": {}, "seq": 0}, {"type": "a", "data": {}, "seq": 1}])


class Durable(unittest.TestCase):
    def setUp(self):
        self.root = self.enterContext(tempfile.TemporaryDirectory())

    def script(self, **more):
        return Script(sessions=self.root, **more)

    def header(self):
        (log,) = pathlib.Path(self.root).glob("*/s/session.jsonl")
        return json.loads(log.read_bytes().splitlines()[0])

    def test_the_header_tells_how_many_events_were_the_seed(self):
        """session/end-seed, which the host adds, is none of them."""
        seed = [{"type": "turn/start", "data": {"turn": 1}}, {"type": "todo/write", "data": {"todos": items("a:i")}}]
        with self.script() as script:
            script.ok("session/create", session="s", seed=seed)
            self.assertEqual([e["type"] for e in script.events("s")], ["turn/start", "todo/write", "session/end-seed"])
            self.assertEqual(self.header()["seedLength"], 2)
        with self.script() as script:
            self.assertEqual(script.ok("session/open", session="s")["events"], 5)  # the turn was closed
        self.assertEqual(self.header()["seedLength"], 2)

    def test_a_session_without_a_seed_has_no_length_of_it(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
        self.assertNotIn("seedLength", self.header())

    def test_lines_on_disk_are_compact(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            for line in ('"type":"turn/start","data":{ "turn" : 1 }', '"type":"user/message","data": [ "a b" ],"sourceEventSeqs":[ 0 ],"surfaceOp" : "append"'):
                self.assertIs(script.line('{"op":"session/append","session":"s",%s}' % line)["ok"], True)
        (log,) = pathlib.Path(self.root).glob("*/s/session.jsonl")
        lines = log.read_text().splitlines()
        self.assertRegex(lines[1], r'"data":\{"turn":1\}\}$')
        self.assertRegex(lines[2], r'"data":\["a b"\],"sourceEventSeqs":\[0\],"surfaceOp":"append"\}$')

    def test_opening_a_stored_session_marks_the_end_of_its_seed(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.call(items("a:i"), session="s")
            script.ok("session/append", session="s", type="turn/end", data={"turn": 1})
        for _ in range(2):
            with self.script() as script:
                self.assertEqual(script.op("session/open", session="s"), {"ok": True, "session": "s", "events": 4})
                self.assertEqual([e["type"] for e in script.events("s")],
                                 ["turn/start", "todo/write", "turn/end", "session/end-seed"])
                self.assertEqual(script.todos("s"), items("a:i"))

    def test_creating_an_id_that_is_on_disk_is_refused(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
        with self.script() as script:
            self.assertEqual(script.op("session/create", session="s"), {"ok": False, "error": 'session "s" already exists'})

    def test_an_unknown_type_is_refused(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            answer = script.op("session/append", session="s", type="acme/note", data={})
            self.assertIs(answer["ok"], False)
            self.assertIn("acme/note", answer["error"])
            self.assertEqual(script.events("s"), [])

    def test_an_interrupted_turn_is_closed_on_opening(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.call(items("a:i"), session="s")
            script.kill()
        with self.script() as script:
            script.ok("session/open", session="s")
            events = script.events("s")
            self.assertEqual([e["type"] for e in events], ["turn/start", "todo/write", "turn/end", "session/end-seed"])
            self.assertEqual(events[2]["data"]["reason"]["kind"], "interrupted")
            self.assertEqual(script.todos("s"), items("a:i"))

    def test_a_session_of_another_directory_is_refused(self):
        with self.script(cwd="/one") as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
        with self.script(cwd="/two") as script:
            answer = script.op("session/open", session="s")
            self.assertIs(answer["ok"], False)
            self.assertIn("/one", answer["error"])
            self.assertIn("/two", answer["error"])

    def test_a_session_that_is_not_there(self):
        with self.script() as script:
            self.assertIs(script.op("session/open", session="x")["ok"], False)
        with Script() as script:
            self.assertIs(script.op("session/open", session="x")["ok"], False)


if __name__ == "__main__":
    unittest.main()
