"""The life of stored sessions through the real program: turns, restarts, compaction, crashes. Each test is a kind
of trouble that users of such tools reported."""
import json
import os
import random
import signal
import threading
import time
import unittest

from loader import Ended, items
from mcp import Mcp
from stored_log import StoredLog, line, turn, write

FULL = os.environ.get("DSH_FULL") == "1"
SEED = int(os.environ.get("DSH_SEED", "7"))


class Lists(StoredLog):
    """Which list stands, as `call`, `plan` and `sessions` tell it, a process each."""

    def test_an_old_list_does_not_enter_a_fresh_session(self):
        self.call("a:i", session="one")
        with self.script() as script:
            script.ok("session/create", session="two")
            script.ok("session/append", session="two", type="turn/start", data={"turn": 1})
            self.assertIsNone(script.todos("two"))
        self.assertIsNone(self.plan("two"))
        self.assertEqual(self.plan("one"), items("a:i"))

    def test_the_last_turns_list_does_not_stay_under_a_new_task(self):
        """The next turn clears it at once, before its first step."""
        self.store(*turn(0, 1, "a:i"))
        self.assertEqual(self.plan(), items("a:i"))
        with self.script() as script:
            script.ok("session/open", session="s")
            self.assertEqual(script.todos("s"), items("a:i"))
            script.ok("session/append", session="s", type="turn/start", data={"turn": 2})
            self.assertIsNone(script.todos("s"))
            self.assertIsNone(self.plan())
        self.assertIsNone(self.plan())

    def test_a_list_stays_when_the_answer_ends(self):
        self.call("a:i")
        for _ in range(2):
            self.assertEqual(self.plan(), items("a:i"))
            with self.script() as script:
                script.ok("session/open", session="s")
                self.assertEqual(script.todos("s"), items("a:i"))

    def test_a_view_that_was_closed_shows_the_newest_state_when_it_opens_again(self):
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            for list in ("a:p", "a:c"):
                script.call(items(list), session="s")
                self.assertEqual(self.plan(), items(list))

    def test_a_cleared_list_is_empty_after_a_kill(self):
        """One change tells of the clearing, and finished items do not come back."""
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.call(items("a:c"), session="s")
            script.ok("projection/subscribe")
            self.assertEqual([one["value"] for one in script.call([], session="s")["notified"]], [[]])
            script.kill()
        self.assertEqual(self.plan(), [])
        with self.script() as script:
            script.ok("session/open", session="s")
            self.assertEqual(script.todos("s"), [])

    def test_a_list_survives_compaction(self):
        """The log still holds it all, and nothing in it is opened again."""
        long = ", ".join(f"step {n}:{'cip'[n % 3]}" for n in range(43))
        compaction = [line(2 + k, "compaction/" + part) for k, part in enumerate(("start", "summary", "prune", "end"))]
        end = line(6, "turn/end", {"turn": 1, "reason": {"kind": "completed"}})
        for list in (long, "a:c, b:c"):
            self.store(line(0, "turn/start", {"turn": 1}), write(1, list), *compaction, end)
            self.assertEqual(self.plan(), items(list))
            with self.script() as script:
                script.ok("session/open", session="s")
                self.assertEqual(script.todos("s"), items(list))
                self.assertEqual(script.events("s", "todo/write")[0]["data"]["todos"], items(list))

    def test_a_list_belongs_to_its_session_whatever_process_opens_it(self):
        """Nothing of the process is in the key: commands, scripts and the MCP server see the same list."""
        self.call("a:i, b:p")
        with self.script() as one:
            one.ok("session/open", session="s")
            self.assertEqual(one.todos("s"), items("a:i, b:p"))
        with Mcp(sessions=self.root) as two:
            two.initialize()
            self.assertEqual(two.plan(), items("a:i, b:p"))
        self.assertEqual(self.plan(), items("a:i, b:p"))

    def test_of_many_lists_of_a_turn_one_stands(self):
        """The older ones are history, before and after reopening."""
        self.store(*turn(0, 1, *(f"step {n}:i" for n in range(6))))
        shown = self.run_loader("plan", "--session", "s").stdout.decode()
        self.assertIn("step 5", shown)
        self.assertNotIn("step 4", shown)
        with self.script() as script:
            script.ok("projection/subscribe")
            answer = script.ok("session/open", session="s")
            self.assertEqual(answer["notified"], [])  # what was stored is not told again
            self.assertEqual(script.todos("s"), items("step 5:i"))
        history = json.loads(self.run_loader("plan", "--session", "s", "--history", "--json").stdout)["history"]
        self.assertEqual([entry["todos"] for entry in history], [items(f"step {n}:i") for n in range(6)])


class Crashes(StoredLog):
    def test_a_list_of_a_crashed_turn_stands_until_the_next_turn(self):
        """Power was lost in a step with a call under way. Opening closes the turn and leaves the list; it goes with
        the next turn, not before and not never."""
        call = {"turn": 1, "step": 1, "callId": "c1", "name": "todo_write", "arguments": "{}"}
        before = self.store(line(0, "turn/start", {"turn": 1}), line(1, "step/start", {"turn": 1, "step": 1}), write(2, "a:i"),
                            line(3, "tool/call", call))
        self.assertEqual(self.plan(), items("a:i"))
        with self.script() as script:
            script.ok("session/open", session="s")
            self.assertEqual(script.todos("s"), items("a:i"))
            closers = script.events("s")[4:]
            self.assertEqual([one["type"] for one in closers], ["tool/result", "step/end", "turn/end", "session/end-seed"])
            self.assertEqual(closers[0]["sourceEventSeqs"], [3])
            self.assertEqual(closers[2]["data"], {"turn": 1, "reason": {"kind": "interrupted"}})
            self.assertEqual({one["time"] for one in closers[:3]}, {1003})
            script.ok("session/append", session="s", type="turn/start", data={"turn": 2})
            self.assertIsNone(script.todos("s"))
        self.assertTrue(self.log.read_bytes().startswith(before))
        self.assertIsNone(self.plan())

    def test_what_was_acknowledged_survives_a_kill_at_any_moment(self):
        """`run --sessions` is killed while calls stream in. What it answered is in the log behind it, in whole lines;
        the log opens, and the plan is no older than the last answer."""
        random.seed(SEED)
        print(f"seed {SEED} (DSH_SEED repeats it)", flush=True)
        between = 0
        total = 300 if FULL else 24
        for round in range(total):
            session = f"round-{round}"
            with self.subTest(round=round):
                told, sent = self.killed_run(session)
                between += 0 < told < sent
                self.check_after_kill(session, told)
        print(f"{total} rounds, {between} of them killed between the first and the last answer", flush=True)
        self.assertGreater(between, total // 2)

    def killed_run(self, session):
        """A run that is killed while it takes calls. Returns how many it answered, of how many."""
        sent = 200
        calls = [self.call_line(session, n) for n in range(sent)]
        with self.script() as script:
            script.ok("session/create", session=session)
            script.ok("session/append", session=session, type="turn/start", data={"turn": 1})

            def send():
                try:
                    script.process.stdin.write("".join(calls).encode())
                    script.process.stdin.flush()
                except BrokenPipeError:
                    pass

            sending = threading.Thread(target=send)
            sending.start()  # none waits for the answer to the one before
            wanted = random.randrange(1, 100)
            told = 0
            try:
                while told < wanted:
                    self.assertIs(script.answer()["isError"], False)
                    told += 1
                time.sleep(random.random() / 500)
                script.process.send_signal(signal.SIGKILL)
                while True:
                    script.answer()
                    told += 1
            except Ended:
                pass
            sending.join()
            script.kill()
        return told, sent

    @staticmethod
    def call_line(session, number):
        todos = [{"content": f"step {number} " + "x" * (number * 37 % 2000), "status": "in_progress"}]
        return json.dumps({"op": "tool/call", "name": "todo_write", "session": session, "arguments": json.dumps({"todos": todos})}) + "\n"

    def check_after_kill(self, session, told):
        (log,) = self.root.glob(f"*/{session}/session.jsonl")
        text = log.read_bytes()
        whole = self.events(text[:text.rfind(b"\n") + 1])
        writes = [event["data"]["todos"][0]["content"].split()[1] for event in whole if event["type"] == "todo/write"]
        self.assertEqual(writes, [str(n) for n in range(len(writes))])
        self.assertGreaterEqual(len(writes), told)
        last = int(self.plan(session)[0]["content"].split()[1])
        self.assertEqual(last, len(writes) - 1)
        with self.script() as script:
            script.ok("session/open", session=session)
            self.assertEqual(script.todos(session)[0]["content"].split()[1], str(last))
            self.assertEqual([event["type"] for event in script.events(session)][-2:], ["turn/end", "session/end-seed"])


if __name__ == "__main__":
    unittest.main()
