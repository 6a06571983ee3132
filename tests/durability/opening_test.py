"""Opening a stored session to write: what is counted on, what is closed, what is refused and what is told."""
import json
import os
import pathlib
import resource
import subprocess
import threading
import unittest

import build
import loader
import processes
from loader import items
from stored_log import HEADER, StoredLog, line, turn, write


# Of address space; a sanitizer takes what it wants.
GIBIBYTE = None if build.SANITIZER else (resource.RLIMIT_AS, 1 << 30)


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


class OneIdInTwoProjects(StoredLog):
    def header(self, cwd):
        return HEADER.replace('"createdAt"', f'"cwd":"{cwd}","createdAt"')

    def test_of_processes_that_each_believe_it_free_exactly_one_creates_it(self):
        scripts = [self.enterContext(self.script(cwd=f"/{k}")) for k in range(8)]
        for script in scripts:
            script.ok("session/create", session="s")
        answers = {}

        def append(cwd, script):
            answers[cwd] = script.op("session/append", session="s", type="turn/start", data={"turn": 1})

        racing = [threading.Thread(target=append, args=(f"/{k}", script)) for k, script in enumerate(scripts)]
        for thread in racing:
            thread.start()
        for thread in racing:
            thread.join()
        (winner,) = [cwd for cwd, answer in answers.items() if answer["ok"]]
        for cwd, answer in answers.items():
            if cwd != winner:
                self.assertEqual(answer["error"], f'session "s" belongs to "{winner}", not to "{cwd}"')
        for script in scripts:
            script.kill()
        self.assertEqual([path.parent.parent.name for path in self.root.glob("*/*/session.jsonl")], [f"--{winner[1:]}--"])
        self.assertEqual(self.call("a:i").returncode, 0)

    def test_one_that_is_on_disk_for_another_directory_is_refused_naming_both(self):
        with self.script(cwd="/a") as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            self.assertEqual(script.op("session/create", session="s")["error"], 'session "s" already exists')
        with self.script(cwd="/b") as script:
            self.assertEqual(script.op("session/create", session="s")["error"], 'session "s" belongs to "/a", not to "/b"')
        with self.script(cwd="/a") as script:
            self.assertEqual(script.op("session/create", session="s")["error"], 'session "s" already exists')

    def test_of_a_root_where_it_happened_once_each_is_worked_in_by_its_directory(self):
        for cwd in ("/a", "/b"):
            self.log = self.root / f"--{cwd[1:]}--" / "s" / "session.jsonl"
            self.store(*turn(0, 1, f"of {cwd}:i"), header=self.header(cwd))
        done = self.call("c:i")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"lies in two project directories", done.stderr)
        self.assertIn(b"--cwd", done.stderr)
        done = self.run_loader("sessions", "--json")
        self.assertEqual(done.returncode, 1)
        for one in json.loads(done.stdout)["sessions"]:
            self.assertEqual((one["damaged"], one["doubled"], one["counts"]["inProgress"]), (False, True, 1))
            self.assertIn(f"more than one project directory; --cwd {one['cwd']} opens this one", one["error"])
        for shown, cwd in zip(self.run_loader("sessions").stdout.decode().splitlines(), ("/a", "/b"), strict=True):
            self.assertRegex(shown, f"^s  3 events  1 in progress .*  {cwd} +the session lies in more than one project directory")
        done = self.run_loader("call", "todo_write", json.dumps({"todos": items("c:i")}), "--session", "s", "--cwd", "/c")
        self.assertIn(b'belongs to "/a", not to "/c"', done.stderr)
        for cwd in ("/a", "/b"):
            done = self.run_loader("sessions", "--cwd", cwd, "--json")
            (one,) = json.loads(done.stdout)["sessions"]
            self.assertEqual((done.returncode, one["damaged"], "doubled" in one, one["cwd"]), (0, False, False, cwd))
            done = self.run_loader("call", "todo_write", json.dumps({"todos": items(f"new {cwd}:i")}), "--session", "s", "--cwd", cwd)
            self.assertEqual(done.returncode, 0, done)
            shown = json.loads(self.run_loader("plan", "--session", "s", "--cwd", cwd, "--json").stdout)
            self.assertEqual(shown["todos"], items(f"new {cwd}:i"))

    def test_the_one_of_no_project_is_not_said_to_be_chosen_by_an_option(self):
        self.store(*turn(0, 1, "a:i"))
        self.log = self.root / "--a--" / "s" / "session.jsonl"
        self.store(*turn(0, 1, "a:i"), header=self.header("/a"))
        named, unnamed = json.loads(self.run_loader("sessions", "--json").stdout)["sessions"]
        self.assertTrue(named["error"].endswith("; --cwd /a opens this one"), named)
        self.assertTrue(unnamed["error"].endswith("; this one is of no project, and opened once the others are moved away"), unnamed)

    def tearDown(self):
        pass  # `plan` alone can't tell which of two is meant


class Refusals(StoredLog):
    """What can't be opened is named: which file, where in it, and who tells more."""

    def test_a_rule_that_the_log_breaks_is_not_told_as_a_fault_of_the_call(self):
        self.store(line(0, "session/title"), write(1, "a:i"))
        self.assert_refused_to_writers("invariant violated", "outside any open turn", "event 1", str(self.log))
        self.assertIn(b"audit", self.call("b:i").stderr)

    def test_what_nests_deeper_than_this_program_reads_is_no_damage(self):
        deep = f'{{"type":"assistant/chunk","seq":1,"time":1,"data":{"[" * 10001}{"]" * 10001}}}'
        for behind in ((), (write(2, "a:i"),), (write(2, "a:i"), line(3, "turn/end", {"turn": 1}))):
            self.store(line(0, "turn/start", {"turn": 1}), deep, *behind)
            self.assert_refused_to_writers("line 3", "10000 levels", "left as it is", str(self.log))
            if len(behind) < 2:  # else the plan is found without a look at it
                done = self.run_loader("plan", "--session", "s")
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(b"10000 levels", done.stderr)
            self.assertIn("10000 levels", self.listed()["error"])
            status, file = self.audit()
            self.assertEqual((status, file["findings"][0]["line"]), (1, 3))
            self.assertIn("readers and writers refuse", file["findings"][0]["text"])

    def test_ten_thousand_levels_are_read_and_written_on(self):
        deep = f'{{"type":"assistant/chunk","seq":1,"time":1,"data":{"[" * 10000}{"]" * 10000}}}'
        self.store(line(0, "turn/start", {"turn": 1}), deep, write(2, "a:i"))
        self.assertEqual(self.plan(), items("a:i"))
        self.assertEqual(self.call("b:i").returncode, 0)

    def test_a_line_without_end_is_told_before_it_takes_the_machine(self):
        self.store(*turn(0, 1, "a:i"))
        self.log = self.root / "_no-cwd" / "bomb" / "session.jsonl"
        self.store(header=HEADER.replace('"s"', '"bomb"'))
        with open(self.log, "r+b") as file:
            file.truncate(3 << 30)  # of NULs, in no blocks
        for command in (("sessions", "--json"), ("audit", self.root, "--json")):
            done = self.run_loader(*command, limit=GIBIBYTE)
            self.assertEqual(done.returncode, 1, done)
            for word in (b"256 MiB", b"bomb"):
                self.assertIn(word, done.stdout)
        self.assertEqual(self.listed()["events"], 3)
        for command in (("plan", "--session", "bomb"), ("call", "todo_write", '{"todos":[]}', "--session", "bomb")):
            done = self.run_loader(*command, limit=GIBIBYTE)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"256 MiB", done.stderr)
        self.assertEqual(self.log.stat().st_size, 3 << 30)
        self.log.unlink()


class Repairs(StoredLog):
    """What opening has mended is told, in one line."""

    def told(self, *lines, **options):
        self.store(*lines, **options)
        done = self.call("z:i")
        self.assertEqual(done.returncode, 0)
        return done.stderr.decode()

    def test_lines_that_were_cut_off_and_a_turn_that_was_closed(self):
        told = self.told(line(0, "turn/start", {"turn": 1}), write(1, "a:i"), "garbage", line(2, "step/end", {}))
        self.assertEqual(told.count("\n"), 1)
        for words in ('session "s"', "line 4 and what followed", "cut off", "interrupted and was closed"):
            self.assertIn(words, told)
        self.assertNotIn("interrupted", self.told(*turn(0, 1, "a:i"), line(9, "session/title")))
        self.assertNotIn("cut off", self.told(line(0, "turn/start", {"turn": 1})))

    def test_a_torn_last_line_counts_for_nobody(self):
        self.assertEqual(self.told(*turn(0, 1, "a:i"), '{"type":"session/ti', end=""), "")

    def test_script_mode_tells_too(self):
        self.store(line(0, "turn/start", {"turn": 1}))
        with self.script() as script:
            script.ok("session/open", session="s")
            self.assertIn("interrupted and was closed", script.stderr())


class Shortages(StoredLog):
    """An answer claims nothing that the log belies."""

    @unittest.skipIf(build.SANITIZER, "a sanitizer takes what address space it wants")
    def test_a_call_whose_answer_wants_memory_is_not_called_undone(self):
        arguments = json.dumps({"todos": [{"content": "x" * 50000 + str(k), "status": "pending"} for k in range(50)]})
        stands = undone = 0
        for megabytes in range(2, 40, 2):
            session = f"s{megabytes}"
            with self.script() as script:
                script.ok("session/create", session=session)
                script.ok("session/append", session=session, type="turn/start", data={"turn": 1})
                pages = int(pathlib.Path(f"/proc/{script.process.pid}/statm").read_text().split()[0])
                limit = pages * resource.getpagesize() + (megabytes << 20)
                resource.prlimit(script.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
                try:
                    answer = script.op("tool/call", name="todo_write", session=session, arguments=arguments)
                except loader.Ended:  # it could not even read the line
                    answer = {"ok": False, "error": "out of memory"}
                log = (self.root / "_no-cwd" / session / "session.jsonl").read_bytes()
                kept = b'"type":"todo/write"' in log
                if answer["ok"]:
                    self.assertEqual(kept, not answer["isError"])
                else:
                    self.assertEqual(kept, "stands" in answer["error"], (megabytes, answer))
                    stands += kept
                    undone += not kept
        self.assertGreater(undone, 0)
        self.assertGreater(stands, 0)

    @unittest.skipIf(build.SANITIZER, "a sanitizer takes what address space it wants")
    def test_a_plan_for_which_memory_runs_out_is_not_the_one_before_it(self):
        standing = [{"content": "x" * (20 << 20), "status": "pending"}]
        self.store(line(0, "turn/start", {"turn": 1}), write(1, "old:p"), line(2, "todo/write", {"todos": standing}))
        outcomes = {"plan": set(), "sessions": set()}
        for megabytes in (*range(44, 104, 6), 400):
            limit = (resource.RLIMIT_AS, megabytes << 20)
            done = self.run_loader("plan", "--session", "s", "--json", limit=limit)
            outcomes["plan"].add(done.returncode)
            if done.returncode == 0:
                self.assertEqual(json.loads(done.stdout)["todos"], standing)
            else:
                self.assertEqual((done.returncode, done.stdout), (2, b""), done)
                self.assertIn(b"out of memory", done.stderr)
            done = self.run_loader("sessions", "--json", limit=limit)
            outcomes["sessions"].add(done.returncode)
            if done.returncode == 1:
                (row,) = json.loads(done.stdout)["sessions"]
                self.assertEqual((row["damaged"], row["error"]), (True, "out of memory while it was read"))
        self.assertLessEqual({0, 2}, outcomes["plan"])
        self.assertLessEqual({0, 1}, outcomes["sessions"])

    @unittest.skipIf(build.SANITIZER, "a sanitizer takes what address space it wants")
    def test_it_is_right_again_once_there_is_memory(self):
        standing = [{"content": "x" * (20 << 20), "status": "pending"}]
        self.store(line(0, "turn/start", {"turn": 1}), write(1, "old:p"), line(2, "todo/write", {"todos": standing}))
        refused = 0
        for megabytes in range(4, 70, 12):
            with self.script() as script:
                script.ok("session/open", session="s")
                limit = (processes.memory(script.process.pid, "VmSize") << 10) + (megabytes << 20)
                resource.prlimit(script.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
                answer = script.op("projection/read", session="s")
                resource.prlimit(script.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                if not answer["ok"]:
                    self.assertEqual(answer["error"], "out of memory")
                    refused += 1
                    answer = script.ok("projection/read", session="s")
                self.assertEqual(answer["values"]["todos"], standing)
        self.assertGreater(refused, 0)

    def test_a_call_whose_result_cannot_be_told_counts(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([build.LOADER, "call", "todo_write", json.dumps({"todos": items("a:i")}), "--session", "s", "--sessions",
                                   self.root, "--composition", self.composition], stdout=full, stderr=subprocess.PIPE, env=loader.environment())
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"the call counts all the same", done.stderr)
        self.assertEqual(self.plan(), items("a:i"))

    def test_what_the_disk_refuses_comes_with_advice(self):
        self.root.mkdir(mode=0o000)
        done = self.call("a:i", as_anyone=True)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"Permission denied; have that opened to you, or choose another place with --sessions", done.stderr)
        self.root.chmod(0o700)
        done = self.call("a:i", limit=(resource.RLIMIT_FSIZE, 100))
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"File too large", done.stderr)
        self.assertIn(b"nothing was logged", done.stderr)


class SharedRoot(StoredLog):
    """Under a root that users share, what others keep closed is none of ours."""

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a directory to another user")
    def test_a_closed_project_of_another_user_stops_no_new_session(self):
        other = self.root / "--home-a--"
        other.mkdir(parents=True, mode=0o700)
        os.chown(other, 12345, 12345)
        self.assertEqual(self.call("a:i", as_anyone=True).returncode, 0)
        done = self.run_loader("plan", "--session", "absent", as_anyone=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b'no session "absent"', done.stderr)

    def test_one_of_our_own_has_to_be_mended(self):
        closed = self.root / "--home-a--"
        closed.mkdir(parents=True, mode=0o000)
        done = self.call("a:i", as_anyone=True)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"--home-a--", done.stderr)
        self.assertIn(b"have that opened to you", done.stderr)
        closed.rmdir()


if __name__ == "__main__":
    unittest.main(verbosity=2)
