"""`sessions` over the logs that the other commands write."""
import json
import unittest

import build
import loader
import terminal
from loader import items
from log_commands import LogCommandsTest


class Sessions(LogCommandsTest):
    def test_every_session_is_listed(self):
        self.write("a:c, b:i", session="one")
        self.write("c:p", session="two", cwd="/x")
        listed = json.loads(self.run_loader("sessions", "--json").stdout)["sessions"]
        last = {id: json.loads(self.log(id).read_text().splitlines()[-1])["time"] for id in ("one", "two")}
        self.assertEqual(sorted(listed, key=lambda one: one["id"]), [
            {"id": "one", "damaged": False, "events": 8, "counts": {"pending": 0, "inProgress": 1, "completed": 1}, "time": last["one"]},
            {"id": "two", "damaged": False, "events": 8, "counts": {"pending": 1, "inProgress": 0, "completed": 0}, "time": last["two"],
             "cwd": "/x"}])
        text = self.run_loader("sessions").stdout.decode()
        self.assertRegex(text, r"(?m)^one  8 events  1 completed\u2002·\u20021 in progress  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
        self.assertEqual(len(text.splitlines()), 2)

    def test_without_a_plugin_that_keeps_a_plan_all_counts_are_zero(self):
        self.write("a:i")
        self.composition.write_text("[]")
        done = self.run_loader("sessions", "--json")
        (one,) = json.loads(done.stdout)["sessions"]
        self.assertEqual((done.returncode, one["events"], one["counts"]), (0, 8, {"pending": 0, "inProgress": 0, "completed": 0}))
        self.assertRegex(self.run_loader("sessions").stdout.decode(), r"^s  8 events +\d{4}-")

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

    def test_an_event_that_cannot_be_folded_is_told_with_its_session(self):
        for session in ("good", "odd"):
            self.write("a:i", session=session)
        with self.log("odd").open("a") as log:
            log.write('{"type":"todo/write","seq":8,"time":1,"data":null}\n')
        done = self.run_loader("sessions", "--json")
        self.assertEqual({one["id"]: one["events"] for one in json.loads(done.stdout)["sessions"]}, {"good": 8, "odd": 9})
        self.assertIn('event 8 (todo/write) of "odd" left the state as it was', done.stderr.decode())

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

    def test_a_root_that_is_a_link_to_nothing_is_told(self):
        self.sessions.symlink_to(self.directory / "gone")
        for options in ([], ["--json"]):
            done = self.run_loader("sessions", *options)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(f"{self.sessions} is a link to {self.directory / 'gone'}, where nothing is; make that", done.stderr.decode())
        (self.directory / "gone").mkdir()
        self.write("a:i")
        self.assertEqual(self.run_loader("sessions").returncode, 0)

    def test_a_root_that_does_not_exist_has_none(self):
        done = self.run_loader("sessions")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertIn(f"no sessions under {self.sessions}, which does not exist yet; loader-sample call", done.stderr.decode())
        self.assertEqual(json.loads(self.run_loader("sessions", "--json").stdout), {"sessions": []})


if __name__ == "__main__":
    unittest.main()
