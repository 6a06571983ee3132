"""How the MCP server ends, and what it stands while it serves: clients that leave, that read nothing, a
standard error that nobody reads.
"""
import contextlib
import json
import os
import pty
import resource
import signal
import socket
import subprocess
import threading
import time
import unittest

import build
import loader
import processes
from loader import items
from mcp import PING, PLAN, PONG, UPDATED, McpTest, code, request, write_call


@contextlib.contextmanager
def open_directory(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


class Ending(McpTest):
    def test_input_that_is_over_at_once_ends_it_at_once(self):
        server = self.server(stdin=subprocess.DEVNULL)
        self.assertEqual(server.process.wait(20), 0)

    def test_the_end_of_input_in_every_state(self):
        state = [request("initialize", {}), {"jsonrpc": "2.0", "method": "notifications/initialized"}, request("tools/list"),
                 request("resources/subscribe", {"uri": PLAN}), write_call([("a", "pending")])]
        for length in range(len(state) + 1):
            server = self.durable(session=f"s{length}")
            server.send(*state[:length])
            server.send_raw(b'{"torn')
            status, answers = server.end()
            self.assertEqual(status, 0)
            self.assertEqual(code(answers.pop() if answers[-1] != UPDATED else answers.pop(-2)), -32700)
        self.assertEqual(self.events("s5")[-1]["type"], "turn/end")

    def test_every_request_is_answered_before_the_end(self):
        server = self.durable()
        server.initialize()
        calls = [write_call([(str(i), "pending")], id=i) for i in range(200)]
        server.send(*calls)
        server.hang_up()
        status, answers = server.end()
        self.assertEqual((status, [answer["id"] for answer in answers]), (0, list(range(200))))

    def test_a_signal_ends_it_in_order(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            session = f"s{int(number)}"
            server = self.durable(session=session)
            server.initialize()
            server.write(("a", "pending"))
            server.process.send_signal(number)
            self.assertEqual(server.process.wait(20), 0)
            self.assertEqual(self.events(session)[-1]["type"], "turn/end")

    def test_a_killed_server_leaves_what_it_acknowledged(self):
        server = self.durable()
        server.initialize()
        server.write(("a", "in_progress"))
        server.process.kill()
        server.process.wait()
        again = self.durable()
        again.initialize()
        self.assertEqual(again.plan(), [{"content": "a", "status": "in_progress"}])

    def test_a_client_that_goes_without_its_answers(self):
        server = self.durable()
        server.initialize()
        server.process.stdout.close()
        try:
            server.send(*[write_call([("x" * 1000, "pending")], id=i) for i in range(50)])
        except BrokenPipeError:
            pass
        self.assertIn(server.process.wait(20), (0, 2))
        self.assertEqual(server.stderr().count("\n"), 1 if server.process.returncode == 2 else 0)

    def test_a_client_that_takes_nothing_is_left_after_five_seconds(self):
        server = self.durable()
        server.initialize()
        server.send(write_call([("x" * 1000 + str(i), "pending") for i in range(3000)]))
        before = time.monotonic()
        server.hang_up()
        self.assertEqual(server.process.wait(60), 2)
        self.assertGreaterEqual(time.monotonic() - before, 5)
        self.assertIn("for 5 seconds", server.stderr())
        self.assertEqual(self.events()[-1]["type"], "turn/end", "the log is closed all the same")

    def test_a_client_that_never_reads_cannot_fill_our_memory(self):
        server = self.server()
        server.initialize()
        server.write(*((f"{i} " + "m" * 1000, "pending") for i in range(2000)))
        ask = (json.dumps(request("resources/read", {"uri": PLAN})) + "\n").encode()
        taken = 0

        def talk():
            nonlocal taken
            try:
                for _ in range(100_000):
                    server.send_raw(ask)
                    taken += 1
            except (BrokenPipeError, ValueError):
                pass

        talker = threading.Thread(target=talk, daemon=True)
        talker.start()
        self.assertTrue(processes.comes_to_rest(lambda: taken, still=2, within=60))
        self.assertTrue(talker.is_alive(), "it should have stopped reading")
        if not build.SANITIZER:
            self.assertLess(processes.memory(server.process.pid, "VmHWM"), 300_000, "kilobytes")
        self.assertEqual(server.read()["id"], 1, "and it is there when the client reads")
        server.process.kill()
        talker.join()

    @unittest.skipIf(build.SANITIZER, "a sanitizer takes what address space it wants")
    def test_a_call_for_which_memory_runs_out_is_an_error_and_the_server_goes_on(self):
        call = write_call([("x" * 5000 + str(i), "pending") for i in range(1000)], id=7)
        outcomes = set()
        for megabytes in (1, 4, 8, 12, 16, 20, 24, 28, 32, 256):
            server = self.durable(session=f"s{megabytes}")
            server.initialize()
            server.write(("before", "pending"))
            limit = (processes.memory(server.process.pid, "VmSize") << 10) + (megabytes << 20)
            resource.prlimit(server.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            writer = threading.Thread(target=server.send, args=(call, PING))
            writer.start()
            answer = server.read()
            self.assertEqual(server.read(), PONG)
            writer.join()
            resource.prlimit(server.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            if "error" in answer:
                self.assertEqual((code(answer), answer["id"] in (7, None)), (-32603, True))
                self.assertIn("out of memory", answer["error"]["message"])
                outcomes.add("no line" if answer["id"] is None else "no answer")
            else:
                self.assertEqual(answer["id"], 7)
                outcomes.add("tool's error" if answer["result"]["isError"] else "done")
                self.assertEqual(len(server.plan()), 1 if answer["result"]["isError"] else 1000)
            self.assertFalse(server.write(("after", "pending"))["isError"])
            self.assertEqual(server.plan(), items("after:p"))
            self.assertEqual(server.end(), (0, []), server.stderr())
            audit = loader.run("audit", self.directory / "sessions", "--json")
            self.assertEqual(audit.returncode, 0, audit.stdout)
        self.assertIn("no line", outcomes)
        self.assertIn("done", outcomes)
        self.assertGreater(len(outcomes), 2, outcomes)

    def test_stderr_need_not_be_read(self):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(writer, True)
        server = self.server(stderr=writer, args=["--log-level", "debug"])
        os.close(writer)
        server.send("Content-Length: 5", *["Content-Length: 5"] * 100, PING)
        self.assertEqual(server.read(), PONG)
        self.assertEqual(server.end()[0], 0)
        os.close(reader)

    def test_a_socket_for_stderr_is_given_back_as_it_was(self):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            server = self.server(stderr=theirs)
            self.assertEqual(server.end()[0], 0)
            self.assertTrue(os.get_blocking(theirs.fileno()))

    def test_whoever_starts_it_by_hand_is_told_what_it_is_for(self):
        master, slave = pty.openpty()
        server = self.durable(stdin=slave)
        os.close(slave)
        while "Ctrl-D" not in server.stderr() and server.process.poll() is None:
            time.sleep(0.02)
        self.assertIn("loader-sample plan --session s --watch", server.stderr())
        os.write(master, b"\x04")
        self.assertEqual(server.process.wait(20), 0)
        os.close(master)

    def test_a_client_hears_nothing_on_stderr(self):
        server = self.durable()
        server.initialize()
        self.assertEqual((server.end(), server.stderr()), ((0, []), ""))

    def test_a_plugin_that_prints_to_stdout_disturbs_nothing(self):
        server = self.server(composition="- name: chatty\n", plugins=[build.BUILD / "tests" / "e2e" / "plugins"])
        server.initialize()
        answer = server.ask("tools/call", {"name": "chat", "arguments": {"a": 1}})
        self.assertEqual(answer["result"]["content"][0]["text"], '{"a": 1}')
        self.assertEqual(server.end(), (0, []))

    def intruder(self, config="null"):
        return self.server(composition=f"- name: intruder\n  config: {config}\n", plugins=[build.BUILD / "tests" / "e2e" / "plugins"])

    @staticmethod
    def reach(what):
        return request("tools/call", {"name": "reach", "arguments": {"do": what}})

    def hanging(self):
        server = self.intruder()
        server.initialize()
        server.send(self.reach("hang"))
        self.assertTrue(processes.comes_to_rest(lambda: processes.switches(server.process.pid)))
        return server

    def test_an_answer_does_not_wait_for_the_lines_behind_it(self):
        server = self.intruder()
        server.send(request("initialize", {}), PING, self.reach("hang"), PING)
        self.assertIn("result", server.read())
        self.assertEqual(server.read(), PONG)

    def test_a_signal_leaves_the_lines_behind_the_one_at_work_unanswered(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            server = self.intruder()
            server.initialize()
            server.send(self.reach("wait"), PING, PING)
            self.assertTrue(processes.comes_to_rest(lambda: processes.switches(server.process.pid)))
            server.process.send_signal(number)
            status, answers = server.end()
            self.assertEqual((status, [answer["result"]["content"][0]["text"] for answer in answers]), (0, ["blocked 000"]))

    def test_a_signal_during_many_calls_leaves_a_log_of_those_that_were_answered(self):
        server = self.durable()
        server.initialize()
        server.send(*[write_call([(str(i), "pending")], id=i) for i in range(1500)])
        for i in range(10):
            self.assertEqual(server.read()["id"], i)
        server.process.send_signal(signal.SIGTERM)
        status, answers = server.end()
        answered = [answer["id"] for answer in answers]
        self.assertEqual((status, answered), (0, list(range(10, 10 + len(answered)))))
        types = [event["type"] for event in self.events()]
        self.assertEqual((types.count("todo/write"), types[-1]), (10 + len(answered), "turn/end"))

    def test_a_signal_ends_it_however_slowly_its_answers_are_taken(self):
        server = self.server()
        server.initialize()
        server.write(*((f"{i} " + "x" * 1000, "pending") for i in range(3000)))
        server.send(*[request("resources/read", {"uri": PLAN})] * 5)
        self.assertTrue(processes.comes_to_rest(lambda: processes.switches(server.process.pid)))
        server.process.send_signal(signal.SIGTERM)
        for _ in range(100):
            os.read(server.process.stdout.fileno(), 4096)
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.process.wait(0.2)
                break
        self.assertEqual(server.process.poll(), -signal.SIGTERM)

    def test_a_second_signal_ends_a_call_that_hangs(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            server = self.hanging()
            server.process.send_signal(number)
            time.sleep(0.2)  # two at once are one
            self.assertIsNone(server.process.poll(), "the call may come to its end")
            server.process.send_signal(number)
            self.assertEqual(server.process.wait(20), -number)

    def test_a_signal_ends_a_call_that_hangs_after_five_seconds(self):
        server = self.hanging()
        before = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(60), -signal.SIGTERM)
        self.assertGreaterEqual(time.monotonic() - before, 5)

    def test_a_signal_ends_a_plugin_that_hangs_while_it_is_applied(self):
        server = self.intruder(config="hang")
        self.assertTrue(processes.comes_to_rest(lambda: processes.switches(server.process.pid)))
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(60), -signal.SIGTERM)

    def test_tools_have_the_signals_that_they_would_have_elsewhere(self):
        server = self.intruder()
        server.initialize()
        server.send(self.reach("mask"))
        self.assertEqual(server.read()["result"]["content"][0]["text"], "blocked 000")
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(20), 0)

    def test_a_tool_that_reads_standard_input_takes_no_request(self):
        server = self.intruder()
        server.initialize()
        server.send(self.reach("read"), PING)
        self.assertEqual(server.read()["result"]["content"][0]["text"], "0 bytes")
        self.assertEqual(server.read(), PONG)
        self.assertEqual(server.end(), (0, []))

    def test_input_that_cannot_be_read_is_told(self):
        with open_directory(self.directory) as directory:
            server = self.server(stdin=directory)
            self.assertEqual(server.process.wait(20), 2)
        self.assertIn("can't read requests: Is a directory", server.stderr())

    def test_output_that_cannot_be_written_is_told_with_its_cause(self):
        with open("/dev/full", "wb") as full:
            server = self.server(stdout=full)
            server.send(PING)
            self.assertEqual(server.process.wait(20), 2)
        self.assertIn("can't write an answer: No space left on device", server.stderr())

    def test_a_composition_that_fails_is_told_on_stderr_with_status_two(self):
        server = self.server(composition="- name: '@deepseek-ai/dsh-tool-todo'\n")
        self.assertEqual(server.end(), (2, []))
        self.assertIn("allowParallelInProgress", server.stderr())
        self.assertEqual(server.stderr().count("\n"), 1)

    def test_sleeps_while_nobody_speaks(self):
        server = self.durable()
        server.initialize()
        server.ask("resources/subscribe", {"uri": PLAN})
        self.assertTrue(processes.comes_to_rest(lambda: processes.switches(server.process.pid)))


if __name__ == "__main__":
    unittest.main()
