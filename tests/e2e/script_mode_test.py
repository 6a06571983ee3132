"""Script mode itself: lines, answers, `expect`, exit statuses."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import build
import loader
from loader import PARALLEL, Script, items


def run_lines(*lines, args=(), composition=PARALLEL):
    """Runs these lines from a file; returns (exit status, answers)."""
    with tempfile.TemporaryDirectory() as directory:
        script, yaml = pathlib.Path(directory, "script"), pathlib.Path(directory, "c.yaml")
        script.write_bytes(b"".join(line if isinstance(line, bytes) else line.encode() for line in lines))
        yaml.write_text(composition)
        done = loader.run("run", script, "--composition", yaml, "--plugins", build.PLUGINS, *args)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


class Lines(unittest.TestCase):
    def test_each_line_is_answered_before_the_next_is_sent(self):
        with Script() as script:
            for _ in range(3):
                self.assertIs(script.op("tools")["ok"], True)

    def test_blank_lines_and_comments_are_skipped(self):
        status, answers = run_lines("\n", "# a comment\n", "  \t\n", "\r\n", '{"op":"tools"}\r\n', "#\n")
        self.assertEqual((status, len(answers)), (0, 1))

    def test_the_last_line_needs_no_line_end(self):
        status, answers = run_lines('{"op":"tools"}\n{"op":"session/create"}')
        self.assertEqual((status, answers[1]), (0, {"ok": True, "session": "session-1"}))

    def test_it_goes_on_after_a_failed_line(self):
        status, answers = run_lines('{"op":"nope"}\n', '{"op":"tools"}\n')
        self.assertEqual((status, [answer["ok"] for answer in answers]), (0, [False, True]))

    def test_what_is_no_line_is_answered(self):
        for line in (b"{", b"[]", b"null", b'"op"', b"{}", b'{"op":5}', b'{"op":"tools"}}', b'{"op":"tools"} x', b"\xff", b'{"op":"\xff"}',
                     b'{"op":"tools","x":"\x01"}', b"{'op':'tools'}", b'\xef\xbb\xbf{"op":"tools"}', b"\x00"):
            with self.subTest(line=line):
                status, (answer,) = run_lines(line + b"\n")
                self.assertEqual((status, answer["ok"]), (0, False))
                self.assertTrue(answer["error"])

    def test_an_unknown_op(self):
        status, (answer,) = run_lines('{"op":"session/close"}\n')
        self.assertEqual(answer, {"ok": False, "error": 'unknown op "session/close"'})

    def test_missing_and_mistyped_fields_are_named(self):
        with Script() as script:
            script.ok("session/create", session="s")
            for op, fields, field in (
                    ("session/append", {"session": "s", "data": {}}, "type"), ("session/append", {"session": "s", "type": "a"}, "data"),
                    ("session/append", {"type": "a", "data": {}}, "session"), ("session/append", {"session": 5, "type": "a", "data": {}}, "session"),
                    ("tool/call", {"name": "todo_write"}, "arguments"), ("tool/call", {"name": "todo_write", "arguments": {"todos": []}}, "arguments"),
                    ("tool/call", {"arguments": "{}"}, "name"), ("session/create", {"seed": {}}, "seed"), ("session/create", {"seed": [1]}, "seed"),
                    ("projection/restore", {"checkpoint": {}, "events": []}, "baseSeq"), ("projection/restore", {"events": [], "baseSeq": 0}, "checkpoint"),
                    ("projection/restore", {"checkpoint": {}, "events": [], "baseSeq": "0"}, "baseSeq"), ("plugin/load", {}, "id"), ("service/add", {}, "name")):
                with self.subTest(op=op, fields=fields):
                    answer = script.op(op, **fields)
                    self.assertIs(answer["ok"], False)
                    self.assertIn(f'"{field}"', answer["error"])
            self.assertEqual(script.events("s"), [])

    def test_the_last_of_duplicate_fields_counts(self):
        status, answers = run_lines('{"op":"nope","o\\u0070":"tools"}\n')
        self.assertIs(answers[0]["ok"], True)

    def test_arguments_are_the_raw_text(self):
        with Script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            for text in ("", " ", "nonsense", "\ud800", "\x00", "\u2028", "{\"todos\":[]}\n"):
                with self.subTest(text=text):
                    self.assertIs(script.call(arguments=text, session="s")["ok"], True)

    def test_a_call_adds_no_events_of_its_own(self):
        with Script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.call(items("a:p"), session="s")
            script.call(arguments="{}", session="s")
            self.assertEqual([event["type"] for event in script.events("s")], ["turn/start", "todo/write"])

    def test_a_line_of_many_megabytes(self):
        todos = [{"content": f"{n} " + "x" * 1000, "status": "pending"} for n in range(8000)]
        with Script(without=["invariants"]) as script:
            script.ok("session/create", session="s")
            self.assertEqual(script.call(todos, session="s")["value"]["todos"], todos)


class Expectations(unittest.TestCase):
    def expect(self, expected, op="tool/call", **fields):
        fields = fields or {"name": "nope", "arguments": "{}"}
        return run_lines(json.dumps({"op": op, **fields, "expect": expected}) + "\n")

    def test_a_subset_holds(self):
        status, (answer,) = self.expect({"ok": True, "isError": True})
        self.assertEqual((status, answer["ok"], answer["text"]), (0, True, 'Error: unknown tool "nope"'))

    def test_a_mismatch_is_told_and_ends_in_status_1(self):
        status, (answer,) = self.expect({"isError": False})
        self.assertEqual((status, answer), (1, {"ok": False, "error": "expected false got true at isError"}))

    def test_a_missing_key_is_a_mismatch(self):
        status, (answer,) = self.expect({"value": None})
        self.assertEqual((status, answer["error"]), (1, "expected null got nothing at value"))

    def test_a_failed_line_may_be_expected(self):
        status, (answer,) = self.expect({"ok": False, "error": 'unknown session "x"'}, op="session/events", session="x")
        self.assertEqual((status, answer["ok"]), (0, False))

    def test_objects_compare_as_subsets_and_arrays_whole(self):
        seed = [{"type": "turn/start", "data": {"turn": 1, "more": [1, 2]}}]
        create = json.dumps({"op": "session/create", "session": "s", "seed": seed}) + "\n"

        def holds(events):
            return run_lines(create, json.dumps({"op": "session/events", "session": "s", "expect": {"events": events}}) + "\n")[0] == 0

        self.assertTrue(holds([{"type": "turn/start"}, {"type": "session/end-seed"}]))
        self.assertTrue(holds([{"data": {"more": [1.0, 2]}}, {}]))
        self.assertFalse(holds([{"type": "turn/start"}]))
        self.assertFalse(holds([{"type": "session/end-seed"}, {"type": "turn/start"}]))
        self.assertFalse(holds([{"data": {"more": [1]}}, {}]))
        self.assertFalse(holds({}))

    def test_later_lines_still_run(self):
        status, answers = run_lines('{"op":"tools","expect":{"ok":false}}\n', '{"op":"session/create"}\n')
        self.assertEqual((status, [answer["ok"] for answer in answers]), (1, [False, True]))

    def test_what_changed_is_told_beside_a_mismatch(self):
        status, answers = run_lines('{"op":"projection/subscribe","expect":{"seq":1}}\n')
        self.assertEqual(answers[0]["notified"], [])


class Start(unittest.TestCase):
    def test_a_failed_load_is_one_answer_and_status_2(self):
        status, (answer,) = run_lines('{"op":"tools"}\n', composition="- name: no-such-plugin\n")
        self.assertEqual((status, answer["ok"]), (2, False))
        self.assertTrue(answer["error"].startswith("failed to apply loader entry entry-1 (no-such-plugin): "), answer)

    def test_a_script_that_is_not_there(self):
        for path in ("/nonexistent/script", "/"):
            done = loader.run("run", path)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(path.encode(), done.stderr)

    def test_services_may_be_absent_at_the_start(self):
        status, answers = run_lines('{"op":"session/create"}\n', '{"op":"tools"}\n', args=["--without", "sessions", "--without=tools"])
        self.assertEqual([answer["error"] for answer in answers], ['service "sessions" is absent', 'service "tools" is absent'])

    def test_sessions_are_in_memory_unless_a_place_is_named(self):
        with tempfile.TemporaryDirectory() as home:
            loader.run("run", "-", "--plugins", build.PLUGINS, input='{"op":"session/create"}\n{"op":"session/append","session":"session-1","type":"turn/start","data":{}}\n',
                       env=loader.environment(home))
            self.assertEqual(list(pathlib.Path(home).iterdir()), [])

    def test_a_reader_that_has_gone_ends_it(self):
        process = subprocess.Popen([str(build.LOADER), "run", "-", "--plugins", str(build.PLUGINS)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=loader.environment())
        process.stdout.close()
        process.stdin.write(b'{"op":"tools"}\n')
        process.stdin.close()
        self.assertEqual(process.wait(60), 2)
        self.assertIn(b"can't write the result to stdout: Broken pipe", process.stderr.read())
        process.stderr.close()


if __name__ == "__main__":
    unittest.main()
