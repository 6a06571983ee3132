"""The plan as the MCP server's resource: read, told of, and shared with the processes before it and beside it."""
import errno
import json
import os
import resource
import shutil
import signal
import time
import unittest

import build
import links
import loader
import processes
import refused_calls
from loader import items
from mcp import PING, PLAN, PONG, UPDATED, Mcp, McpTest, code, request, write_call


class Plan(McpTest):
    def test_the_plan_is_read_as_json_and_as_a_checklist(self):
        server = self.durable()
        server.initialize()
        (resource,) = server.ask("resources/list")["result"]["resources"]
        self.assertEqual(resource["uri"], PLAN)
        self.assertIsNone(server.plan())
        server.write(("a", "completed"), ("b *c*", "in_progress"))
        json_form, markdown = server.ask("resources/read", {"uri": PLAN})["result"]["contents"]
        self.assertEqual((json_form["mimeType"], markdown["mimeType"]), ("application/json", "text/markdown"))
        self.assertEqual(json.loads(json_form["text"]), {"todos": [{"content": "a", "status": "completed"},
                                                                   {"content": "b *c*", "status": "in_progress"}]})
        self.assertEqual(markdown["text"], "- [x] a\n- [ ] b \\*c\\* *(in progress)*\n")

    def test_another_resource_is_unknown(self):
        server = self.server()
        server.initialize()
        for method in ("resources/read", "resources/subscribe", "resources/unsubscribe"):
            self.assertEqual(code(server.ask(method, {"uri": "todo://other"})), -32002)
            self.assertEqual(code(server.ask(method)), -32602)

    def test_a_subscriber_hears_of_every_change(self):
        server = self.durable()
        server.initialize()
        server.write(("a", "pending"))
        self.assertEqual(server.ask("resources/subscribe", {"uri": PLAN}), PONG)
        for _ in range(2):
            self.assertFalse(server.write(("a", "completed"))["isError"])
            self.assertEqual(server.read(), UPDATED, "an equal list is a change, too")
        self.assertTrue(server.ask("tools/call", {"name": "todo_write", "arguments": {}})["result"]["isError"])
        self.assertEqual(server.ask("resources/unsubscribe", {"uri": PLAN}), PONG)
        server.write(("b", "pending"))
        self.assertEqual(server.end(), (0, []))

    def assert_hears_of_another(self, server, **options):
        """The subscriber is told of each write of another process."""
        with Mcp(sessions=self.directory / "sessions", **options) as other:
            other.initialize()
            for content in "ab":
                other.write((content, "pending"))
                self.assertEqual(server.read(), UPDATED)
                self.assertEqual(server.plan(), [{"content": content, "status": "pending"}])
            other.end()

    def test_a_subscriber_hears_of_another_process(self):
        server = self.durable()
        server.initialize()
        self.assertEqual(server.ask("resources/subscribe", {"uri": PLAN}), PONG)
        self.assert_hears_of_another(server)
        self.assertEqual(server.read(timeout=0.3), None, "the end of a turn changes nothing")

    def test_a_subscriber_hears_of_another_process_where_the_kernel_tells_of_nothing(self):
        for call, error in (("inotify_init1", errno.EMFILE), ("inotify_add_watch", errno.ENOSPC)):
            with self.subTest(call):
                server = self.subscribed(session=call, prepare=refused_calls.refusing(call, error))
                self.assert_hears_of_another(server, session=call)
                for content in "cd":  # its own it tells at once
                    server.send(write_call([(content, "pending")]), PING)
                    self.assertEqual([server.read().get("id"), server.read(), server.read()], [1, UPDATED, PONG])
                self.assertEqual(server.end(), (0, []))

    def subscribed(self, **options):
        server = self.durable(**options)
        server.initialize()
        self.assertEqual(server.ask("resources/subscribe", {"uri": PLAN}), PONG)
        return server

    def hear(self, server, todos):
        """Reads the plan whenever the server tells of a change, until it is this one; None: none."""
        wanted = None if todos is None else items(todos)
        self.hear_until(server, lambda answer: "result" in answer and json.loads(answer["result"]["contents"][0]["text"])["todos"] == wanted)

    def hear_error(self, server):
        """The same, until it can't be read."""
        return self.hear_until(server, lambda answer: "error" in answer)

    def hear_until(self, server, is_it):
        while True:
            self.assertEqual(server.read(), UPDATED)
            server.send(request("resources/read", {"uri": PLAN}))
            while (answer := server.read()) == UPDATED:
                pass
            if is_it(answer):
                return answer

    def call(self, list, **options):
        done = loader.run("call", "todo_write", json.dumps({"todos": items(list)}), "--session", "s", "--sessions",
                          self.directory / "sessions", "--composition", self.composition,
                          *(word for key, value in options.items() for word in ("--" + key, value)))
        self.assertEqual(done.returncode, 0, done)

    def setUp(self):
        super().setUp()
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(loader.PARALLEL)
        self.log = self.directory / "sessions" / "_no-cwd" / "s" / "session.jsonl"

    @unittest.skipIf(build.SANITIZER, "a sanitizer takes what address space it wants")
    def test_a_plan_for_which_memory_runs_out_is_an_error_of_that_read(self):
        self.call("old:i")
        events = self.log.read_bytes()
        seq = events.count(b"\n") - 1
        standing = [{"content": "x" * (20 << 20), "status": "pending"}]
        with open(self.log, "ab") as log:
            log.write(json.dumps({"type": "todo/write", "seq": seq, "time": 1, "data": {"todos": standing}}, separators=(",", ":")).encode() + b"\n")
        refused = 0
        for megabytes in range(4, 100, 12):
            server = self.durable(session="s")
            server.initialize()
            limit = (processes.memory(server.process.pid, "VmSize") << 10) + (megabytes << 20)
            resource.prlimit(server.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            answer = server.ask("resources/read", {"uri": PLAN})
            resource.prlimit(server.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            if "error" in answer:
                self.assertIn("out of memory", answer["error"]["message"])
                refused += 1
                self.assertEqual(server.plan(), standing)
            else:
                self.assertEqual(json.loads(answer["result"]["contents"][0]["text"])["todos"], standing)
            server.end()
        self.assertGreater(refused, 0)

    def test_a_subscriber_hears_of_a_log_that_is_rewritten_in_its_place(self):
        """Whether it still ends with the same line, and whether more follows."""
        self.call("a:i")
        server = self.subscribed()
        self.assertEqual(server.plan(), items("a:i"))
        for old, new, more in ((b"a", b"b", b""), (b"b", b"c", b'{"type":"session/title","seq":8,"time":1,"data":{}}\n')):
            server.process.send_signal(signal.SIGSTOP)
            with self.log.open("r+b") as log:
                text = log.read()
                log.seek(0)
                log.write(text.replace(b'"content":"%s"' % old, b'"content":"%s"' % new) + more)
            server.process.send_signal(signal.SIGCONT)
            self.hear(server, new.decode() + ":i")

    def test_a_subscriber_hears_of_a_log_that_is_replaced_damaged_and_repaired(self):
        self.call("a:i")
        server = self.subscribed()
        bytes = self.log.read_bytes()
        new = self.directory / "new"
        new.write_bytes(bytes.replace(b'"content":"a"', b'"content":"b"'))
        new.replace(self.log)
        self.hear(server, "b:i")
        self.log.write_bytes(bytes.replace(b'"type":"todo/write"', b'garbage'))
        self.assertIn("corrupt session log", self.hear_error(server)["error"]["message"])
        self.log.write_bytes(bytes)
        self.hear(server, "a:i")
        self.log.write_bytes(bytes.rsplit(b"\n", 2)[0] + b'\n{"type":"todo/wri')
        self.call("c:p")  # which repairs it first
        self.hear(server, "c:p")

    def while_asleep(self, server, *changes):
        """Changes that the server can look at only when all are done."""
        server.process.send_signal(signal.SIGSTOP)
        for change in changes:
            change()
        server.process.send_signal(signal.SIGCONT)

    def remove(self):
        shutil.rmtree(self.log.parent)

    def test_a_subscriber_hears_of_a_log_that_is_made_anew_at_once(self):
        self.call("a:i")
        server = self.subscribed()
        self.while_asleep(server, self.remove, lambda: self.call("b:i"))
        self.hear(server, "b:i")
        self.while_asleep(server, self.remove)
        self.hear(server, None)

    def test_a_subscriber_hears_of_the_session_whatever_project_it_comes_to_lie_in(self):
        server = self.subscribed()
        self.call("a:i", cwd="/home/one")
        self.hear(server, "a:i")
        self.assertFalse(server.write(("b", "pending"))["isError"])
        (log,) = (self.directory / "sessions").glob("*/s/session.jsonl")
        self.assertIn(b'"content":"b"', log.read_bytes())
        self.hear(server, "b:p")
        server.end()
        server = self.subscribed()
        self.while_asleep(server, lambda: self.log.parent.mkdir(parents=True),
                          lambda: self.log.write_bytes(log.read_bytes().replace(b'"cwd":"/home/one",', b"")))
        self.assertIn("two project directories", self.hear_error(server)["error"]["message"])
        shutil.rmtree(log.parent)
        self.hear(server, "b:p")

    def test_a_log_that_readers_refuse_is_refused_to_a_subscriber_too(self):
        project = self.log.parent.parent.with_name("--x--")

        def move():
            project.mkdir()
            self.log.parent.rename(project / "s")

        def change_the_header():
            with self.log.open("r+b") as log:
                text = log.read()
                seq = text.count(b"\n") - 1
                log.write(b'{"type":"session/title","seq":%d,"time":1,"data":{}}\n' % seq)
                log.seek(0)
                log.write(text.replace(b'"id":"s"', b'"id":"t"', 1))

        for change in (move, change_the_header):
            with self.subTest(way=change.__name__):
                shutil.rmtree(self.directory / "sessions", ignore_errors=True)
                self.call("a:i")
                server = self.subscribed()
                self.while_asleep(server, change)
                self.assertIn("which belongs in", self.hear_error(server)["error"]["message"])
                self.assertEqual(server.end()[0], 0)

    def ways_to_lose_a_log(self):
        """Each with what the plan is then."""
        def replace():
            new = self.directory / "new"
            new.write_bytes(self.log.read_bytes().replace(b'"content":"own"', b'"content":"other"'))
            new.replace(self.log)

        def cut():
            with self.log.open("r+b") as log:
                log.truncate(len(log.readline()))

        def make_anew():
            self.remove()
            self.call("new:i")

        def move_to_a_project():
            self.remove()
            self.call("new:i", cwd="/home/one")

        return [(self.remove, None), (replace, "other:p"), (cut, None), (make_anew, "new:i"), (move_to_a_project, "new:i")]

    def test_a_server_whose_log_is_gone_or_another_is_as_a_fresh_one(self):
        for lose, then in self.ways_to_lose_a_log():
            with self.subTest(way=lose.__name__):
                shutil.rmtree(self.directory / "sessions", ignore_errors=True)
                server = self.subscribed()
                self.assertFalse(server.write(("own", "pending"))["isError"])
                self.hear(server, "own:p")
                self.while_asleep(server, lose)
                self.hear(server, then)
                self.assertEqual(server.plan(), items(then) if then is not None else None)
                result = server.write(("next", "pending"))
                self.assertFalse(result["isError"], result)
                self.hear(server, "next:p")
                self.assertEqual(server.end()[0], 0, server.stderr())
                (log,) = (self.directory / "sessions").glob("*/s/session.jsonl")
                self.assertEqual(json.loads(log.read_bytes().splitlines()[-1])["type"], "turn/end")
                done = loader.run("plan", "--json", "--session", "s", "--sessions", self.directory / "sessions", "--composition", self.composition)
                self.assertEqual(json.loads(done.stdout)["todos"], items("next:p"))

    def things_in_the_place_of_a_log(self):
        """What others may put there, or above it, each by a name."""
        def at(place, put):
            place.rename(place.with_name("former"))
            put(place)

        for name, put in {"nothing": lambda place: None, "a directory": lambda place: place.mkdir(), "a pipe": os.mkfifo,
                          "another file": lambda place: place.write_text("other"),
                          "a link to nothing": lambda place: place.symlink_to("nothing"),
                          "a link to itself": lambda place: place.symlink_to(place.name)}.items():
            for place in (self.log, self.log.parent, self.log.parent.parent):
                yield f"{name} as {place.name}", lambda: at(place, put)

    def test_a_server_whose_log_others_have_taken_away_ends_well(self):
        for name, take in self.things_in_the_place_of_a_log():
            with self.subTest(name):
                shutil.rmtree(self.directory / "sessions", ignore_errors=True)
                server = self.durable()
                server.initialize()
                server.write(("a", "pending"))
                take()
                self.assertEqual((server.end(), server.stderr()), ((0, []), ""))

    def test_a_server_whose_disk_refuses_the_end_of_the_turn_says_so(self):
        server = self.durable()
        server.initialize()
        server.write(("a", "pending"))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (self.log.stat().st_size, resource.RLIM_INFINITY))
        self.assertEqual(server.end(), (2, []))
        self.assertIn("File too large", server.stderr())
        self.assertEqual(server.stderr().count("\n"), 1)

    def test_a_log_that_another_process_writes_in_the_place_of_ours_is_left_to_it(self):
        server = self.subscribed()
        server.write(("a", "pending"))
        self.hear(server, "a:p")
        self.while_asleep(server, self.remove)
        self.hear(server, None)
        with Mcp(sessions=self.directory / "sessions") as other:
            other.initialize()
            other.write(("b", "pending"))
            self.hear(server, "b:p")
            result = server.write(("c", "pending"))
            self.assertTrue(result["isError"])
            self.assertIn(str(other.process.pid), result["content"][0]["text"])
            other.end()
        self.assertFalse(server.write(("c", "pending"))["isError"])

    def test_a_subscriber_hears_of_a_log_behind_a_link_and_of_where_links_lead(self):
        """The link is the log, or any directory above it."""
        for above, place in enumerate([self.log, *self.log.parents[:3]]):
            self.call("a:p")
            there, copy = self.directory / f"there-{above}", self.directory / f"copy-{above}"
            links.move_behind_link(place, there)
            with self.subTest(place=place):
                server = self.subscribed()
                self.assertEqual(server.plan(), items("a:p"))
                self.call("b:p")
                self.hear(server, "b:p")
                links.copy_changed(there, copy, b'"content":"b"', b'"content":"c"')
                self.assertTrue(processes.comes_to_rest(lambda: processes.switches(server.process.pid)))
                links.lead(place, copy)
                self.hear(server, "c:p")
                self.call("d:p")
                self.hear(server, "d:p")
                self.assertFalse(server.write(("e", "pending"))["isError"])
                self.assertIn(b'"content":"e"', (copy if copy.is_file() else next(copy.rglob("session.jsonl"))).read_bytes())
                server.end()

    def after_a_plan(self, **options):
        """A server that finds the plan which one before it, with these options, has left."""
        with Mcp(sessions=self.directory / "sessions", **options) as server:
            server.initialize()
            server.write(("a", "in_progress"))
            server.end()
        server = self.durable()
        server.initialize()
        self.assertEqual(server.plan(), [{"content": "a", "status": "in_progress"}])
        return server

    def test_a_turn_that_starts_without_a_plan_is_no_change(self):
        with loader.Script(sessions=self.directory / "sessions") as other:
            other.ok("session/create", session="s")
            other.ok("session/append", session="s", type="turn/start", data={})
            server = self.durable()
            server.initialize()
            self.assertEqual(server.ask("resources/subscribe", {"uri": PLAN}), PONG)
            for type in ("turn/end", "turn/start") * 3:
                other.ok("session/append", session="s", type=type, data={})
                time.sleep(0.05)  # each may be looked at alone
                self.assertEqual(server.ask("ping"), PONG)
            other.call([{"content": "a", "status": "pending"}], session="s")
            self.assertEqual(server.read(), UPDATED)
            self.assertEqual(server.plan(), [{"content": "a", "status": "pending"}])

    def test_of_a_log_that_grows_a_subscriber_reads_what_came(self):
        with loader.Script(sessions=self.directory / "sessions") as other:
            other.ok("session/create", session="s")
            other.ok("session/append", session="s", type="turn/start", data={})
            other.call([{"content": "a", "status": "pending"}], session="s")
            for _ in range(20):
                other.ok("session/append", session="s", type="goal/change", data={"text": "x" * 200_000})
            server = self.durable()
            server.initialize()
            self.assertEqual(server.ask("resources/subscribe", {"uri": PLAN}), PONG)
            self.assertEqual(server.plan(), [{"content": "a", "status": "pending"}])
            before = processes.bytes_read(server.process.pid)
            for i in range(20):
                other.ok("session/append", session="s", type="goal/change", data={"text": "more"})
                server.ask("ping")
            other.call([{"content": "b", "status": "pending"}], session="s")
            self.assertEqual(server.read(), UPDATED)
            self.assertEqual(server.plan(), [{"content": "b", "status": "pending"}])
            self.assertLess(processes.bytes_read(server.process.pid) - before, 1_000_000, "less than the log once")

    def test_another_project_whose_directory_has_the_same_name_is_refused(self):
        with loader.Script(sessions=self.directory / "sessions", cwd="/home/one/two") as other:
            other.ok("session/create", session="s")
            other.ok("session/append", session="s", type="turn/start", data={})
            other.call([{"content": "secret", "status": "pending"}], session="s")
            server = self.durable(cwd="/home/one:two")
            server.initialize()
            answer = server.ask("resources/read", {"uri": PLAN})
            self.assertEqual(code(answer), -32603)
            for directory in ("/home/one/two", "/home/one:two"):
                self.assertIn(directory, answer["error"]["message"])

    def test_the_plan_outlives_the_process_and_clears_with_the_next_turn(self):
        server = self.after_a_plan()
        self.assertTrue(server.ask("tools/call", {"name": "todo_write", "arguments": {}})["result"]["isError"])
        self.assertIsNone(server.plan(), "the refused call has begun a turn")

    def test_beside_another_writer_reading_works_and_calls_name_him(self):
        writer = self.durable()
        writer.initialize()
        writer.write(("a", "pending"))
        server = self.durable()
        server.initialize()
        self.assertEqual(server.plan(), [{"content": "a", "status": "pending"}])
        result = server.write(("b", "pending"))
        self.assertTrue(result["isError"])
        self.assertIn(str(writer.process.pid), result["content"][0]["text"])
        self.assertEqual(writer.end(), (0, []))
        self.assertFalse(server.write(("b", "pending"))["isError"], "the session is free again")
        self.assertEqual(server.plan(), [{"content": "b", "status": "pending"}])

    def test_two_that_create_one_session_at_once(self):
        first, second = self.durable(), self.durable()
        for server in (first, second):
            server.initialize()
        for server in (first, second):
            server.send(write_call([("a", "pending")]))
        results = [first.read()["result"], second.read()["result"]]
        self.assertEqual(sorted(result["isError"] for result in results), [False, True], results)
        loser, winner = (first, second) if results[0]["isError"] else (second, first)
        self.assertIn(str(winner.process.pid), loser.write(("b", "pending"))["content"][0]["text"])

    def test_of_processes_that_begin_a_session_at_once_each_call_is_logged_or_names_the_writer(self):
        """Whatever the call does: one that appends nothing is logged as any other."""
        for round in range(6):
            servers = [self.durable(session=f"race-{round}") for _ in range(4)]
            for server in servers:
                server.initialize()
            for server in servers:
                server.send(request("tools/call", {"name": "todo_write", "arguments": {}}))
            texts = [server.read()["result"]["content"][0]["text"] for server in servers]
            self.assertEqual(sum("invalid arguments" in text for text in texts), 1, texts)
            for text in texts:
                self.assertRegex(text, "invalid arguments|is being written by process")
            for server in servers:
                server.end()
            types = [event["type"] for event in self.events(f"race-{round}")]
            self.assertEqual(types, ["turn/start", "step/start", "assistant/message", "tool/call", "tool/result", "step/end", "turn/end"])

    def test_a_damaged_log_is_told_and_not_touched(self):
        with Mcp(sessions=self.directory / "sessions") as server:
            server.initialize()
            server.write(("a", "pending"))
            server.end()
        (log,) = (self.directory / "sessions").glob("*/s/session.jsonl")
        lines = log.read_bytes().splitlines(keepends=True)
        damaged = b"".join(lines[:3]) + b"garbage\n" + b"".join(lines[4:])
        log.write_bytes(damaged)
        server = self.durable()
        server.initialize()
        result = server.write(("b", "pending"))
        self.assertTrue(result["isError"])
        self.assertIn("corrupt session log", result["content"][0]["text"])
        self.assertEqual(log.read_bytes(), damaged)
        self.assertEqual(server.ask("ping"), PONG)

    def test_a_session_of_a_project_is_found_without_naming_the_project(self):
        server = self.after_a_plan(cwd="/home/u/project")
        self.assertFalse(server.write(("b", "pending"))["isError"])
        self.assertEqual(len(list((self.directory / "sessions").glob("*/s/session.jsonl"))), 1)

    def test_without_a_name_the_session_is_that_of_the_directory(self):
        for folder in ("one", "two"):
            here = self.directory / folder
            here.mkdir()
            with Mcp(sessions=self.directory / "sessions", session=None, directory=here) as server:
                server.initialize()
                self.assertIsNone(server.plan())
                server.write((folder, "pending"))
                server.end()
        with Mcp(sessions=self.directory / "sessions", session=None, directory=self.directory / "one") as server:
            server.initialize()
            self.assertEqual(server.plan(), [{"content": "one", "status": "pending"}])


if __name__ == "__main__":
    unittest.main()
