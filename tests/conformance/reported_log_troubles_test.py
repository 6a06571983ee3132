"""Troubles with what is kept that users of such tools reported, each with the input that shows it, and the right
behaviour: what stands after a turn or a crash, whose list it is, and what a log may hold.

A test stands for its whole kind and is named by it.
"""
import json
import pathlib
import re
import tempfile
import threading
import unittest

import loader
from loader import PARALLEL, SINGLE, Script, items
from troubles import Trouble


class Lifetime(unittest.TestCase):
    """Durable sessions: what stands after a turn, a restart, a crash."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name

    def script(self):
        return Script(PARALLEL, sessions=self.root)

    def reopened(self, session="s"):
        """The plan of a stored session in a new process."""
        with self.script() as script:
            script.ok("session/open", session=session)
            return script.todos(session)

    @staticmethod
    def start(script, turn, session="s"):
        script.ok("session/append", session=session, type="turn/start", data={"turn": turn})

    @staticmethod
    def end(script, turn, session="s"):
        script.ok("session/append", session=session, type="turn/end", data={"turn": turn, "reason": {"kind": "completed"}})

    def write(self, script, todos, session="s"):
        answer = script.call(items(todos), session=session)
        self.assertFalse(answer["isError"], answer)

    def test_old_list_does_not_enter_a_fresh_session(self):
        with self.script() as script:
            for session in ("one", "two"):
                script.ok("session/create", session=session)
            self.start(script, 1, "one")
            self.write(script, "a:i", "one")
            self.assertIsNone(script.todos("two"))
        self.assertEqual(self.reopened("one"), items("a:i"))

    def test_last_turns_list_does_not_stay_under_the_next(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:i")
            self.end(script, 1)
            self.assertEqual(script.todos("s"), items("a:i"))
            self.start(script, 2)
            self.assertIsNone(script.todos("s"))
            self.end(script, 2)
        self.assertIsNone(self.reopened())

    def test_list_stays_when_the_answer_ends_and_after_reopening(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:i")
            self.end(script, 1)
        for _ in range(2):
            self.assertEqual(self.reopened(), items("a:i"))

    def test_cleared_list_stays_cleared_after_reopening(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:c")
            self.write(script, "")
            self.end(script, 1)
        self.assertEqual(self.reopened(), [])

    def test_acknowledged_list_survives_a_kill(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:i")
            script.kill()
        self.assertEqual(self.reopened(), items("a:i"))

    def test_list_of_a_crashed_turn_stands_until_the_next_turn(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:i")
            script.kill()
        with self.script() as script:
            script.ok("session/open", session="s")
            ends = [event for event in script.events("s") if event["type"] == "turn/end"]
            self.assertEqual([event["data"]["reason"]["kind"] for event in ends], ["interrupted"])
            self.assertEqual(script.todos("s"), items("a:i"))
            refused = script.call(items("b:i"), session="s")  # the crashed turn is closed
            self.assertRegex(refused["text"], "outside any open turn")
            self.start(script, 2)
            self.assertIsNone(script.todos("s"))
            self.write(script, "b:i")
        self.assertEqual(self.reopened(), items("b:i"))

    def test_reopened_view_shows_the_newest_state(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:p")
            self.write(script, "a:c")
        self.assertEqual(self.reopened(), items("a:c"))
        plan = loader.run("plan", "--json", "--session", "s", "--sessions", self.root)
        self.assertEqual(json.loads(plan.stdout)["todos"], items("a:c"))

    def test_list_is_keyed_by_the_session_and_nothing_of_the_process(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:i, b:p")
        first, second = self.reopened(), self.reopened()
        self.assertEqual(first, second)
        self.assertEqual(first, items("a:i, b:p"))

    def test_compaction_loses_no_list(self):
        """Compaction is events like any other: the log holds the list, and the plan stands unchanged."""
        todos = [{"content": f"step {n}", "status": ("completed", "in_progress", "pending")[n % 3]} for n in range(43)]
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.assertFalse(script.call(todos, session="s")["isError"])
            for kind in ("compaction/start", "compaction/summary", "compaction/prune", "compaction/end"):
                script.ok("session/append", session="s", type=kind, data={})
            self.assertEqual(script.todos("s"), todos)
            self.end(script, 1)
        self.assertEqual(self.reopened(), todos)

    def test_finished_plan_is_not_opened_again_by_compaction(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            self.write(script, "a:c, b:c")
            script.ok("session/append", session="s", type="compaction/end", data={})
            self.assertEqual(script.todos("s"), items("a:c, b:c"))

    def test_stored_bytes_are_the_events_bytes(self):
        """The line on disk is the event as it was answered, and reading it back changes no byte."""
        contents = ["plain", "quote \" slash / back \\", "a\u2028\u2029\x7f\u0085/", "\ud800", "x\udfff", "\U0001f9ed", "tab\tnew\nline\0"]
        with self.script() as script:
            script.ok("session/create", session="s")
            self.start(script, 1)
            arguments = json.dumps({"todos": [{"status": "pending", "content": f" {content} "} for content in contents]})
            self.assertFalse(script.call(session="s", arguments=arguments)["isError"])
            script.ok("session/events", session="s")
            answered = script.answer_text.partition(b'"events":')[2][:-1]
            log = next(pathlib.Path(self.root).rglob("session.jsonl"))
            lines = log.read_bytes().splitlines()[1:]
            self.assertEqual(b"[" + b",".join(lines) + b"]", answered)
            for part in (b'\\ud800"', b'x\\udfff"', "\U0001f9ed".encode(), b'quote \\" slash / back \\\\"', b'tab\\tnew\\nline\\u0000"',
                         "a\u2028\u2029\x7f\u0085/".encode()):
                self.assertIn(part, lines[1])
            self.end(script, 1)
        stored = log.read_bytes().splitlines()
        with self.script() as script:
            script.ok("session/open", session="s")
            script.ok("session/events", session="s")
            self.assertTrue(script.answer_text.partition(b'"events":')[2].startswith(b"[" + b",".join(stored[1:])))
            # The same data written once more is the same bytes.
            self.start(script, 2)
            data = re.fullmatch(rb'\{"type":"todo/write","seq":\d+,"time":\d+,"data":(.*)\}', stored[2])[1]
            script.line(b'{"op":"session/append","session":"s","type":"todo/write","data":' + data + b"}")
            self.assertTrue(log.read_bytes().splitlines()[-1].endswith(b'"data":' + data + b"}"))


class Ownership(Trouble):
    def test_two_calls_of_one_message_are_stored_whole_and_in_order(self):
        self.accepted(items("a:c, b:i"))
        self.accepted(items("a:c, b:c"))
        self.assertEqual(self.writes(), [items("a:c, b:i"), items("a:c, b:c")])
        self.assertEqual(self.script.todos("s"), items("a:c, b:c"))

    def test_parent_and_child_keep_their_own_lists(self):
        self.script.ok("session/create", session="child")
        for n in range(3):
            self.call(items(f"parent {n}:i"))
            self.call(items(f"child {n}:p, other:c"), session="child")
        self.assertEqual(self.script.todos("s"), items("parent 2:i"))
        self.assertEqual(self.script.todos("child"), items("child 2:p, other:c"))
        self.assertEqual(self.writes(), [items(f"parent {n}:i") for n in range(3)])

    def test_childs_write_does_not_reach_the_parent(self):
        self.script.ok("session/create", session="child")
        self.script.ok("projection/subscribe")
        changes = self.call(items("x:p"), session="child")["notified"]
        self.assertEqual([change["session"] for change in changes], ["child"])
        self.assertEqual(self.writes(), [])
        self.assertIsNone(self.script.todos("s"))

    def test_ownerless_call_is_refused_and_appends_nowhere(self):
        answer = self.call(items("a:p"), session=None)
        self.assertEqual((answer["isError"], answer["text"]), (True, "Error: todo_write requires an owning agent session"))
        self.assertEqual(self.script.events("s"), [])

    def test_rapid_large_calls_are_each_stored_whole(self):
        with tempfile.TemporaryDirectory() as root, Script(PARALLEL, sessions=root, without=["invariants"]) as script:
            script.ok("session/create", session="s")
            lists = [[{"content": f"{n} " + "x" * 50_000, "status": "pending"}] for n in range(20)]
            sending = threading.Thread(target=self._send, args=(script.process.stdin, lists))
            sending.start()  # none waits for the answer to the one before
            for _ in lists:
                self.assertFalse(script.answer()["isError"])
            sending.join()
            lines = next(pathlib.Path(root).rglob("session.jsonl")).read_bytes().splitlines()[1:]
            events = [json.loads(line) for line in lines]
            self.assertEqual([event["data"]["todos"] for event in events], lists)
            self.assertEqual([event["seq"] for event in events], list(range(20)))

    @staticmethod
    def _send(stdin, lists):
        for todos in lists:
            line = {"op": "tool/call", "name": "todo_write", "session": "s", "arguments": json.dumps({"todos": todos})}
            stdin.write(json.dumps(line).encode() + b"\n")
        stdin.flush()


class StoredSnapshots(unittest.TestCase):
    def test_stored_lists_that_break_the_rules_are_refused_each_for_its_reason(self):
        prefix = 'invariant violated by "@deepseek-ai/dsh-tool-todo": todo/write '
        bad = {"content must be non-empty and already trimmed": [{"content": " a ", "status": "pending"}],
               'repeats content "a"': items("a:p, a:c"),
               'carries unknown status "done"': [{"content": "a", "status": "done"}],
               "todos must be an array": {}}
        for reason, todos in bad.items():
            with Script(PARALLEL) as script:
                script.ok("session/create", session="s")
                script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
                answer = script.op("session/append", session="s", type="todo/write", data={"todos": todos})
                self.assertEqual(answer, {"ok": False, "error": prefix + reason})
                seed = [{"type": "turn/start", "data": {"turn": 1}}, {"type": "todo/write", "data": {"todos": todos}}]
                self.assertEqual(script.op("session/create", session="t", seed=seed)["error"], prefix + reason)

    def test_stored_list_outside_any_turn_is_refused(self):
        with Script(PARALLEL) as script:
            script.ok("session/create", session="s")
            answer = script.op("session/append", session="s", type="todo/write", data={"todos": []})
            self.assertRegex(answer["error"], "appended outside any open turn")

    def test_two_active_items_in_a_log_pass_under_the_one_active_policy(self):
        with Script(SINGLE) as script:
            seed = [{"type": "turn/start", "data": {"turn": 1}}, {"type": "todo/write", "data": {"todos": items("a:i, b:i")}}]
            script.ok("session/create", session="s", seed=seed)
            self.assertEqual(script.todos("s"), items("a:i, b:i"))


if __name__ == "__main__":
    unittest.main()
