"""Logs of any size, and lines of any length, are read in memory that follows the longest line alone."""
import json
import os
import re
import subprocess
import sys
import unittest

import build
import loader
from loader import items
from stored_log import HEADER, StoredLog, line, turn, write

MEGABYTE = 1 << 20


def compact(value):
    return json.dumps(value, separators=(",", ":"))


class Measured(StoredLog):
    def measured(self, *arguments, status=0):
        """Runs a command, which ends with this status. Returns its answer, its largest memory in bytes, and how many bytes it read."""
        # A small process in between: what it holds itself counts as the command's.
        probe = ("import os, sys\n"
                 "process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)\n"
                 "os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)\n"
                 "read = open(f'/proc/{process}/io').read().split()[1]\n"
                 "_, status, usage = os.wait4(process, 0)\n"
                 "print(status, usage.ru_maxrss * 1024, read, file=sys.stderr)\n")
        command = [str(build.LOADER), *map(str, arguments), "--json", "--composition", str(self.composition), "--sessions", str(self.root)]
        done = subprocess.run([sys.executable, "-I", "-S", "-c", probe, *command], capture_output=True, env=loader.environment(), timeout=3000)
        ended, memory, read = map(int, done.stderr.split()[-3:])
        self.assertEqual(os.waitstatus_to_exitcode(ended), status, done.stderr)
        print(f"{' '.join(map(str, arguments))}: {memory / 1e6:.1f} MB of memory, {read / 1e6:.2f} MB read", file=sys.stderr)
        return json.loads(done.stdout), memory, read

    def assert_memory(self, memory, longest):
        """16 MiB and twice the longest line: what `audit` promises."""
        if not build.SANITIZER:  # which has a memory of its own
            self.assertLess(memory, 16 * MEGABYTE + 2 * longest)


class LargeLogs(Measured):
    """Logs of any size are read in constant memory: 1 GB with DSH_FULL=1."""

    MEGABYTES = 1000 if os.environ.get("DSH_FULL") == "1" else 50
    GENERATOR = build.BUILD / "tests" / "support" / "generate-log"

    def setUp(self):
        super().setUp()
        done = subprocess.run([str(self.GENERATOR), str(self.root), "s", str(self.MEGABYTES)], check=True, capture_output=True, text=True)
        self.number = int(re.search(r"(\d+) events", done.stdout)[1])

    def test_a_log_is_read_in_constant_memory_and_the_plan_from_its_end(self):
        """`audit` goes through it all; `plan` reads less than 1 MiB, and both say the same."""
        answer, memory, read = self.measured("audit", self.log)
        (file,) = answer["files"]
        self.assertEqual((file["ok"], file["events"]), (True, self.number))
        self.assertGreaterEqual(read, self.log.stat().st_size)
        self.assert_memory(memory, 1024)
        plan, memory, read = self.measured("plan", "--session", "s")
        self.assertEqual((plan["todos"], plan["asOfSeq"]), (file["plan"], self.number - 1))
        # What the program reads to start, its libraries and its composition, is in it.
        _, _, start = self.measured("tools")
        self.assertLess(read - start, MEGABYTE)
        self.assert_memory(memory, 1024)


class LongHistories(Measured):
    def test_it_is_told_write_by_write(self):
        writes = [write(1 + k, f"{k} {'x' * 100_000}:i") for k in range(200)]
        stored = self.store(line(0, "turn/start", {"turn": 1}), *writes)
        answer, memory, _ = self.measured("plan", "--session", "s", "--history")
        self.assertEqual([len(entry["todos"]) for entry in answer["history"]], [1] * len(writes))
        self.assert_memory(memory, 10 * max(map(len, stored.splitlines())))


class LongHeaders(Measured):
    """Ids and directories of megabytes, which no writer makes."""

    def test_what_is_quoted_of_them_is_cut_and_their_memory_bounded(self):
        for text in ("x" * (20 * MEGABYTE), "\u00e9" * (10 * MEGABYTE), "/\u4e2d" * (5 * MEGABYTE)):
            for key in ("id", "cwd"):
                header = json.dumps({**json.loads(HEADER), key: text}, ensure_ascii=False)
                stored = self.store(*turn(0, 1, "a:i"), header=header)
                answer, memory, _ = self.measured("audit", self.log, status=1)
                self.assert_memory(memory, max(map(len, stored.splitlines())))
                self.assertLess(len(json.dumps(answer)), 4000)
                for command in (["plan", "--session", "s"], ["sessions"], ["call", "todo_write", "{}", "--session", "s"]):
                    done = self.run_loader(*command)
                    self.assertLess(len(done.stdout) + len(done.stderr), 4000, (key, command))
                    self.assertNotEqual(done.returncode, 0)


class LongLines(Measured):
    """`audit` holds the line at hand and, of the list before it, what is unfinished."""

    def audited(self, *events):
        """The file's entry for a log of one turn with these events."""
        turn = [line(0, "turn/start", {"turn": 1}), *events, line(len(events) + 1, "turn/end", {"turn": 1, "reason": {"kind": "completed"}})]
        stored = self.store(*turn)
        answer, memory, _ = self.measured("audit", self.log)
        self.assert_memory(memory, max(map(len, stored.splitlines())))
        (file,) = answer["files"]
        self.assertTrue(file["ok"])
        return file

    def test_one_long_content(self):
        lists = [[{"content": letter * (20 * MEGABYTE), "status": "pending"}] for letter in "xy"]
        file = self.audited(*(line(seq + 1, "todo/write", {"todos": todos}) for seq, todos in enumerate(lists)))
        self.assertEqual([one["text"] for one in file["findings"]], [f'1 unfinished dropped: "{"x" * 120}…"'])
        self.assertEqual(file["plan"], lists[1])

    def test_one_long_content_full_of_escapes(self):
        lists = [[{"content": "a\n" * (7 * MEGABYTE) + end, "status": "pending"}] for end in "xy"]
        file = self.audited(*(line(seq + 1, "todo/write", {"todos": todos}) for seq, todos in enumerate(lists)))
        self.assertEqual(len(file["findings"]), 1)
        self.assertEqual(file["plan"], lists[1])

    def test_a_list_of_very_many_items(self):
        numbers = 530_000  # one more than half of 2^20: a table that doubles is at its largest
        lists = [[{"content": str(number), "status": "pending"} for number in range(first, first + numbers)] for first in (0, 1)]
        file = self.audited(*(line(seq + 1, "todo/write", {"todos": todos}) for seq, todos in enumerate(lists)))
        self.assertEqual([one["text"] for one in file["findings"]], ['1 unfinished dropped: "0"'])
        self.assertEqual(file["plan"], lists[1])

    def test_a_row_of_very_many_chunks(self):
        members = 2_000_000
        row = {"type": "text-chunks", "seq0": 1, "time0": 1,
               "data": {"turn": 1, "step": 1, "index": 0, "dt": [0] * (members - 1), "texts": ["a"] * members}}
        stored = self.store(line(0, "turn/start", {"turn": 1}), json.dumps(row, separators=(",", ":")))
        answer, memory, _ = self.measured("audit", self.log)
        self.assert_memory(memory, max(map(len, stored.splitlines())))
        self.assertEqual((answer["files"][0]["ok"], answer["files"][0]["events"]), (True, members + 1))

    def test_a_long_type_and_long_sources(self):
        events = [line(1, "t" * (20 * MEGABYTE)), line(2, "u/" + "t" * (20 * MEGABYTE)),
                  line(3, "user/message", surfaceOp="append", sourceEventSeqs=[0] * (10 * MEGABYTE))]
        findings = self.audited(*events)["findings"]
        self.assertEqual([one["line"] for one in findings], [3, 4, 5])
        self.assertLess(max(len(one["text"]) for one in findings), 1000)

    def test_a_long_list_that_no_plugin_takes_gives_way_to_the_one_before(self):
        """It is not held to the end of the log, but read again."""
        deeper_than_the_plugin_reads = "[" * 6000 + "]" * 6000
        events = [write(1, "a:p"),
                  line(2, "todo/write", {"x": "DEEP", "y": "x" * (2 * MEGABYTE)}).replace('"DEEP"', deeper_than_the_plugin_reads)]
        self.store(line(0, "turn/start", {"turn": 1}), *events)
        (file,) = json.loads(self.run_loader("audit", self.log, "--json").stdout)["files"]
        self.assertEqual(file["plan"], items("a:p"))


class OddLists(Measured):
    """Lists take no more where they are spelt otherwise than this program does, have other keys, or break a rule."""

    NUMBERS = range(530_000)

    def audited(self, data, errors=()):
        """The plan of a log that holds this list twice, given as its text, with these errors in both."""
        lines = [f'{{"type":"todo/write","seq":{seq},"time":1,"data":{data}}}' for seq in (1, 2)]
        stored = self.store(line(0, "turn/start", {"turn": 1}), *lines)
        answer, memory, _ = self.measured("audit", self.log, status=1 if errors else 0)
        self.assert_memory(memory, max(map(len, stored.splitlines())))
        (file,) = answer["files"]
        found = [one["text"] for one in file["findings"] if one["severity"] == "error"]
        self.assertEqual(found, [f'invariant violated by "@deepseek-ai/dsh-tool-todo": todo/write {error}' for error in errors] * 2)
        return file["plan"]

    def test_spaces(self):
        todos = [{"content": str(number), "status": "pending"} for number in self.NUMBERS]
        self.assertEqual(self.audited(json.dumps({"todos": todos})), todos)

    def test_the_status_first(self):
        todos = [{"status": "pending", "content": str(number)} for number in self.NUMBERS]
        self.assertEqual(self.audited(compact({"todos": todos})), todos)

    def test_escapes(self):
        todos = [{"content": f"A/{number}", "status": "pending"} for number in self.NUMBERS]
        spelt = compact({"todos": todos}).replace("A/", "\\u0041\\/")
        self.assertEqual(self.audited(spelt), todos)

    def test_other_keys(self):
        todos = [{"id": number, "content": str(number), "status": "pending", "tags": [{"x": "y"}]} for number in self.NUMBERS]
        shown = [{"content": one["content"], "status": one["status"]} for one in todos]
        self.assertEqual(self.audited(compact({"version": 2, "todos": todos, "more": None})), shown)

    def test_other_keys_and_half_of_a_pair(self):
        todos = [{"content": f"{number} \ud800", "status": "pending", "id": number} for number in self.NUMBERS]
        shown = [{"content": one["content"], "status": one["status"]} for one in todos]
        self.assertEqual(self.audited(compact({"todos": todos})), shown)

    def test_a_content_that_is_repeated_at_the_end(self):
        todos = [{"content": str(number), "status": "pending"} for number in [*self.NUMBERS, 7]]
        self.assertEqual(self.audited(compact({"todos": todos}), ['repeats content "7"']), todos)

    def test_an_unknown_status_at_the_end(self):
        todos = [{"content": str(number), "status": "pending"} for number in self.NUMBERS]
        todos.append({"content": "x", "status": "done"})
        self.assertEqual(self.audited(compact({"todos": todos}), ['carries unknown status "done"']), todos)

    def test_one_long_content_between_spaces(self):
        todos = [{"content": "x" * (20 * MEGABYTE), "status": "pending"}]
        self.assertEqual(self.audited(json.dumps({"todos": todos})), todos)

    def test_one_long_content_full_of_other_escapes(self):
        todos = [{"content": "/A\n" * (2 * MEGABYTE) + "x", "status": "pending"}]
        spelt = compact({"todos": todos}).replace("/A", "\\/\\u0041")
        self.assertEqual(self.audited(spelt), todos)


if __name__ == "__main__":
    unittest.main()
