"""What may lie in the place of a session's log, and what may happen to the file meanwhile, through the real program."""
import fcntl
import json
import os
import shutil
import signal
import subprocess
import unittest
import uuid

import build
import loader
from loader import items
from stored_log import HEADER, StoredLog, line, turn, zstd_frame


class OddFiles(StoredLog):
    """Every way to look at a session says the same of what lies in its place."""

    def assert_told(self, *words, listed=True):
        """`audit`, `sessions`, `plan`, `call`, `session/open` and `session/create` fail, and say all these words; the
        sound session beside it is read."""
        beside = self.root / "_no-cwd" / "t" / "session.jsonl"
        beside.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text("\n".join([HEADER.replace('"s"', '"t"'), *turn(0, 1, "t:i")]) + "\n")
        audited = self.run_loader("audit", self.root, "--json")
        sessions = self.run_loader("sessions", "--json")
        self.assertEqual((audited.returncode, sessions.returncode), (1, 1), (audited, sessions))
        odd, sound = sorted(json.loads(audited.stdout)["files"], key=lambda file: file["ok"])
        self.assertEqual((sound["ok"], sound["plan"]), (True, items("t:i")))
        told = {"audit": odd["findings"][0]["text"] + odd["file"]}
        rows = {one["id"]: one for one in json.loads(sessions.stdout)["sessions"]}
        self.assertIs(rows["t"]["damaged"], False)
        told["sessions"] = rows["s"]["error"] + str(self.log.parent)
        for command in (("plan", "--session", "s"), ("plan", "--session", "s", "--history"),
                        ("call", "todo_write", '{"todos":[]}', "--session", "s")):
            done = self.run_loader(*command)
            self.assertEqual((done.returncode, done.stdout), (2, b""), done)
            told[" ".join(command[:1] + command[3:])] = done.stderr.decode()
        with self.script() as script:
            answer = script.op("session/open", session="s")
            self.assertIs(answer["ok"], False, answer)
            told["open"] = answer["error"]
            answer = script.op("session/create", session="s")
            self.assertIs(answer["ok"], False, answer)
        for who, text in told.items():
            for word in words:
                self.assertIn(word, text, who)
            self.assertIn(str(self.log.parent), text, who)

    def test_a_compressed_log_under_a_plain_name_is_called_that_by_all(self):
        body = "\n".join(turn(0, 1, "a:i")) + "\n"
        self.log.parent.mkdir(parents=True)
        self.log.write_bytes(zstd_frame((HEADER + "\n").encode()) + zstd_frame(body.encode()))
        self.assert_told("compressed log under a name without .zstd", "rename it so that it ends in .jsonl.zstd")
        self.log.rename(self.log.with_name("session.jsonl.zstd"))
        self.assertEqual(self.plan(), items("a:i"))

    def test_a_generation_of_any_size_is_the_session_and_told_to_be_unknown(self):
        """An older generation is no fallback, however large the number of the newest."""
        for number in ("5", "2147483647", "2147483648", "99999999999999999999"):
            with self.subTest(number=number):
                self.store(*turn(0, 1, "a:i"))
                newer = self.log.with_name(f"session.v{number}.jsonl")
                header = HEADER.replace('"version":0', f'"version":{number}')
                newer.write_text("\n".join([header, *turn(0, 1, "b:i")]) + "\n")
                self.assert_told(f"session log format {number}")
                self.assertIn("is unknown: this program reads 0 to 4", self.listed()["error"])
                alone = self.run_loader("audit", newer, "--json")
                self.assertEqual(alone.returncode, 1, alone)
                self.assertIn(f"session log format {number} is unknown", json.loads(alone.stdout)["files"][0]["findings"][0]["text"])
                newer.unlink()

    def test_a_version_of_any_size_in_the_header_is_told_to_be_unknown(self):
        for number in ("5", "99999999999999999999"):
            self.store(*turn(0, 1, "a:i"), header=HEADER.replace('"version":0', f'"version":{number}'))
            self.assert_told(f"session log format {number} is unknown: this program reads 0 to 4")

    def test_a_directory_in_the_place_of_the_log(self):
        self.log.mkdir(parents=True)
        self.assert_told("is a directory where a session log is expected")
        alone = self.run_loader("audit", self.log.parent)
        self.assertEqual((alone.returncode, alone.stdout), (2, b""))
        self.assertIn(b"is a directory where a session log is expected", alone.stderr)

    def test_a_session_that_is_called_like_a_log_is_one_like_others(self):
        done = self.call("a:i", session="session.jsonl")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.plan("session.jsonl"), items("a:i"))
        for path in (self.root, self.root / "_no-cwd", self.root / "_no-cwd" / "session.jsonl"):
            self.assertEqual(self.run_loader("audit", path).returncode, 0, path)

    def test_a_pipe_or_a_device_in_the_place_of_the_log_hangs_nobody(self):
        self.log.parent.mkdir(parents=True)
        os.mkfifo(self.log)
        self.assert_told("not a regular file")
        for device in ("/dev/null", "/dev/zero", "/dev/tty"):
            self.log.unlink()
            self.log.symlink_to(device)
            with self.subTest(device=device):
                # What opening /dev/tty says depends on whether there is a terminal.
                self.assert_told("can't" if device == "/dev/tty" else "not a regular file")

    def test_links_that_lead_nowhere(self):
        self.log.parent.mkdir(parents=True)
        self.log.symlink_to("gone")
        self.assert_told("No such file or directory")
        self.log.unlink()
        self.log.symlink_to("session.jsonl")
        self.assert_told("Too many levels of symbolic links")

    def test_line_ends_of_windows_are_read_and_left_as_they_are(self):
        before = self.store(*[line + "\r" for line in turn(0, 1, "a:i")], header=HEADER + "\r")
        self.assertTrue(before.endswith(b"\r\n"))
        self.assertEqual(self.plan(), items("a:i"))
        self.assertEqual(self.audit()[0], 0)
        self.assertIs(self.listed()["damaged"], False)
        self.assertEqual(self.call("b:i").returncode, 0)
        self.assertTrue(self.log.read_bytes().startswith(before))
        self.assertEqual(self.plan(), items("b:i"))

    def test_an_empty_id_is_none(self):
        with self.script() as durable, loader.Script() as memory:
            for script in (durable, memory):
                answer = script.op("session/create", session="")
                self.assertIs(answer["ok"], False, answer)
                self.assertIn("a session id can't be empty", answer["error"])
                self.assertEqual(script.ok("session/create")["session"], "session-1")
            for id in ("x" * 256, "/" * 52):
                self.assertIn("session id too long", durable.op("session/create", session=id)["error"])
        for command in (("call", "todo_write", "{}", "--memory"), ("plan",), ("mcp",)):
            done = loader.run(*command, "--session", "", "--composition", self.composition)
            self.assertEqual((done.returncode, done.stdout), (2, b""), done)
            self.assertIn(b"--session must not be empty", done.stderr)


class Links(StoredLog):
    def ids(self):
        return [(one["id"], one["damaged"]) for one in json.loads(self.run_loader("sessions", "--json").stdout)["sessions"]]

    def test_a_log_that_lies_elsewhere_is_read_and_written_there(self):
        """The file, or its directory, moved to another disk, say, with a link in its place."""
        self.store(*turn(0, 1, "a:i"))
        for place in (self.log, self.log.parent):
            there = self.directory / f"elsewhere-{place.name}"
            shutil.move(place, there)
            place.symlink_to(there)
            self.assertEqual(self.call("b:i").returncode, 0)
            self.assertTrue(place.is_symlink())
            self.assertEqual(self.plan(), items("b:i"))
            self.assertEqual(self.ids(), [("s", False)])
            self.assertEqual(self.audit()[0], 0)
        with self.script() as script:
            script.ok("session/open", session="s")
            self.assert_second_writer_refused(script)

    def assert_second_writer_refused(self, script):
        done = self.call("c:i")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn(f"process {script.process.pid}", done.stderr.decode())

    def test_a_file_with_two_names_is_one_session(self):
        """That of the name which fits its header, wherever the other lies."""
        self.store(*turn(0, 1, "a:i"))
        for project, session in (("_no-cwd", "copy"), ("--a--", "s"), ("_no-cwd", "zz")):
            with self.subTest(project=project, session=session):
                other = self.root / project / session / "session.jsonl"
                other.parent.mkdir(parents=True)
                os.link(self.log, other)
                self.assertEqual(self.ids(), [("s", False)])
                status, file = self.audit()
                self.assertEqual((status, file["file"]), (0, str(self.log)))
                self.assertEqual([(one["severity"], one["text"]) for one in file["findings"]],
                                 [("note", f"the same file lies at {other} too")])
                self.assertEqual(self.plan(), items("a:i"))
                if session != "s":
                    done = self.run_loader("plan", "--session", session)
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(b"belongs in _no-cwd/s", done.stderr)
                shutil.rmtree(other.parent)

    def test_a_project_with_two_names_holds_each_session_once(self):
        self.store(*turn(0, 1, "a:i"))
        for name in ("--a--", "zz"):
            (self.root / name).symlink_to("_no-cwd")
        self.assertEqual(self.ids(), [("s", False)])
        self.assertEqual(self.plan(), items("a:i"))
        self.assertEqual(self.call("b:i").returncode, 0)
        (self.root / "_no-cwd" / "loop").symlink_to("..")
        self.assertEqual(self.ids(), [("s", False)])


    def test_a_project_that_cannot_be_read_is_told_and_stops_nobody_elsewhere(self):
        self.store(*turn(0, 1, "a:i"))
        (self.root / "--loop--").symlink_to("--loop--")
        done = self.run_loader("sessions", "--json")
        self.assertEqual(done.returncode, 1)
        told, sound = json.loads(done.stdout)["sessions"]
        self.assertEqual((told["id"], told["damaged"], sound["id"], sound["damaged"]), ("--loop--", True, "s", False))
        self.assertIn("Too many levels of symbolic links", told["error"])
        done = self.run_loader("audit", self.root, "--json")
        self.assertEqual((done.returncode, [one["ok"] for one in json.loads(done.stdout)["files"]]), (1, [False, True]))
        self.assertEqual(self.plan(), items("a:i"))
        self.assertEqual(self.call("b:i").returncode, 0)
        done = self.call("c:i", session="new")  # which may be in the other
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"--loop--", done.stderr)
        (self.root / "--loop--").unlink()


class Leftovers(StoredLog):
    """The temporary file of a process that was killed while it created a log."""

    def names(self):
        return sorted(path.name for path in self.log.parent.iterdir())

    def leave(self):
        self.log.parent.mkdir(parents=True, exist_ok=True)
        left = self.log.with_name(f"session.jsonl.{uuid.uuid4()}.tmp")
        left.write_text(HEADER + "\n" + line(0, "turn/start", {"turn": 1}))
        return left

    def test_is_no_session_and_goes_with_the_next_creation(self):
        self.leave()
        self.assertEqual(json.loads(self.run_loader("sessions", "--json").stdout), {"sessions": []})
        self.assertEqual(self.run_loader("plan", "--session", "s").returncode, 2)
        self.assertEqual(self.call("a:i").returncode, 0)
        self.assertEqual(self.names(), ["session.jsonl"])

    def test_goes_when_the_session_is_opened_to_write(self):
        self.store(*turn(0, 1, "a:i"))
        self.leave()
        os.link(self.log, self.log.with_name(f"session.jsonl.{uuid.uuid4()}.tmp"))  # killed after it was published
        self.assertEqual(self.plan(), items("a:i"))
        self.assertEqual(len(self.names()), 3)  # readers change nothing
        self.assertEqual(self.call("b:i").returncode, 0)
        self.assertEqual(self.names(), ["session.jsonl"])

    def test_stays_while_its_maker_lives_and_where_it_is_another_s(self):
        held = self.leave()
        others = [self.log.with_name(name) for name in ("session.jsonl.tmp", "session.jsonl.mine.tmp", "notes.tmp")]
        for other in others:
            other.write_text("mine")
        link = self.log.with_name(f"session.jsonl.{uuid.uuid4()}.tmp")
        link.symlink_to("notes.tmp")
        with open(held) as maker:
            fcntl.flock(maker, fcntl.LOCK_EX)
            self.assertEqual(self.call("a:i").returncode, 0)
            kept = sorted(path.name for path in [self.log, held, link, *others])
            self.assertEqual(self.names(), kept)
        self.assertEqual(self.call("b:i").returncode, 0)
        kept.remove(held.name)
        self.assertEqual(self.names(), kept)

    @unittest.skipUnless(shutil.which("strace"), "strace kills at a system call, and is not there")
    @unittest.skipIf(build.SANITIZER, "the sanitizers' runtime does not run under strace")
    def test_of_a_real_kill_before_and_after_the_log_is_published(self):
        """What is killed here leaves the very file that the next process clears away."""
        script = '{"op":"session/create","session":"s"}\n{"op":"session/append","session":"s","type":"turn/start","data":{"turn":1}}\n'
        for call, left in (("link", 1), ("unlink", 2)):
            with self.subTest(call=call):
                shutil.rmtree(self.root, ignore_errors=True)
                done = subprocess.run(["strace", "-f", "-o", os.devnull, "-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:error=EIO",
                                       str(build.LOADER), "run", "-", "--sessions", str(self.root), "--composition", str(self.composition)],
                                      input=script.encode(), capture_output=True, env=loader.environment(), timeout=300)
                self.assertEqual(done.returncode, -signal.SIGKILL, done)
                self.assertEqual(len(self.names()), left)
                self.assertEqual(self.call("a:i").returncode, 0)
                self.assertEqual(self.names(), ["session.jsonl"])


class MovedFiles(StoredLog):
    """The log under a writer is moved, deleted or replaced: an event counts only where it lies under the log's name."""

    def start(self):
        script = self.enterContext(self.script())
        script.ok("session/create", session="s")
        script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
        script.call(items("a:i"), session="s")
        return script

    def assert_append_fails(self, script):
        answer = script.call(items("b:i"), session="s")
        self.assertIs(answer["isError"], True, answer)
        self.assertIn("was deleted, moved or replaced; nothing was written; open the session again", answer["text"])
        self.assertIn(str(self.log), answer["text"])
        self.assertEqual(script.todos("s"), items("a:i"))

    def test_a_moved_log_gets_nothing_and_goes_on_once_it_is_back(self):
        script = self.start()
        before = self.log.read_bytes()
        away = self.log.with_name("backup")
        for place, there in ((self.log, away), (self.log.parent, self.root / "away")):
            place.rename(there)
            self.assert_append_fails(script)
            there.rename(place)
            self.assertEqual(self.log.read_bytes(), before)
        self.assertIs(script.call(items("c:i"), session="s")["isError"], False)
        self.assertEqual(self.plan(), items("c:i"))

    def test_a_replaced_log_is_left_alone_and_so_is_the_other(self):
        """As an editor saves it, and where a backup keeps the old file by another name."""
        for keep in (False, True):
            with self.subTest(keep=keep):
                script = self.start()
                before = self.log.read_bytes()
                old = self.log.with_name("old")
                if keep:
                    os.link(self.log, old)
                other = self.log.with_name("new")
                other.write_bytes(before)
                other.rename(self.log)
                self.assert_append_fails(script)
                self.assertEqual(self.log.read_bytes(), before)
                if keep:
                    self.assertEqual(old.read_bytes(), before)
                script.ok("session/dispose", session="s")
                shutil.rmtree(self.log.parent)

    def test_a_deleted_log_is_told_and_not_made_anew(self):
        script = self.start()
        self.log.unlink()
        self.assert_append_fails(script)
        self.assertFalse(self.log.exists())

    def test_a_stopped_writer_is_still_the_writer(self):
        """SIGSTOP between two events: others are refused, naming it; it goes on where it was."""
        script = self.start()
        script.process.send_signal(signal.SIGSTOP)
        try:
            self.assert_refused_to_writers(f"process {script.process.pid}")
            self.assertEqual(self.plan(), items("a:i"))
        finally:
            script.process.send_signal(signal.SIGCONT)
        self.assertIs(script.call(items("b:i"), session="s")["isError"], False)
        self.assertEqual(self.plan(), items("b:i"))
        self.events()

    def test_a_stopped_writer_whose_log_was_replaced_writes_into_neither(self):
        """Someone took the stopped writer for dead and put a copy in the log's place, which a second one went on with."""
        script = self.start()
        script.process.send_signal(signal.SIGSTOP)
        try:
            copy = self.log.with_name("copy")
            shutil.copy(self.log, copy)
            copy.rename(self.log)
            self.assertEqual(self.call("second:i").returncode, 0)
            written = self.log.read_bytes()
        finally:
            script.process.send_signal(signal.SIGCONT)
        self.assert_append_fails(script)
        self.assertEqual(self.log.read_bytes(), written)
        self.assertEqual(self.plan(), items("second:i"))


if __name__ == "__main__":
    unittest.main()
