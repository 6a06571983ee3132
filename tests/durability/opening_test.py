"""Opening a stored session to write: what is counted on, what is closed, what is refused and what is told."""
import json
import threading
import unittest

from loader import items
from stored_log import HEADER, StoredLog, line, turn


class TurnNumbers(StoredLog):
    """A log's numbers are data: a next turn is counted on from what can be counted on from, and from nothing else."""

    def next_turn(self, *starts):
        seq, lines = 0, []
        for number in starts:
            lines += [f'{{"type":"turn/start","seq":{seq},"time":1,"data":{{"turn":{number}}}}}', line(seq + 1, "turn/end", {})]
            seq += 2
        self.store(*lines)
        done = self.call("a:i")
        self.assertEqual((done.returncode, done.stderr), (0, b""), starts)
        return [one["data"]["turn"] for one in self.events() if one["type"] == "turn/start"][-1]

    def test_it_is_one_behind_the_last_however_that_is_spelt(self):
        for number in ("5", "5.0", "5e0", "0.5e1"):
            self.assertEqual(self.next_turn(3, number), 6, number)

    def test_no_number_is_too_large_to_go_on(self):
        for number in ("9223372036854775807", "9223372036854775808", "9007199254740992", "9007199254740991", "1e999", "-1", "null"):
            self.assertEqual(self.next_turn(7, number), 9, number)

    def test_an_open_turn_is_closed_with_a_number_that_every_reader_carries(self):
        self.store('{"type":"turn/start","seq":0,"time":1,"data":{"turn":9223372036854775807}}')
        self.assertEqual(self.call("a:i").returncode, 0)
        self.assertEqual([one["data"]["turn"] for one in self.events() if one["type"].startswith("turn/")], [2**63 - 1, 1, 2, 2])


class OpenCalls(StoredLog):
    CALL = {"turn": 1, "step": 1, "callId": "cé", "name": "todo_write", "arguments": "{}"}
    BEGIN = (line(0, "turn/start", {"turn": 1}), line(1, "step/start", {"turn": 1, "step": 1}), line(2, "tool/call", CALL))

    def closed_by_opening(self, *lines):
        kept = len(self.store(*lines))
        with self.script() as script:
            self.assertTrue(script.op("session/open", session="s")["ok"])
        return [json.loads(one) for one in self.log.read_bytes()[kept:].splitlines()]

    def test_the_spelling_of_an_id_makes_no_other_call(self):
        self.assertIn("\\u00e9", self.BEGIN[2])
        result = line(3, "tool/result", {"turn": 1, "step": 1, "callId": "cé", "content": [], "isError": False},
                      sourceEventSeqs=[2], surfaceOp="append").replace("\\u00e9", "é")
        self.assertEqual([one["type"] for one in self.closed_by_opening(*self.BEGIN, result)], ["step/end", "turn/end", "session/end-seed"])

    def test_a_call_whose_step_was_ended_gets_its_result_too(self):
        result, *rest = self.closed_by_opening(*self.BEGIN, line(3, "step/end", {"turn": 1, "step": 1}))
        self.assertEqual((result["type"], result["data"]["message"]["source"]["callId"], result["sourceEventSeqs"]), ("tool/result", "cé", [2]))
        self.assertEqual([one["type"] for one in rest], ["turn/end", "session/end-seed"])


class OneIdInTwoProjects(StoredLog):
    def header(self, cwd):
        return HEADER.replace('"createdAt"', f'"cwd":"{cwd}","createdAt"')

    def test_of_processes_that_each_believe_it_free_exactly_one_creates_it(self):
        scripts = [self.enterContext(self.script(cwd=f"/{k}")) for k in range(8)]
        for script in scripts:
            script.ok("session/create", session="s")
        answers = {}

        def append(cwd, script):
            answers[cwd] = script.op("session/append", session="s", type="turn/start", data={"turn": 1})

        racing = [threading.Thread(target=append, args=(f"/{k}", script)) for k, script in enumerate(scripts)]
        for thread in racing:
            thread.start()
        for thread in racing:
            thread.join()
        (winner,) = [cwd for cwd, answer in answers.items() if answer["ok"]]
        for cwd, answer in answers.items():
            if cwd != winner:
                self.assertEqual(answer["error"], f'session "s" belongs to "{winner}", not to "{cwd}"')
        for script in scripts:
            script.kill()
        self.assertEqual([path.parent.parent.name for path in self.root.glob("*/*/session.jsonl")], [f"--{winner[1:]}--"])
        self.assertEqual(self.call("a:i").returncode, 0)

    def test_of_a_root_where_it_happened_once_each_is_worked_in_by_its_directory(self):
        for cwd in ("/a", "/b"):
            self.log = self.root / f"--{cwd[1:]}--" / "s" / "session.jsonl"
            self.store(*turn(0, 1, f"of {cwd}:i"), header=self.header(cwd))
        done = self.call("c:i")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"lies in two project directories", done.stderr)
        self.assertIn(b"--cwd", done.stderr)
        self.assertEqual(self.run_loader("sessions").returncode, 1)
        for cwd in ("/a", "/b"):
            done = self.run_loader("sessions", "--cwd", cwd, "--json")
            (one,) = json.loads(done.stdout)["sessions"]
            self.assertEqual((done.returncode, one["damaged"], one["cwd"]), (0, False, cwd))
            done = self.run_loader("call", "todo_write", json.dumps({"todos": items(f"new {cwd}:i")}), "--session", "s", "--cwd", cwd)
            self.assertEqual(done.returncode, 0, done)
            shown = json.loads(self.run_loader("plan", "--session", "s", "--cwd", cwd, "--json").stdout)
            self.assertEqual(shown["todos"], items(f"new {cwd}:i"))

    def tearDown(self):
        pass  # `plan` alone can't tell which of two is meant


if __name__ == "__main__":
    unittest.main(verbosity=2)
