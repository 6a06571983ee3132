"""Opening a stored session to write: what is counted on, what is closed, what is refused and what is told."""
import json
import unittest

import loader
from stored_log import HEADER, StoredLog, line, turn, write


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


if __name__ == "__main__":
    unittest.main(verbosity=2)
