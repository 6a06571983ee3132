"""`plan` over the logs that the other commands write: once, its history, and live."""
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import time
import unittest

import build
import links
import loader
import processes
from loader import Script, items
from log_commands import LogCommandsTest


class Plan(LogCommandsTest):
    def test_a_header_a_bar_and_a_line_an_item(self):
        self.write("Read:c, Write:i, Test:p, Ship:i")
        done = self.run_loader("plan", "--session", "s")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines[0], "To-dos  1 completed\u2002·\u20022 in progress\u2002·\u20021 pending")
        self.assertIn("1/4", lines[1])
        self.assertEqual([line.split()[-1] for line in lines[3:]], ["Read", "Write", "Test", "Ship"])

    def test_json(self):
        self.write("a:c, b:i")
        self.assertEqual(json.loads(self.run_loader("plan", "--session", "s", "--json").stdout),
                         {"session": "s", "todos": items("a:c, b:i"), "counts": {"pending": 0, "inProgress": 1, "completed": 1}, "asOfSeq": 7})

    def test_no_plan_and_an_empty_one(self):
        self.write("")
        self.assertEqual(json.loads(self.run_loader("plan", "--session", "s", "--json").stdout)["todos"], [])
        self.run_loader("call", "todo_write", "{}", "--session", "s")
        plan = json.loads(self.run_loader("plan", "--session", "s", "--json").stdout)
        self.assertEqual((plan["todos"], plan["counts"]), (None, {"pending": 0, "inProgress": 0, "completed": 0}))
        self.assertEqual(self.run_loader("plan", "--session", "s").returncode, 0)

    def test_of_damage_that_it_meets_it_tells(self):
        self.write("a:i")
        path = self.log()
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-1]) + b'garbage\n{"type":"todo/write"')
        for options in ((), ("--json",), ("--markdown",), ("--history",)):
            done = self.run_loader("plan", "--session", "s", *options)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn("a", done.stdout.decode())
            self.assertRegex(done.stderr.decode(), rf"^loader-sample: line {len(lines)} and what follows don't count: .*loader-sample audit {path} .*tells more\n$")
        path.write_bytes(b"".join(lines[:-1]) + b'{"type":"turn/en')
        for options in ((), ("--json",), ("--history",)):
            done = self.run_loader("plan", "--session", "s", *options)
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_markdown(self):
        self.write("a:c, b:i, c*:p")
        self.assertEqual(self.run_loader("plan", "--session", "s", "--markdown").stdout.decode(),
                         "- [x] a\n- [ ] b *(in progress)*\n- [ ] c\\*\n")

    def test_history(self):
        self.write("a:i, b:p")
        self.write("a:c")
        text = self.run_loader("plan", "--session", "s", "--history").stdout.decode()
        self.assertRegex(text, r"added +a")
        self.assertRegex(text, r"started +a")
        self.assertIn("cleared", text)
        history = json.loads(self.run_loader("plan", "--session", "s", "--history", "--json").stdout)
        self.assertEqual((history["session"], [entry["cleared"] for entry in history["history"]]), ("s", [False, True, False]))
        self.assertEqual(history["history"][0]["added"], ["a", "b"])

    def test_what_a_list_dropped_shows_in_the_history(self):
        with Script(sessions=self.sessions) as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.call(items("a:p, b:p, c:p"), session="s")
            script.call(items("a:c"), session="s")
        history = json.loads(self.run_loader("plan", "--session", "s", "--history", "--json").stdout)["history"]
        self.assertEqual((history[1]["finished"], history[1]["dropped"]), (["a"], ["b", "c"]))

    def test_a_log_out_of_its_place_has_no_history_either(self):
        self.write("a:i")
        directory = self.log().parent
        for name, file in (("other", "session.jsonl"), ("s", "session.v1.jsonl")):
            elsewhere = directory.with_name(name)
            directory.rename(elsewhere)
            (elsewhere / "session.jsonl").rename(elsewhere / file)
            plan, history = (self.run_loader("plan", "--session", name, *more) for more in ([], ["--history"]))
            self.assertEqual((history.returncode, history.stdout), (2, b""))
            self.assertIn(b"corrupt session log: ", history.stderr)
            self.assertEqual(history.stderr, plan.stderr)
            (elsewhere / file).rename(elsewhere / "session.jsonl")
            directory = elsewhere

    def test_a_damaged_log_has_no_part_of_a_history(self):
        self.write("a:i")
        lines = self.log().read_bytes().splitlines(keepends=True)
        self.log().write_bytes(b"".join(lines[:-1]) + b"garbage\n" + lines[-1])
        for more in ([], ["--json"]):
            done = self.run_loader("plan", "--session", "s", "--history", *more)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"corrupt session log", done.stderr)

    def test_an_item_that_arrives_completed_is_told_as_both(self):
        self.write("a:c, b:i")
        self.assertRegex(self.run_loader("plan", "--session", "s", "--history").stdout.decode(), r"(?m)^  ✓ added, completed +a$")
        (entry,) = json.loads(self.run_loader("plan", "--session", "s", "--history", "--json").stdout)["history"]
        self.assertEqual((entry["added"], entry["finished"]), (["a", "b"], ["a"]))

    def test_a_malformed_write_is_told_by_the_history_as_by_the_plan(self):
        for data, problem in (('{"todos":3}', "the plan in the log is no list"), ('{"todos":[7]}', "item 1 is no object"),
                              ('{"todos":[{"content":7,"status":"pending"}]}', "item 1 has no text as its content"),
                              ('{"todos":[{"content":"x"}]}', "item 1 has no text as its status"),
                              ('{"todos":[{"content":"x","status":"cancelled"}]}', 'item 1 has the unknown status "cancelled"')):
            with self.subTest(data=data):
                shutil.rmtree(self.sessions, ignore_errors=True)
                self.write("a:i")
                with self.log().open("a") as log:
                    log.write('{"type":"turn/start","seq":8,"time":1,"data":{"turn":2}}\n'
                              f'{{"type":"todo/write","seq":9,"time":1,"data":{data}}}\n'
                              '{"type":"turn/end","seq":10,"time":1,"data":{"turn":2,"reason":{"kind":"completed"}}}\n')
                done = self.run_loader("plan", "--session", "s", "--history")
                self.assertEqual((done.returncode, done.stderr), (1, b""))
                self.assertEqual(done.stdout.decode().splitlines()[-1], "  ! " + problem)
                done = self.run_loader("plan", "--session", "s", "--history", "--json")
                self.assertEqual((done.returncode, json.loads(done.stdout)["history"][-1]["problem"]), (1, problem))
                done = self.run_loader("plan", "--session", "s")
                self.assertEqual((done.returncode, done.stdout.decode().splitlines()[-1]), (1, "! " + problem))

    def test_every_project_directory_is_searched(self):
        self.write("a:i", cwd="/one")
        self.assertEqual(self.run_loader("plan", "--session", "s").returncode, 0)
        self.assertEqual(self.run_loader("plan", "--session", "s", "--cwd", "/one").returncode, 0)
        self.assertEqual(self.run_loader("plan", "--session", "s", "--cwd", "/two").returncode, 2)

    def test_a_session_that_is_not_there(self):
        done = self.run_loader("plan", "--session", "x")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b'no session "x"', done.stderr)
        self.assertIn(str(self.sessions).encode(), done.stderr)
        self.write("a:i", cwd="/one")
        done = self.run_loader("plan", "--session", "s", "--cwd", "/two")
        self.assertIn(b'session "s" belongs to "/one", not to "/two"; work in its own with --cwd /one', done.stderr)

    def test_a_composition_that_keeps_no_plan(self):
        self.write("a:i")
        self.composition.write_text("[]")
        done = self.run_loader("plan", "--session", "s")
        self.assertEqual((done.returncode, done.stdout, done.stderr.decode()),
                         (2, b"", 'loader-sample: no plugin of the composition keeps a plan: nothing registered the projection "todos"\n'))

    def test_a_log_that_cannot_be_read_comes_with_advice(self):
        self.write("a:i")
        self.log().chmod(0)
        for more in ((), ("--history",)):
            done = self.run_loader("plan", "--session", "s", *more, as_anyone=True)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(f"{self.log()}: Permission denied; have that opened to you", done.stderr.decode())

    def test_a_malformed_list_is_shown_and_told(self):
        self.write("a:i")
        with self.log().open("a") as log:
            log.write('{"type":"turn/start","seq":8,"time":1,"data":{"turn":2}}\n'
                      '{"type":"todo/write","seq":9,"time":1,"data":{"todos":[{"content":"x","status":"cancelled"}]}}\n'
                      '{"type":"turn/end","seq":10,"time":1,"data":{"turn":2,"reason":{"kind":"completed"}}}\n')
        done = self.run_loader("plan", "--session", "s")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn(b"x", done.stdout)

    def test_whoever_reads_a_text_is_told_as_well_why_there_is_no_sound_plan(self):
        for data in ("{}", "1", '"x"', '{"todos":[{"content":"x"}]}'):
            with self.subTest(data=data):
                shutil.rmtree(self.sessions, ignore_errors=True)
                self.write("a:i")
                with self.log().open("a") as log:
                    log.write('{"type":"turn/start","seq":8,"time":1,"data":{"turn":2}}\n'
                              f'{{"type":"todo/write","seq":9,"time":1,"data":{data}}}\n')
                error = json.loads(self.run_loader("plan", "--session", "s", "--json").stdout)["error"]
                for form in ([], ["--markdown"]):
                    done = self.run_loader("plan", "--session", "s", *form)
                    self.assertEqual((done.returncode, done.stderr.decode()), (1, f"loader-sample: {error}\n"))

    def test_reading_changes_nothing(self):
        self.write("a:i")
        with self.log().open("a") as log:
            log.write('{"type":"todo/wri')
        before = self.log().read_bytes()
        for command in (["plan", "--session", "s"], ["plan", "--session", "s", "--history"], ["sessions"], ["audit", self.sessions]):
            self.run_loader(*command)
        self.assertEqual(self.log().read_bytes(), before)


class Watch(LogCommandsTest):
    def test_a_pipe_gets_each_frame_that_differs(self):
        self.write("a:i")
        with subprocess.Popen([str(build.LOADER), "plan", "--session", "s", "--watch", "--sessions", str(self.sessions),
                               "--composition", str(self.composition)], stdout=subprocess.PIPE, env=loader.environment()) as process:
            self.assertIn(b"1 in progress", process.stdout.readline())
            self.write("b:c, c:c")
            seen = b""
            while b"2 completed" not in seen:
                line = process.stdout.readline()
                self.assertTrue(line)
                seen += line
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(30), (0, 130, -signal.SIGINT))

    def watched(self, change, *words):
        """Watches while the log is changed, until a frame holds each of the words in turn."""
        with subprocess.Popen([str(build.LOADER), "plan", "--session", "s", "--watch", "--sessions", str(self.sessions),
                               "--composition", str(self.composition)], stdout=subprocess.PIPE, env=loader.environment()) as process:
            self.addCleanup(process.kill)
            self.watcher = process
            self.assertIn(b"1 in progress", process.stdout.readline())
            for step, word in zip(change, words):
                step()
                while word not in process.stdout.readline():
                    self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)

    def test_sees_the_session_come_in_another_project_and_go(self):
        """One that lies in two can't be told, until it lies in one again."""
        self.write("a:i")
        here, there = self.log().parent, self.sessions / "--x--" / "s"

        def come():
            there.mkdir(parents=True)
            (there / "session.jsonl").write_bytes((here / "session.jsonl").read_bytes().replace(b'"delegation', b'"cwd":"/x","delegation'))

        def only(log):
            self.assertTrue(processes.comes_to_rest(lambda: processes.switches(self.watcher.pid)))
            shutil.rmtree(log)

        self.watched([come, lambda: only(there), come, lambda: only(here), lambda: self.write("b:p, c:p")],
                     b"two project directories", b"1 in progress", b"two project directories", b"1 in progress", b"2 pending")

    def replace(self, bytes):
        """Puts another file in the place of the log, as editors and copying tools do."""
        new = self.log().resolve().with_name("new")
        new.write_bytes(bytes)
        os.replace(new, self.log().resolve())

    def test_sees_a_log_that_is_replaced(self):
        self.write("a:i")
        bytes = self.log().read_bytes()
        self.watched([lambda: self.replace(bytes.replace(b'"in_progress"', b'"completed"')), lambda: self.write("b:p, c:p")],
                     b"1 completed", b"2 pending")

    def rewrite(self, old, new, more=b""):
        """Changes bytes of the log in their place, and appends others, while the watcher cannot look."""
        self.watcher.send_signal(signal.SIGSTOP)
        with self.log().open("r+b") as log:
            text = log.read()
            log.seek(0)
            log.write(text.replace(old, new) + more)
        self.watcher.send_signal(signal.SIGCONT)

    def test_sees_a_log_that_is_rewritten_in_its_place(self):
        """The last line stays what it was and where it was."""
        self.write("a:i")
        more = b'{"type":"session/title","seq":8,"time":1,"data":{}}\n'
        self.watched([lambda: self.rewrite(b'"content":"a"', b'"content":"b"'),
                      lambda: self.rewrite(b'"content":"b"', b'"content":"c"', more)], "▸ b".encode(), "▸ c".encode())

    def test_sees_a_log_that_is_repaired(self):
        self.write("a:i")
        self.log().write_bytes(self.log().read_bytes().rsplit(b"\n", 2)[0] + b'\n{"type":"todo/wri')
        self.watched([lambda: self.write("b:p, c:p")], b"2 pending")

    def test_sees_what_happens_to_a_log_behind_a_link(self):
        self.write("a:i")
        bytes = self.log().read_bytes()
        links.move_behind_link(self.log(), self.directory / "kept.jsonl")
        self.watched([lambda: self.write("b:p, c:p"), lambda: self.replace(bytes.replace(b'"in_progress"', b'"completed"')),
                      lambda: self.write("b:p, c:p, d:p")], b"2 pending", b"1 completed", b"3 pending")

    def test_sees_where_links_on_the_way_to_a_log_lead(self):
        """The link is the log, or any directory above it."""
        self.write("a:i")
        for above, place in enumerate([self.log(), *self.log().parents[:3]]):
            self.write("a:i")
            there, copy = self.directory / f"there-{above}", self.directory / f"copy-{above}"
            links.move_behind_link(place, there)
            with self.subTest(place=place):
                self.watched([lambda: self.write("b:p, c:p"), lambda: self.lead_elsewhere(place, there, copy),
                              lambda: self.write("b:p, c:p, d:p")], b"2 pending", b"2 completed", b"3 pending")

    def lead_elsewhere(self, link, there, copy):
        links.copy_changed(there, copy, b'"pending"', b'"completed"')
        self.assertTrue(processes.comes_to_rest(lambda: processes.switches(self.watcher.pid)), "nothing else wakes it")
        links.lead(link, copy)

    def test_each_write_is_one_frame_with_all_of_it(self):
        self.write("first:i")
        with subprocess.Popen([str(build.LOADER), "plan", "--session", "s", "--watch", "--sessions", str(self.sessions),
                               "--composition", str(self.composition)], stdout=subprocess.PIPE, text=True, env=loader.environment()) as process:
            frames = [self.frame(process.stdout)]
            for last in ("p", "c"):
                self.write(", ".join(f"item {i}:p" for i in range(29)) + f", last:{last}")
                frames.append(self.frame(process.stdout))
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.stdout.read(), "")
        self.assertEqual([heading for heading, _ in frames],
                         ["To-dos  1 in progress", "To-dos  30 pending", "To-dos  1 completed · 29 pending"])
        self.assertEqual([len(items) for _, items in frames], [1, 30, 30])
        self.assertEqual([items[-1] for _, items in frames], ["▸ first", "◦ last", "✓ last"])

    @staticmethod
    def frame(stream):
        """The heading of the next frame, and its items."""
        heading = next(line for line in iter(stream.readline, "") if line != "\n")
        total = int(stream.readline().rsplit("/")[1])
        stream.readline()
        return heading.strip().replace("\u2002", " "), [stream.readline().strip() for _ in range(total)]

    def test_a_terminal_is_left_clean(self):
        self.write("a:i")
        master, slave = pty.openpty()
        process = subprocess.Popen([str(build.LOADER), "plan", "--session", "s", "--watch", "--sessions", str(self.sessions), "--composition",
                                    str(self.composition)], stdin=slave, stdout=slave, stderr=slave,
                                   env=loader.environment(TERM="xterm-256color"), start_new_session=True)
        os.close(slave)
        output = b""
        while b"1 in progress" not in output:
            output += os.read(master, 65536)
        process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline:
            if select.select([master], [], [], 0.1)[0]:
                try:
                    output += os.read(master, 65536)
                except OSError:
                    break
        self.assertEqual(process.wait(30), -signal.SIGTERM)
        try:
            while select.select([master], [], [], 0.1)[0]:
                output += os.read(master, 65536)
        except OSError:
            pass
        os.close(master)
        for on, off in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")):
            self.assertEqual(output.count(on), output.count(off), output)


if __name__ == "__main__":
    unittest.main()
