"""Huge lists and texts: accepted, exact, and at a cost that grows with the input and no faster.

Cost is what the process spends: nanoseconds on a CPU (from the scheduler, not the clock) and peak
memory. A quadratic step would take 16 times as much for an input 4 times as large; the tests allow 8.
"""
import json
import os
import pathlib
import unittest

import build
import javascript as js
import loader
import processes
from hosts import Answer, ScriptHost, line_of

MIB = 1 << 20
SLOW = 4 if build.SANITIZER else 1  # sanitizers multiply time and memory; the largest inputs shrink
STATUSES = ("pending", "in_progress", "completed")


def todos(count, width=0):
    return [{"content": f"item {i}" + "x" * width, "status": STATUSES[i % 3]} for i in range(count)]


class Host(ScriptHost):
    """A host that tells what a line costs."""

    def __init__(self, **options):
        super().__init__(loader.PARALLEL, without=["invariants"], timeout=1200, **options)
        self.op("session/create", session="s")

    def call(self, arguments):
        """The answer line of a call in the session, raw, and the CPU seconds it took."""
        line = line_of("tool/call", {"name": "todo_write", "arguments": arguments, "session": "s"})
        before = self._cpu()
        self.script.line(line)
        return self.script.answer_text, self._cpu() - before

    def _cpu(self):
        tasks = pathlib.Path(f"/proc/{self.script.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9

    def peak(self):
        """Peak resident bytes so far."""
        return processes.memory(self.script.process.pid, "VmHWM") * 1024


@unittest.skipUnless(os.path.exists("/proc/self/schedstat"), "reads the scheduler's figures from /proc")
class Cost(unittest.TestCase):
    def _linear(self, make, sizes):
        """Checks that four times the size costs less than eight times as much: quadratic work would cost sixteen,
        however often it is measured. Others on the machine may make one measurement dearer than it is."""
        texts = [make(size) for size in sizes]
        measured = []
        for _ in range(3):
            small, large = map(self._cost, texts)
            if large < max(small, 0.002) * 8:
                return
            measured.append((small, large))
        self.fail(f"{sizes} cost {measured}")

    @staticmethod
    def _cost(arguments):
        with Host() as host:
            host.call(arguments)  # the first one pays for fresh memory
            return min(host.call(arguments)[1] for _ in range(3))

    def test_items(self):
        self._linear(lambda n: js.stringify({"todos": todos(n)}), (12_500, 50_000))

    def test_items_with_long_common_prefixes(self):
        self._linear(lambda n: js.stringify({"todos": [{"content": "p" * 1000 + str(i), "status": "pending"} for i in range(n)]}),
                     (2_000, 8_000))

    def test_items_padded_with_spaces(self):
        self._linear(lambda n: js.stringify({"todos": [{"content": f" {' ' * 500}{i}{' ' * 500}", "status": "pending"}
                                                       for i in range(n)]}), (2_000, 8_000))

    def test_one_long_content(self):
        self._linear(lambda n: js.stringify({"todos": [{"content": "z" * n, "status": "pending"}]}), (2 * MIB, 8 * MIB))

    def test_one_content_all_in_escapes(self):
        self._linear(lambda n: '{"todos":[{"content":"' + "\\u00e9\\ud83d\\ude00" * n + '","status":"pending"}]}',
                     (50_000, 200_000))

    def test_a_key_repeated_again_and_again(self):
        self._linear(lambda n: '{"todos":[],' + ",".join(['"x":1'] * n) + "}", (50_000, 200_000))

    def test_many_keys(self):
        self._linear(lambda n: '{"todos":[],' + ",".join(f'"key {i}":{i}' for i in range(n)) + "}", (50_000, 200_000))

    def test_many_undeclared_keys(self):
        self._linear(lambda n: '{"todos":[{"content":"a","status":"pending",' + ",".join(f'"{i}":0' for i in range(n, 0, -1)) + "}]}",
                     (20_000, 80_000))

    def test_many_violations(self):
        self._linear(lambda n: '{"todos":[' + ",".join(["{}"] * n) + "]}", (20_000, 80_000))

    def test_a_duplicate_at_the_very_end(self):
        self._linear(lambda n: js.stringify({"todos": todos(n) + [{"content": "item 0", "status": "pending"}]}), (12_500, 50_000))

    def test_deep_and_wide(self):
        self._linear(lambda n: '{"todos":[],"d":[' + ",".join(["[" * 100 + "]" * 100] * n) + "]}", (500, 2_000))

    def test_many_small_values(self):
        self._linear(lambda n: '{"todos":[],"d":[' + "1," * n + "1]}", (200_000, 800_000))

    def test_brackets_without_end(self):
        self._linear(lambda n: "[" * n, (4 * MIB, 16 * MIB))

    def test_many_writes_in_a_turn(self):
        """A storm of identical writes: each answered alike, each stored, at the same price."""
        arguments = js.stringify({"todos": [{"content": "a", "status": "in_progress"}]})
        with Host() as host:
            costs = []
            answers = set()
            for _ in range(4):
                results = [host.call(arguments) for _ in range(500)]
                answers |= {answer for answer, _ in results}
                costs.append(sum(cost for _, cost in results))
            self.assertEqual(len(answers), 1)
            self.assertLess(costs[-1], max(costs[0], 0.02) * 3, costs)
            events = host.op("session/events", session="s")["events"]
            self.assertEqual(len(events), 2000)
            self.assertEqual(host.op("projection/read", session="s")["values"]["todos"],
                             [{"content": "a", "status": "in_progress"}])


class Largest(unittest.TestCase):
    """The sizes that the documentation promises, byte for byte."""

    def _exact(self, arguments, wanted):
        """The call succeeds, stores exactly these items, and peak memory stays a multiple of the text."""
        with Host() as host:
            quiet = host.peak()
            answer = Answer(host.call(arguments)[0])
            self.assertTrue(answer.ok and not answer["isError"], repr(answer)[:500])
            counts = [sum(item["status"] == status for item in wanted) for status in STATUSES]
            self.assertEqual(answer["text"], "Updated todo list: {} pending, {} in progress, {} completed.".format(*counts))
            stored = json.dumps(wanted, separators=(",", ":"), ensure_ascii=False)
            self.assertTrue(answer.raw("value").startswith(f'{{"todos":{stored},'), "the value")
            growth = host.peak() - quiet
            self.assertLess(growth, 24 * SLOW * len(arguments) + 64 * MIB, f"{growth / len(arguments):.1f} bytes a byte")
            events = host.op("session/events", session="s").raw("events")
            self.assertIn(f'"data":{{"todos":{stored}}}}}', events)
            self.assertTrue(host.op("projection/read", session="s").raw("values").startswith(f'{{"todos":{stored}'))

    def test_fifty_thousand_items(self):
        for count in (2_000, 50_000):
            self._exact(js.stringify({"todos": todos(count)}), todos(count))

    def test_a_text_of_64_mib_in_one_content(self):
        content = "z" * (64 * MIB // SLOW - 100)
        self._exact(f'{{"todos":[{{"content":"{content}","status":"pending"}}]}}', [{"content": content, "status": "pending"}])

    def test_a_text_of_64_mib_in_items(self):
        items = todos(64 * MIB // SLOW // 1060, 1000)
        arguments = json.dumps({"todos": items}, separators=(",", ":"))
        self.assertGreater(len(arguments), 63 * MIB // SLOW)
        self._exact(arguments, items)

    def test_a_text_of_64_mib_that_is_ignored(self):
        entry = '{"file":"src/main.cpp","note":"' + "n" * 70 + '"},'
        junk = "[" + entry * (64 * MIB // SLOW // len(entry)) + "null]"
        self._exact(f'{{"junk":{junk},"todos":[{{"content":"a","status":"pending"}}]}}', [{"content": "a", "status": "pending"}])

    def test_a_text_of_64_mib_of_spaces(self):
        self._exact(" " * (64 * MIB // SLOW) + '{"todos":[]}', [])

    def test_a_text_of_64_mib_cut_off(self):
        """The refusal costs no more than the success, and the host goes on."""
        with Host() as host:
            content = "z" * (64 * MIB // SLOW)
            answer = Answer(host.call('{"todos":[{"content":"' + content)[0])
            self.assertEqual(answer["text"], 'Error: invalid arguments: "arguments" must be an object')
            self.assertFalse(Answer(host.call('{"todos":[]}')[0])["isError"])

    def test_the_result_sentence_stays_short(self):
        with Host() as host:
            answer = Answer(host.call(js.stringify({"todos": todos(50_000)}))[0])
            self.assertLess(len(answer["text"]), 100)


if __name__ == "__main__":
    unittest.main()
