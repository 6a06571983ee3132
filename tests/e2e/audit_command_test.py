"""`audit` over the logs that the other commands write."""
import json
import os
import shutil
import unittest

import build
from loader import items
from log_commands import LogCommandsTest


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

    def test_without_a_plugin_that_keeps_a_plan_the_log_is_verified_all_the_same(self):
        self.write("a:i")
        self.composition.write_text("[]")
        status, files = self.audit(self.log())
        self.assertEqual((status, files), (0, [{"file": str(self.log()), "ok": True, "events": 8, "findings": [], "plan": None}]))
        with self.log().open("a") as log:
            log.write("{}\n" + '{"type":"turn/end","seq":9,"time":1,"data":{}}\n')
        status, (file,) = self.audit(self.log())
        self.assertEqual((status, file["ok"], file["plan"]), (1, False, None))
        self.assertEqual(self.run_loader("audit", self.log()).returncode, 1)

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
        errors = [one for one in file["findings"] if one["severity"] == "error"]
        self.assertEqual([one["line"] for one in errors], list(range(10, 30)))
        self.assertEqual([one["seq"] for one in errors], list(range(8, 28)))

    def test_several_paths_and_a_whole_root(self):
        self.write("a:i", session="one")
        self.write("b:i", session="two")
        self.assertEqual(len(self.audit(self.log("one"), self.log("two"))[1]), 2)
        self.assertEqual(len(self.audit(self.sessions)[1]), 2)
        self.assertEqual(self.run_loader("audit", self.sessions).stdout.count(b"ok  "), 2)

    def test_a_directory_is_known_by_whatever_path_leads_to_it(self):
        self.write("a:i")
        session = self.log().parent
        link = self.sessions.parent / "link"
        link.symlink_to(session.parent)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        for directory, path in ((session.parent, "."), (session, ".."), (session, "."), (here, session / ".."), (here, link)):
            os.chdir(directory)
            status, (file,) = self.audit(path)
            self.assertEqual((status, file["findings"]), (0, []), (directory, path))

    def test_a_log_is_in_its_place_or_not_by_whatever_path(self):
        self.write("a:i", session="demo")
        project = self.log("demo").parent.parent
        shutil.copytree(project / "demo", project / "wrong")
        self.addCleanup(os.chdir, os.getcwd())
        for directory, paths in ((self.sessions, ("_no-cwd/{}", "./_no-cwd/{}/", "_no-cwd/{}/session.jsonl")),
                                 (project, ("{}", "./{}", "../_no-cwd/{}", "{}/session.jsonl")),
                                 ("{}", (".", "session.jsonl", "./session.jsonl", "../{}", "../wrong/../{}/session.jsonl"))):
            for session, placed in (("demo", True), ("wrong", False)):
                os.chdir(project / session if directory == "{}" else directory)
                for path in paths:
                    status, (file,) = self.audit(path.format(session))
                    told = [one["text"] for one in file["findings"]]
                    self.assertEqual((status, file["ok"], len(told)), (0, True, 0) if placed else (1, False, 1), (os.getcwd(), path, told))
                    self.assertEqual([text for text in told if "which belongs in _no-cwd/demo, not in _no-cwd/wrong" not in text], [])
        for directory, path in ((self.sessions, "_no-cwd"), (self.sessions, "."), (project, "."), (project / "demo", "..")):
            os.chdir(directory)
            self.assertEqual([file["ok"] for file in self.audit(path)[1]], [True, False], path)

    def test_a_path_that_is_not_there_hides_no_other(self):
        self.write("a:i")
        done = self.run_loader("audit", "/nonexistent/one", self.log(), "/nonexistent/two")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stdout.startswith(b"ok  " + bytes(self.log())), done)
        self.assertEqual([path in done.stderr for path in (b"/nonexistent/one", b"/nonexistent/two")], [True, True])
        status, (file,) = self.audit(self.log(), "/nonexistent")
        self.assertEqual((status, file["ok"]), (2, True))

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
