"""Damaged logs, through the real program. Each test is a kind of trouble that users of such tools reported."""
import os
import unittest

from loader import SINGLE, items
from stored_log import HEADER, StoredLog, line, turn, write, zstd_frame

GARBAGE = "\x00\x00 this is no event"


class TornTail(StoredLog):
    """The last line lost its end in a crash."""

    def test_a_torn_tail_is_cut_off_before_the_next_record(self):
        """A torn tail never swallows the record behind it: the tail goes first, then the record gets a line of its
        own, and the log opens again and again."""
        sound = self.store(*turn(0, 1, "a:i"))
        self.store(*turn(0, 1, "a:i"), '{"type":"todo/wri', end="")
        done = self.call("b:i")
        self.assertEqual(done.returncode, 0, done)
        after = self.log.read_bytes()
        self.assertTrue(after.startswith(sound))
        self.assertNotIn(b"todo/wri{", after)
        self.assertEqual([event["data"]["todos"] for event in self.events() if event["type"] == "todo/write"],
                         [items("a:i"), items("b:i")])
        for _ in range(2):
            with self.script() as script:
                script.ok("session/open", session="s")
                self.assertEqual(script.todos("s"), items("b:i"))
        self.assertEqual(self.audit()[0], 0)

    def test_one_torn_line_hides_nothing_before_it_and_reading_changes_nothing(self):
        """Every way to look at the log shows all that lies before the torn line, and leaves the file alone."""
        for tail in (b'{"type":"todo/wri', b"{", b"\xe4\xbb", b"\0" * 4096, write(3, "b:i").encode()):
            with self.subTest(tail=tail[:20]):
                before = self.store(*turn(0, 1, "a:i")) + tail
                self.log.write_bytes(before)
                self.assertEqual(self.plan(), items("a:i"))
                self.assertEqual((self.listed()["damaged"], self.listed()["events"]), (False, 3))
                status, file = self.audit()
                self.assertEqual((status, file["events"], file["plan"]), (0, 3, items("a:i")))
                self.assertEqual([one["severity"] for one in file["findings"]], ["warning"])
                self.assertIn("incomplete last line", file["findings"][0]["text"])
                self.assertEqual(self.log.read_bytes(), before)
                with self.script() as script:
                    script.ok("session/open", session="s")
                    self.assertEqual(script.todos("s"), items("a:i"))

    def test_a_torn_line_with_a_blank_one_behind_it_is_a_torn_tail_too(self):
        self.store(*turn(0, 1, "a:i"), '{"type":"todo/wri', "")
        self.assertEqual(self.plan(), items("a:i"))
        self.assertEqual((self.listed()["damaged"], self.listed()["events"]), (False, 3))
        status, file = self.audit()
        self.assertEqual((status, [(one["line"], one["severity"]) for one in file["findings"]]), (0, [(5, "warning")]))
        self.assertIn("incomplete last line", file["findings"][0]["text"])
        done = self.call("b:i")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.plan(), items("b:i"))
        self.events()


class DamageInside(StoredLog):
    """A bad line with a finished turn behind it: nobody may guess."""

    def test_two_records_on_one_line_are_refused_with_its_number(self):
        lines = turn(0, 1, "a:i", "a:c") + turn(4, 2, "b:i")
        self.store(*lines[:1], lines[1] + lines[2], *lines[3:])
        self.assert_refused_to_writers("corrupt session log", "line 3")
        status, file = self.audit()
        self.assertEqual((status, file["ok"], file["findings"][0]["line"]), (1, False, 3))
        self.assertIn("text after the value", file["findings"][0]["text"])

    def test_one_bad_line_loses_no_later_event_in_silence(self):
        """Garbage in turn 1 behind which turn 2 is sound: neither a shortened log nor one with a hole."""
        lines = turn(0, 1, "a:i", "a:c") + turn(4, 2, "b:i")
        for bad in (GARBAGE, "", "null", "[]", '{"type":"todo/write"}', b'{"type":"\xff"}'):
            with self.subTest(bad=bad):
                before = self.store(*lines[:2], bad, *lines[3:])
                self.assert_refused_to_writers("corrupt session log", "line 4")
                status, file = self.audit()
                self.assertEqual((status, file["findings"][0]["line"], file["findings"][0]["severity"]), (1, 4, "error"))
                self.assertIn("a finished turn lies behind", file["findings"][0]["text"])
                self.assertIs(self.listed()["damaged"], True)
                self.assertEqual(self.log.read_bytes(), before)

    def test_a_bad_line_without_a_finished_turn_behind_it_ends_the_log(self):
        """What a crash of the machine leaves at the end, whole lines included, is dropped, and only on opening to write."""
        before = self.store(*turn(0, 1, "a:i"), GARBAGE, write(3, "lost:i"))
        self.assertEqual(self.plan(), items("a:i"))
        status, file = self.audit()
        self.assertEqual((status, file["events"], file["findings"][0]["line"]), (1, 3, 5))
        self.assertEqual(self.log.read_bytes(), before)
        self.assertEqual(self.call("b:i").returncode, 0)
        self.assertNotIn(b"lost", self.log.read_bytes())
        self.assertEqual(self.audit()[0], 0)

    def test_a_line_that_is_not_read_behind_a_bad_one_keeps_all_from_the_log(self):
        """Nobody is promised that the end is cut off, and the reason is told by its line."""
        deep = '{"type":"goal/change","seq":3,"time":1,"data":%s}' % ("[" * 10_001 + "]" * 10_001)
        for bad in (GARBAGE, line(1, "goal/change")):
            self.store(*turn(0, 1, "a:i"), bad, deep)
            self.assert_refused_to_writers("line 6 is nested deeper")
            self.assertIn("line 6 is nested deeper", self.listed()["error"])
            status, file = self.audit()
            bad, unread = file["findings"]
            self.assertEqual((status, bad["line"], unread["line"]), (1, 5, 6))
            self.assertTrue(bad["text"].endswith("readers and writers refuse the log: line 6 can't be read"), bad)
            self.assertIn("nested deeper", unread["text"])

    def test_a_line_that_is_too_long_is_named_alike_by_all(self):
        self.store(*turn(0, 1, "a:i"))
        os.truncate(self.log, 257 << 20)
        told = "line 5 is longer than 256 MiB"
        for options in ([], ["--history"]):
            done = self.run_loader("plan", "--session", "s", *options)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(told, done.stderr.decode())
        status, file = self.audit()
        self.assertEqual((status, [one["line"] for one in file["findings"]]), (1, [5]))
        self.assertIn(told, file["findings"][0]["text"])

    def test_seqs_that_fork_are_refused_with_both_numbers(self):
        """Two writers left seqs 10, 11, 12, 11, 12, 13: the line is named, and what was expected there."""
        lines = [line(0, "turn/start", {"turn": 1})] + [line(seq, "goal/change") for seq in range(1, 13)]
        fork = [line(seq, "goal/change") for seq in (11, 12)] + [line(13, "turn/end", {"turn": 1, "reason": {"kind": "completed"}})]
        self.store(*lines, *fork)
        self.assert_refused_to_writers("corrupt session log", "line 15", "expected 13, got 11")
        status, file = self.audit()
        self.assertEqual((status, file["findings"][0]["line"]), (1, 15))
        self.assertIn("seq gap (expected 13, got 11)", file["findings"][0]["text"])

    def test_a_gap_of_seqs_is_refused_with_both_numbers(self):
        self.store(*turn(0, 1, "a:i"), *turn(5, 2, "b:i"))
        self.assert_refused_to_writers("corrupt session log", "line 5", "expected 3, got 5")

    def test_a_file_without_a_header_is_called_that(self):
        for bytes in (b"", b"\0" * 200, b'{"type":"session"'):
            with self.subTest(bytes=bytes[:20]):
                self.store()
                self.log.write_bytes(bytes)
                self.assert_refused_to_writers("empty or header-less session log")
                self.assertEqual(self.audit()[0], 1)
                self.assertIs(self.listed()["damaged"], True)


class UnknownEvents(StoredLog):
    """An event type that the format doesn't know."""

    def test_without_leave_to_ignore_it_writers_refuse_the_log_naming_type_and_seq(self):
        self.store(*turn(0, 1, "a:i"), line(3, "acme/note"), *turn(4, 2, "b:i"))
        self.assert_refused_to_writers('"acme/note"', "seq 3")

    def test_a_type_with_a_nul_hides_nothing_of_the_refusal(self):
        self.store(*turn(0, 1, "a:i"), line(3, "acme/no\0te"), *turn(4, 2, "b:i"))
        with self.script() as script:
            error = script.op("session/open", session="s")["error"]
        self.assertIn(r'"acme/no\x00te" (seq 3, line 5)', error)
        self.assertIn(str(self.log), error)
        self.assertNotIn("\0", error)

    def test_readers_tell_it_and_go_on(self):
        self.store(*turn(0, 1, "a:i"), line(3, "acme/note"), *turn(4, 2, "b:i"))
        status, file = self.audit()
        self.assertEqual((status, file["events"], file["plan"]), (0, 7, items("b:i")))
        (finding,) = file["findings"]
        self.assertEqual((finding["line"], finding["severity"]), (5, "warning"))
        self.assertIn('"acme/note"', finding["text"])
        self.assertEqual(self.plan(), items("b:i"))
        self.assertIs(self.listed()["damaged"], False)

    def test_with_it_the_event_is_skipped_and_its_seq_counts(self):
        self.store(*turn(0, 1, "a:i"), line(3, "acme/note", ignorable=True), *turn(4, 2, "b:i"))
        self.assertEqual((self.audit()[0], self.audit()[1]["findings"]), (0, []))
        self.assertEqual(self.plan(), items("b:i"))
        self.assertEqual(self.call("c:i").returncode, 0)
        self.assertEqual(self.events()[3]["type"], "acme/note")
        self.assertEqual(self.plan(), items("c:i"))


class CompressedLogs(StoredLog):
    def stored_as(self, name, bytes):
        self.log = self.log.with_name(name)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(bytes)

    def test_a_wrong_first_frame_is_told_and_never_parsed_as_lines(self):
        """The first frame holds the header line and nothing else; a file that is no such thing is called that."""
        body = "\n".join(turn(0, 1, "a:i")) + "\n"
        for bytes, told in ((zstd_frame(body.encode()), "first frame is not exactly one header line"),
                            (zstd_frame((HEADER + "\n" + body).encode()), "first frame is not exactly one header line"),
                            (zstd_frame(HEADER.encode()), "first frame is not exactly one header line"),
                            ((HEADER + "\n" + body).encode(), "not Zstandard data"),
                            (b"", "empty or header-less")):
            with self.subTest(told=told):
                self.stored_as("session.jsonl.zstd", bytes)
                status, file = self.audit()
                self.assertEqual((status, len(file["findings"])), (1, 1))
                self.assertIn(told, file["findings"][0]["text"])
                self.assertIn(told, self.listed()["error"])
                done = self.run_loader("plan", "--session", "s")
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(told, done.stderr.decode())
                self.assert_refused_to_writers_by_name()

    def test_a_sound_one_is_read_and_not_written(self):
        body = "\n".join(turn(0, 1, "a:i")) + "\n"
        self.stored_as("session.jsonl.zstd", zstd_frame((HEADER + "\n").encode()) + zstd_frame(body.encode()))
        self.assertEqual(self.plan(), items("a:i"))
        self.assertEqual(self.audit()[0], 0)
        self.assert_refused_to_writers_by_name()

    def assert_refused_to_writers_by_name(self):
        before = self.log.read_bytes()
        done = self.call("z:i")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"compressed", done.stderr)
        self.assertEqual(self.log.read_bytes(), before)


class StoredLists(StoredLog):
    """Lists in a stored log that no rule let in."""

    RULE = 'invariant violated by "@deepseek-ai/dsh-tool-todo": todo/write '

    def test_each_is_refused_for_its_own_reason(self):
        bad = {"content must be non-empty and already trimmed": {"todos": [{"content": " a ", "status": "pending"}]},
               'repeats content "a"': {"todos": items("a:p, a:c")},
               'carries unknown status "done"': {"todos": [{"content": "a", "status": "done"}]},
               "todos must be an array": {"todos": {}}}
        for reason, data in bad.items():
            with self.subTest(reason=reason):
                lines = turn(0, 1, "x:p")
                self.store(lines[0], line(1, "todo/write", data), lines[2])
                self.assert_refused_to_writers(self.RULE + reason)
                status, file = self.audit()
                self.assertEqual((status, [one["line"] for one in file["findings"]]), (1, [3]))
                self.assertEqual(file["findings"][0]["text"], self.RULE + reason)

    def test_one_before_any_turn_is_refused(self):
        self.store(write(0, "a:i"), line(1, "turn/start", {"turn": 1}))
        self.assert_refused_to_writers(self.RULE + "appended outside any open turn")
        self.assertEqual(self.audit()[0], 1)

    def test_two_active_items_pass_where_calls_may_have_one(self):
        """How many may be active is the tool's policy, not a rule of logs."""
        self.store(*turn(0, 1, "a:i, b:i"))
        self.composition.write_text(SINGLE)
        self.assertEqual(self.audit()[0], 0)
        with self.script(composition=SINGLE) as script:
            script.ok("session/open", session="s")
            self.assertEqual(script.todos("s"), items("a:i, b:i"))

    def test_half_of_a_surrogate_pair_is_shown_as_a_sign_and_kept_as_bytes(self):
        """One bad escape never drops the line it stands in."""
        kept = r'{"type":"todo/write","seq":1,"time":2,"data":{"todos":[{"content":"x\ud83dy","status":"pending"}]}}'
        lines = turn(0, 1, "x:p")
        before = self.store(lines[0], kept, lines[2])
        shown = self.run_loader("plan", "--session", "s")
        self.assertEqual(shown.returncode, 0, shown)
        self.assertIn("x\ufffdy", shown.stdout.decode())
        self.assertIn(rb"x\ud83dy", self.run_loader("plan", "--session", "s", "--json").stdout)
        self.assertEqual((self.audit()[0], self.log.read_bytes()), (0, before))
        with self.script() as script:
            script.ok("session/open", session="s")
            self.assertEqual(script.todos("s")[0]["content"], "x\ud83dy")
        self.assertTrue(self.log.read_bytes().startswith(before))


if __name__ == "__main__":
    unittest.main()
