"""`call`: the main job in one line."""
import json
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest
import uuid

import build
import loader
import markdown
import terminal
import toolchain
from loader import PARALLEL, Script, items

TURN = ["turn/start", "step/start", "assistant/message", "tool/call", "todo/write", "tool/result", "step/end", "turn/end"]


class CallTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.sessions = self.directory / "sessions"
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(PARALLEL)

    def call(self, text, *more, session="s", tool="todo_write", **options):
        return loader.run("call", tool, text, "--session", session, "--sessions", self.sessions, "--composition", self.composition, *more,
                          **options)

    def write(self, list, *more, **options):
        return self.call(json.dumps({"todos": items(list)}), *more, **options)

    def log(self):
        (path,) = self.sessions.glob("*/*/session.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def plan(self, session="s"):
        done = loader.run("plan", "--session", session, "--sessions", self.sessions, "--composition", self.composition, "--json")
        return json.loads(done.stdout)["todos"]


class ForPeople(CallTest):
    """At a terminal, what became of the plan stands below what the model would see."""

    def at_terminal(self, text, columns=80):
        command = [build.LOADER, "call", "todo_write", text, "--session", "s", "--sessions", self.sessions, "--composition", self.composition]
        status, lines = terminal.on_terminal(command, columns=columns)
        return status, [terminal.bare(line) for line in lines]

    def write_at_terminal(self, list, **options):
        status, (text, *rows) = self.at_terminal(json.dumps({"todos": items(list)}), **options)
        self.assertEqual((status, text[:18]), (0, "Updated todo list:"))
        return rows

    def test_a_row_names_the_first_active_item_and_counts_the_others(self):
        self.write("a:i")
        self.assertEqual(self.write_at_terminal("Read:c, Watch:i, Build:i, Test:i, Write:p"), ["1/5 completed · Watch +2"])
        self.assertEqual(self.write_at_terminal("Read:c, Write:p"), ["1/2 completed"])
        self.assertEqual(self.write_at_terminal(""), ["0/0 completed"])

    def test_of_a_new_session_it_is_told_where_it_is_kept(self):
        self.assertEqual(self.write_at_terminal("a:i", columns=200)[1:], [f"new session s, kept under {self.sessions}"])

    def test_the_number_of_the_others_is_never_clipped(self):
        self.write("a:i")
        text = json.dumps({"todos": items("a rather long first active item:i, b:i, c:i")})
        for columns in (16, 30, 40):
            row = self.at_terminal(text, columns=columns)[1][-1]
            self.assertTrue(row.endswith("… +2"), row)
            self.assertLessEqual(terminal.width(row), columns)

    def test_contents_are_data(self):
        self.write("a:i")
        (row,) = self.write_at_terminal("first\nsecond \x1b[2J\u202ered:i")
        self.assertEqual(row, "0/1 completed · first↵second \\x1b[2J\\u202ered")

    def test_a_refused_call_has_no_row(self):
        self.write("a:i")
        for text in ("{}", '{"todos":"[]"}', "{'todos':[]}", '{"todos":null}'):
            status, lines = self.at_terminal(text)
            self.assertEqual((status, len(lines), lines[0][:7]), (1, 1, "Error: "), text)


class Turns(CallTest):
    def test_it_prints_what_the_model_would_see(self):
        done = self.write("a:c, b:i")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"Updated todo list: 0 pending, 1 in progress, 1 completed.\n", b""))
        self.assertEqual(self.plan(), items("a:c, b:i"))

    def test_it_logs_a_whole_turn(self):
        self.write("a:i")
        header, *events = self.log()
        self.assertEqual([event["type"] for event in events], TURN)
        self.assertEqual([event["seq"] for event in events], list(range(8)))
        start, step, message, call, write, result, step_end, turn_end = [event["data"] for event in events]
        self.assertEqual((start, step, step_end), ({"turn": 1}, {"turn": 1, "step": 1}, {"turn": 1, "step": 1}))
        self.assertEqual(turn_end, {"turn": 1, "reason": {"kind": "completed"}})
        self.assertEqual((call["turn"], call["step"], call["name"], call["arguments"]), (1, 1, "todo_write", json.dumps({"todos": items("a:i")})))
        self.assertEqual(write, {"todos": items("a:i")})

    def test_messages_have_the_shape_that_readers_insist_on(self):
        self.write("a:i")
        _, _, _, message, call, _, result, *_ = self.log()
        call_id = call["data"]["callId"]
        said = message["data"]["message"]
        self.assertEqual((message["data"]["turn"], message["data"]["step"], said["role"]), (1, 1, "assistant"))
        self.assertEqual(said["content"], [{"type": "tool-call", "id": call_id, "name": "todo_write", "arguments": call["data"]["arguments"]}])
        self.assertEqual(said["source"]["kind"], "model")
        self.assertTrue(said["source"]["provider"] and said["source"]["model"])
        heard = result["data"]["message"]
        self.assertEqual((heard["role"], heard["source"]), ("user", {"kind": "tool", "callId": call_id}))
        self.assertEqual(heard["content"], [{"type": "tool-result", "toolCallId": call_id, "isError": False, "content": [
            {"type": "text", "text": "Updated todo list: 0 pending, 1 in progress, 0 completed."}]}])
        self.assertNotIn("error", result["data"])
        for id in (said["id"], heard["id"]):
            self.assertEqual(str(uuid.UUID(id)), id)
        self.assertEqual((result["sourceEventSeqs"], result["surfaceOp"], message["surfaceOp"]), ([call["seq"]], "append", "append"))

    def test_each_call_is_a_turn_of_its_own(self):
        for _ in range(3):
            self.write("a:i")
        turns = [event["data"]["turn"] for event in self.log() if event["type"] == "turn/start"]
        self.assertEqual(turns, [1, 2, 3])

    def test_a_refused_call_is_logged_and_clears_the_former_plan(self):
        self.write("a:i")
        done = self.call('{"todos":"x"}')
        self.assertEqual((done.returncode, done.stdout), (1, b'Error: invalid arguments: "todos" must be an array\n'))
        self.assertIsNone(self.plan())
        result = [event for event in self.log() if event["type"] == "tool/result"][-1]["data"]
        self.assertIs(result["message"]["content"][0]["isError"], True)
        self.assertEqual(result["error"], {"message": 'invalid arguments: "todos" must be an array',
                                           "info": {"name": "ToolArgsError", "code": "INVALID_ARGS"}})
        self.assertEqual(self.log()[-1]["type"], "turn/end")

    def test_arguments_that_are_no_json_are_kept_raw(self):
        self.call("{'todos':[]}")
        self.assertEqual([event["data"]["arguments"] for event in self.log() if event["type"] == "tool/call"], ["{'todos':[]}"])
        self.assertEqual([event for event in self.log() if event["type"] == "todo/write"], [])

    def test_a_mistyped_tool_is_no_turn(self):
        for more in ((), ("--cwd", self.directory)):  # nor does it make a session, or a directory
            done = self.call("{}", *more, tool="todo_wite", session="new")
            self.assertEqual((done.returncode, done.stdout), (1, b'Error: unknown tool "todo_wite"\n'))
            self.assertFalse(self.sessions.exists())
        self.write("a:i")
        before = self.log()
        done = self.call("{}", "--json", tool="todo_wite")
        self.assertEqual((done.returncode, json.loads(done.stdout)["isError"]), (1, True))
        self.assertEqual((self.log(), self.plan()), (before, items("a:i")))

    def test_a_mistyped_tool_is_told_where_to_look(self):
        done = self.call("{}", "--plugins", build.PLUGINS, tool="todo_wite")
        self.assertEqual(done.stderr.decode(), 'loader-sample: there is no tool "todo_wite": nothing was called, and no session changed; '
                         f"loader-sample tools --composition {self.composition} --plugins {build.PLUGINS} lists those that are there\n")

    def test_the_session_belongs_to_its_directory(self):
        self.assertEqual(self.write("a:i", "--cwd", "/home/u/My Proj:x").returncode, 0)
        self.assertTrue((self.sessions / "--home-u-My~0020Proj-x--" / "s" / "session.jsonl").is_file())
        self.assertEqual(self.log()[0]["cwd"], "/home/u/My Proj:x")
        done = self.write("b:i", "--cwd", "/elsewhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"/home/u/My Proj:x", done.stderr)
        self.assertEqual(self.write("b:i").returncode, 0)  # without --cwd it is found wherever it lies

    def test_the_user_alone_may_read_it(self):
        self.write("a:i")
        (path,) = self.sessions.glob("*/*/session.jsonl")
        self.assertEqual([oct(p.stat().st_mode & 0o777) for p in (path, path.parent, path.parent.parent)], ["0o600", "0o700", "0o700"])


class Input(CallTest):
    def test_arguments_from_standard_input(self):
        done = self.call("-", input=json.dumps({"todos": items("a:i")}))
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.plan(), items("a:i"))

    def test_no_arguments_are_empty_ones(self):
        done = loader.run("call", "todo_write", "--session", "s", "--sessions", self.sessions, "--composition", self.composition)
        self.assertEqual(done.stdout, b'Error: invalid arguments: missing required property "todos"\n')
        self.assertEqual([event["data"]["arguments"] for event in self.log() if event["type"] == "tool/call"], ["{}"])
        # A tool that takes an empty text for no object hears an object too.
        titles = self.directory / "titles.c"
        titles.write_text(markdown.snippet((build.SOURCE / "host-api" / "README.md").read_text(), "c", "plugin"))
        toolchain.build_plugin(self, titles, self.directory / "titles.so")
        self.composition.write_text("- name: ./titles\n")
        done = loader.run("call", "session_title", "--session", "s", "--sessions", self.sessions, "--composition", self.composition)
        self.assertEqual((done.returncode, done.stdout), (0, b"This is s\n"), done)
        self.assertEqual(self.call("", tool="session_title").stdout, b"Error: the arguments must be an object\n", "given, it is kept")

    def test_bytes_that_are_no_utf8_are_refused_and_never_stored(self):
        done = self.call("-", input=b'{"todos":[{"content":"\xff\xfe","status":"pending"}]}')
        self.assertEqual(done.returncode, 1)
        self.log()  # every line parses
        self.assertIsNone(self.plan())

    def test_ids_are_data(self):
        for id in ("../../escape", "a/b", "\U0001f600", "~", "..", "CON", "x" * 200):
            with self.subTest(id=id):
                self.assertEqual(self.write("a:i", session=id).returncode, 0)
                self.assertEqual(self.plan(id), items("a:i"))
        self.assertEqual([path.name for path in self.directory.iterdir() if path.name not in ("sessions", "c.yaml")], [])
        self.assertEqual(self.write("a:i", session="x" * 300).returncode, 2)


class Shapes(CallTest):
    def test_json_of_a_success(self):
        result = json.loads(self.write("a:i", "--json").stdout)
        self.assertEqual(result, {"isError": False, "content": [{"type": "text", "text": "Updated todo list: 0 pending, 1 in progress, 0 completed."}],
                                  "value": {"todos": items("a:i"), "counts": {"pending": 0, "inProgress": 1, "completed": 0}}})

    def test_json_of_a_failure(self):
        done = self.call("{}", "--json")
        message = 'invalid arguments: missing required property "todos"'
        self.assertEqual((done.returncode, json.loads(done.stdout)), (1, {
            "isError": True, "error": {"message": message, "info": {"name": "ToolArgsError", "code": "INVALID_ARGS"}},
            "content": [{"type": "text", "text": "Error: " + message}]}))

    def test_without_an_agent_nothing_is_logged(self):
        done = loader.run("call", "todo_write", json.dumps({"todos": items("a:i")}), "--no-agent", "--sessions", self.sessions, "--composition", self.composition)
        self.assertEqual((done.returncode, done.stdout), (1, b"Error: todo_write requires an owning agent session\n"))
        self.assertFalse(self.sessions.exists())

    def test_in_memory_nothing_is_on_disk(self):
        home = self.directory / "home"
        done = loader.run("call", "todo_write", '{"todos":[]}', "--memory", "--composition", self.composition, env=loader.environment(home))
        self.assertEqual((done.returncode, home.exists()), (0, False))


class Disk(CallTest):
    def limited(self, size):
        """Lets no file of the process grow beyond `size` bytes."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        return subprocess.run([str(build.LOADER), "call", "todo_write", json.dumps({"todos": items("b:i")}), "--session", "s", "--sessions",
                               str(self.sessions), "--composition", str(self.composition)],
                              capture_output=True, preexec_fn=limit, env=loader.environment())

    def test_a_place_where_nothing_can_be_made_is_an_error(self):
        done = loader.run("call", "todo_write", '{"todos":[]}', "--session", "s", "--sessions", "/proc/nowhere/sessions", "--composition", self.composition)
        self.assertEqual((done.returncode, done.stdout), (2, b""), done)
        self.assertIn(b"loader-sample: can't make the directory /proc/nowhere", done.stderr)

    def test_a_full_disk_is_an_error_at_every_point_and_leaves_a_sound_log(self):
        self.write("a:i")
        (path,) = self.sessions.glob("*/*/session.jsonl")
        before = path.read_bytes()
        statuses = set()
        seen = set()
        for room in range(0, 2400, 75):
            with self.subTest(room=room):
                path.write_bytes(before)
                done = self.limited(len(before) + room)
                statuses.add(done.returncode)
                self.assertIn(done.returncode, (0, 2), done)
                counts = done.stdout.startswith(b"Updated")
                self.assertEqual(self.plan() == items("b:i"), counts, done)
                written = [json.loads(line)["type"] for line in path.read_bytes().splitlines()[len(before.splitlines()):]]
                lacks = [type for type in ("tool/result", "turn/end") if type not in written] if counts else []
                self.assertEqual(done.returncode, 2 if lacks or not counts else 0, done)
                self.assertEqual(b"lacks its result and the end of its turn" in done.stderr, "tool/result" in lacks, done)
                self.assertEqual(b"lacks the end of its turn" in done.stderr, lacks == ["turn/end"], done)
                seen.add(tuple(lacks))
                if done.returncode == 2:
                    self.assertEqual((done.stdout == b"", done.stderr.count(b"\n")), (not counts, 1), done)
                audit = json.loads(loader.run("audit", path, "--json", "--composition", self.composition).stdout)
                self.assertIs(audit["files"][0]["ok"], True, audit)
                self.assertEqual(self.write("c:c").returncode, 0)
                self.assertEqual(self.plan(), items("c:c"))
        self.assertGreater(len(statuses), 1, statuses)
        self.assertEqual(seen, {(), ("turn/end",), ("tool/result", "turn/end")})

    def test_a_disk_that_refuses_is_no_error_of_the_tool_in_a_new_session_either(self):
        statuses = set()
        for room in range(0, 3000, 150):
            with self.subTest(room=room):
                done = self.limited(room)
                statuses.add(done.returncode)
                self.assertIn(done.returncode, (0, 2), done)
                if done.returncode == 2 and not done.stdout:
                    self.assertRegex(done.stderr.decode(), r"^loader-sample: .*session\.jsonl.*File too large; nothing was logged: [^\n]+\n$")
                    self.assertEqual(list(self.sessions.glob("*/*/*")), [], "nothing is left behind")
                else:
                    self.assertEqual(b"the call counts, but the log lacks" in done.stderr, done.returncode == 2, done)
                    shutil.rmtree(self.sessions)
        self.assertEqual(statuses, {0, 2})

    def test_a_session_that_another_process_writes_is_refused_naming_it(self):
        with Script(sessions=self.sessions) as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            done = self.write("a:i")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr.decode(), rf"\b{script.process.pid}\b")
            self.assertIs(script.call(items("a:p"), session="s")["isError"], False)
        self.assertEqual(self.write("a:i").returncode, 0)

    def test_of_first_calls_at_once_each_counts_or_names_who_writes(self):
        command = [build.LOADER, "call", "todo_write", "-", "--session", "s", "--composition", self.composition, "--sessions"]
        for round in range(6):
            sessions = self.directory / f"round {round}"
            calls = [subprocess.Popen([*map(str, command), str(sessions)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, env=loader.environment()) for _ in range(6)]
            for call in calls:  # each waits for its arguments
                call.stdin.write(json.dumps({"todos": items("a:i")}).encode())
            for call in calls:
                call.stdin.close()
            errors = [call.stderr.read().decode() for call in calls]
            for call in calls:
                call.stdout.close()
                call.stderr.close()
            statuses = [call.wait(60) for call in calls]
            for status, error in zip(statuses, errors):
                self.assertIn(status, (0, 2), error)
                if status == 2:
                    self.assertRegex(error, r"is being written by (process \d+|another process); wait for it to end")
            (log,) = sessions.glob("*/s/session.jsonl")
            types = [json.loads(line)["type"] for line in log.read_text().splitlines()]
            self.assertEqual(types.count("todo/write"), statuses.count(0))
            self.assertGreater(statuses.count(0), 0)

    def test_a_damaged_log_is_left_as_it_is_and_who_tells_more_is_named(self):
        self.write("a:i")
        (path,) = self.sessions.glob("*/*/session.jsonl")
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:3]) + b"garbage\n" + b"".join(lines[4:]))
        damaged = path.read_bytes()
        done = self.write("b:i")
        self.assertEqual((done.returncode, done.stdout, path.read_bytes()), (2, b"", damaged))
        self.assertRegex(done.stderr.decode(), rf"corrupt session log: .*\({path}\); loader-sample audit {path} --composition {self.composition} tells all")

    def test_a_place_that_cannot_be_written(self):
        blocked = self.directory / "file"
        blocked.touch()
        done = loader.run("call", "todo_write", '{"todos":[]}', "--session", "s", "--sessions", blocked, "--composition", self.composition)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertRegex(done.stderr, rb"Not a directory|File exists")


if __name__ == "__main__":
    unittest.main()
