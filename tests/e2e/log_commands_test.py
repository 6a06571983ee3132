"""`plan`, `sessions` and `audit` over the logs that the other commands write."""
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import build
import loader
import terminal
from loader import PARALLEL, Script, items


class LogCommandsTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.sessions = self.directory / "sessions"
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(PARALLEL)

    def run_loader(self, *arguments):
        return loader.run(*arguments, "--sessions", self.sessions, "--composition", self.composition)

    def write(self, list, session="s", **options):
        done = self.run_loader("call", "todo_write", json.dumps({"todos": items(list)}), "--session", session,
                               *(word for key, value in options.items() for word in ("--" + key, value)))
        self.assertEqual(done.returncode, 0, done)

    def log(self, session="s"):
        (path,) = self.sessions.glob(f"*/{session}/session.jsonl")
        return path


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
        self.assertIn(b'no session "s"', done.stderr)
        self.assertIn(b"belongs to /two", done.stderr)

    def test_a_malformed_list_is_shown_and_told(self):
        self.write("a:i")
        with self.log().open("a") as log:
            log.write('{"type":"turn/start","seq":8,"time":1,"data":{"turn":2}}\n'
                      '{"type":"todo/write","seq":9,"time":1,"data":{"todos":[{"content":"x","status":"cancelled"}]}}\n'
                      '{"type":"turn/end","seq":10,"time":1,"data":{"turn":2,"reason":{"kind":"completed"}}}\n')
        done = self.run_loader("plan", "--session", "s")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn(b"x", done.stdout)

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


class Sessions(LogCommandsTest):
    def test_every_session_is_listed(self):
        self.write("a:c, b:i", session="one")
        self.write("c:p", session="two", cwd="/x")
        listed = json.loads(self.run_loader("sessions", "--json").stdout)["sessions"]
        self.assertEqual(sorted(listed, key=lambda one: one["id"]), [
            {"id": "one", "damaged": False, "events": 8, "counts": {"pending": 0, "inProgress": 1, "completed": 1}},
            {"id": "two", "damaged": False, "events": 8, "counts": {"pending": 1, "inProgress": 0, "completed": 0}}])
        text = self.run_loader("sessions").stdout.decode()
        self.assertRegex(text, r"(?m)^one  8 events  1 completed\u2002·\u20021 in progress  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
        self.assertEqual(len(text.splitlines()), 2)

    def test_a_damaged_one_is_marked_and_hides_nobody(self):
        self.write("a:i", session="good")
        self.write("a:i", session="bad")
        lines = self.log("bad").read_bytes().splitlines(keepends=True)
        self.log("bad").write_bytes(b"".join(lines[:3]) + b"garbage\n" + b"".join(lines[4:]))
        done = self.run_loader("sessions", "--json")
        self.assertEqual(done.returncode, 1)
        listed = {one["id"]: one for one in json.loads(done.stdout)["sessions"]}
        self.assertEqual((listed["good"]["damaged"], listed["bad"]["damaged"]), (False, True))
        self.assertIn("corrupt session log", listed["bad"]["error"])
        self.assertRegex(self.run_loader("sessions").stdout.decode(), r"(?m)^bad +damaged: corrupt session log")

    def test_the_project_of_each_is_shown_and_can_be_chosen(self):
        self.write("a:i", session="one", cwd="/home/u/project")
        self.write("a:i", session="two")
        two, one = sorted(self.run_loader("sessions").stdout.decode().splitlines(), reverse=True)
        self.assertRegex(two, r"^two +8 events  1 in progress  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
        self.assertRegex(one, r"^one +8 events .*  /home/u/project$")
        for cwd, ids in (("/home/u/project", ["one"]), ("/home/u", []), ("/home/u/project/", [])):
            listed = json.loads(self.run_loader("sessions", "--json", "--cwd", cwd).stdout)["sessions"]
            self.assertEqual([session["id"] for session in listed], ids)
        done = self.run_loader("sessions", "--cwd", "/home/u")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertIn(f"no sessions of the project /home/u under {self.sessions}; without --cwd", done.stderr.decode())

    def test_a_narrow_terminal_gets_more_lines(self):
        self.write("a:i, b:p, c:c", session="a-session-with-a-name", cwd="/home/u/project")
        command = [build.LOADER, "sessions", "--sessions", self.sessions, "--composition", self.composition]
        status, lines = terminal.on_terminal(command, columns=42)
        lines = [terminal.bare(line) for line in lines]
        self.assertEqual((status, lines[0]), (0, "a-session-with-a-name  8 events"))
        self.assertEqual(lines[1].split("\u2002·\u2002"), [" 1 completed", "1 in progress", "1 pending"])
        self.assertRegex(lines[2], r"^ \d{4}-.*  /home/u/project$")
        self.assertEqual(len(lines), 3)
        self.write("a:i", session="b")
        lines = [terminal.bare(line) for line in terminal.on_terminal(command, columns=95)[1]]
        self.assertRegex(lines[0], r"^a-session-with-a-name  8 events  1 completed.*1 pending  \d{4}-\S* \S*$")
        self.assertEqual(lines[1], " /home/u/project")
        self.assertRegex(lines[2], r"^b {22}8 events  1 in progress {28}\d{4}-")
        self.assertEqual(len(lines), 3)

    def test_the_one_that_mcp_serves_here_is_pointed_at(self):
        here = self.directory / "here"
        here.mkdir()
        options = ["--sessions", self.sessions, "--composition", self.composition]
        talk = "".join(json.dumps(message) + "\n" for message in (
            {"jsonrpc": "2.0", "id": 1, "method": "initialize"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "todo_write", "arguments": {"todos": items("a:i")}}}))
        served = loader.run("mcp", *options, "--log-level", "info", input=talk, cwd=here)
        self.assertEqual(served.returncode, 0, served.stderr)
        listed = loader.run("sessions", *options, cwd=here).stdout.decode().split()
        self.assertIn("what mcp serves here", " ".join(listed))
        self.assertNotIn(b"mcp serves", loader.run("sessions", *options, cwd=self.directory).stdout)
        self.assertIn(f"loader-sample plan --session {listed[0]} --watch", served.stderr.decode())
        self.assertEqual(loader.run("plan", "--session", listed[0], *options).returncode, 0)

    def test_sessions_of_the_reference_are_pointed_at(self):
        other = self.directory / ".dsh" / "sessions"
        other.mkdir(parents=True)
        for command in (["sessions"], ["plan", "--session", "s"]):
            done = loader.run(*command, "--sessions", self.sessions, "--composition", self.composition, env=loader.environment(self.directory))
            self.assertIn(f"--sessions {other}", done.stderr.decode())
            done = loader.run(*command, "--sessions", other, "--composition", self.composition, env=loader.environment(self.directory))
            self.assertNotIn("DeepSeek", done.stderr.decode())

    def test_directories_that_share_a_slug_are_told_apart(self):
        self.write("a:i", cwd="/a-b")
        self.assertEqual(self.run_loader("sessions", "--cwd", "/a/b").stdout, b"")
        done = self.run_loader("plan", "--session", "s", "--cwd", "/a/b")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b'"/a-b", not to "/a/b"', done.stderr)

    def test_a_session_may_be_called_like_a_log(self):
        for session in ("one", "session.jsonl", "session.v1.jsonl"):
            self.write("a:i", session=session)
        done = self.run_loader("audit", self.sessions, "--json")
        self.assertEqual((done.returncode, len(json.loads(done.stdout)["files"])), (0, 3), done)

    def test_what_cannot_be_read_is_named(self):
        self.write("a:i")
        self.log().write_text("junk\n")
        for options in ([], ["--history"]):
            done = self.run_loader("plan", "--session", "s", *options)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(str(self.log()).encode(), done.stderr)

    def test_a_list_that_is_none_hides_nobody(self):
        for session, data in (("none", "{}"), ("other", "3"), ("text", '"x"')):
            self.write("a:i", session=session)
            log = self.log(session)
            seq = len(log.read_text().splitlines()) - 1
            with open(log, "a") as stream:
                stream.write(f'{{"type":"turn/start","seq":{seq},"time":1,"data":{{"turn":9}}}}\n'
                             f'{{"type":"todo/write","seq":{seq + 1},"time":1,"data":{data}}}\n')
        done = self.run_loader("sessions", "--json")
        self.assertEqual((done.returncode, len(json.loads(done.stdout)["sessions"])), (0, 3), done)
        done = self.run_loader("audit", self.sessions, "--json")
        self.assertEqual((done.returncode, len(json.loads(done.stdout)["files"])), (1, 3), done)
        done = self.run_loader("plan", "--session", "none", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["todos"]), (1, None), done)

    def test_a_root_that_does_not_exist_has_none(self):
        done = self.run_loader("sessions")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertIn(f"no sessions under {self.sessions}, which does not exist yet; loader-sample call", done.stderr.decode())
        self.assertEqual(json.loads(self.run_loader("sessions", "--json").stdout), {"sessions": []})


class Audit(LogCommandsTest):
    def audit(self, *paths):
        done = self.run_loader("audit", "--json", *paths)
        return done.returncode, json.loads(done.stdout)["files"]

    def test_a_sound_log(self):
        self.write("a:i")
        for path in (self.log(), self.log().parent, self.sessions):
            status, files = self.audit(path)
            self.assertEqual((status, files), (0, [{"file": str(self.log()), "ok": True, "events": 8, "findings": [], "plan": items("a:i")}]))
        self.assertIn(b"1 in progress", self.run_loader("audit", self.log()).stdout)

    def test_broken_rules_are_found_with_their_line(self):
        self.write("a:i")
        with self.log().open("a") as log:
            log.write('{"type":"todo/write","seq":8,"time":1,"data":{"todos":[]}}\n')
        status, (file,) = self.audit(self.log())
        self.assertEqual((status, file["ok"]), (1, False))
        (error,) = [one for one in file["findings"] if one["severity"] == "error"]
        self.assertEqual(error["line"], 10)
        self.assertIn("appended outside any open turn", error["text"])
        self.assertIn(b"line 10", self.run_loader("audit", self.log()).stdout)

    def test_the_plan_is_that_of_the_last_list_that_is_one(self):
        self.write("a:i")
        with self.log().open("a") as log:
            log.write('{"type":"turn/start","seq":8,"time":1,"data":{"turn":2}}\n'
                      '{"type":"todo/write","seq":9,"time":1,"data":{"todos":[{"content":"b","status":"pending"}]}}\n'
                      '{"type":"todo/write","seq":10,"time":1,"data":null}\n'
                      '{"type":"todo/write","seq":11,"time":1,"data":null}\n'
                      '{"type":"turn/end","seq":12,"time":1,"data":{"turn":2,"reason":{"kind":"completed"}}}\n')
        status, (file,) = self.audit(self.log())
        self.assertEqual((status, [one["line"] for one in file["findings"] if one["severity"] == "error"]), (1, [12, 13]))
        self.assertEqual(file["plan"], items("b:p"))

    def test_damage_is_found(self):
        self.write("a:i")
        lines = self.log().read_bytes().splitlines(keepends=True)
        self.log().write_bytes(b"".join(lines[:4]) + b"{}{}\n" + b"".join(lines[5:]))
        status, (file,) = self.audit(self.sessions)
        self.assertEqual((status, file["ok"], file["findings"][0]["line"]), (1, False, 5))

    def test_findings_alike_are_told_once_and_counted_and_a_program_gets_them_all(self):
        self.write("a:i")
        with self.log().open("a") as log:
            for seq in range(8, 28):
                log.write('{"type":"todo/write","seq":%d,"time":1,"data":{"todos":[]}}\n' % seq)
        text = self.run_loader("audit", self.log()).stdout.decode()
        self.assertEqual(text.count("appended outside any open turn"), 3, text)
        self.assertRegex(text, r"17 more findings like that of line 10, the last at line 29")
        self.assertEqual(self.run_loader("audit", "--all", self.log()).stdout.count(b"appended outside any open turn"), 20)
        _, (file,) = self.audit(self.log())
        self.assertEqual([one["line"] for one in file["findings"] if one["severity"] == "error"], list(range(10, 30)))

    def test_several_paths_and_a_whole_root(self):
        self.write("a:i", session="one")
        self.write("b:i", session="two")
        self.assertEqual(len(self.audit(self.log("one"), self.log("two"))[1]), 2)
        self.assertEqual(len(self.audit(self.sessions)[1]), 2)
        self.assertEqual(self.run_loader("audit", self.sessions).stdout.count(b"ok  "), 2)

    def test_a_path_that_is_not_there(self):
        done = self.run_loader("audit", "/nonexistent/log")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"/nonexistent/log", done.stderr)

    @unittest.skipIf(build.REAL_LOGS is None, build.NO_REAL_LOGS)
    def test_logs_of_the_reference(self):
        logs = sorted(build.REAL_LOGS.glob("dsh-seq-*.jsonl"))
        self.assertNotEqual(logs, [], f"DSH_REAL_LOGS is {build.REAL_LOGS}")
        for path in logs:
            with self.subTest(path=path.name):
                status, (file,) = self.audit(path)
                self.assertGreater(file["events"], 20)
                self.assertEqual((status, [one for one in file["findings"] if one["severity"] == "error"]), (0, []))
        status, (file,) = self.audit(build.REAL_LOGS / "claude-todowrite.jsonl")
        self.assertEqual((status, file["ok"]), (1, False))


if __name__ == "__main__":
    unittest.main()
