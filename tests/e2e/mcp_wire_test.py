"""The MCP server on the raw wire: what clients send, and what no client should."""
import json
import os
import pathlib
import pty
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import build
import loader
import mcp
from mcp import PLAN, UPDATED, Mcp, request, write_call

PING = request("ping")
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}


def code(answer):
    return answer["error"]["code"]


class Wire(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def server(self, **options):
        return self.enterContext(Mcp(**options))

    def durable(self, **options):
        return self.server(sessions=self.directory / "sessions", **options)

    def events(self, session="s"):
        (log,) = (self.directory / "sessions").glob(f"*/{session}/session.jsonl")
        return [json.loads(line) for line in log.read_bytes().splitlines()[1:]]


class Framing(Wire):
    def test_an_answer_is_one_line_without_headers(self):
        server = self.server()
        server.send(PING)
        self.assertEqual(json.loads(server.read_line()), PONG)
        self.assertEqual(server.end(), (0, []))

    def test_header_lines_are_ignored_with_one_note(self):
        server = self.server()
        body = json.dumps(PING)
        server.send_raw(f"Content-Length: {len(body)}\r\n\r\n{body}\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        self.assertEqual(server.end(), (0, [PONG, PONG]))
        self.assertEqual(server.stderr().count("Content-Length"), 1)

    def test_lines_may_be_torn_anywhere(self):
        seed = random.randrange(1 << 32)
        generator = random.Random(seed)
        server = self.server()
        server.initialize()
        text = (json.dumps(write_call([("读取代码🧠", "pending")]), ensure_ascii=False) + "\n").encode() * 20
        with self.subTest(seed=seed):
            while text:
                size = generator.randrange(1, 40)
                server.send_raw(text[:size])
                text = text[size:]
                if generator.random() < 0.1:
                    time.sleep(0.001)
            for _ in range(20):
                result = server.read()["result"]
                self.assertEqual(result["structuredContent"]["todos"][0]["content"], "读取代码🧠")

    def test_two_messages_on_one_line_are_no_message(self):
        server = self.server()
        server.send(json.dumps(PING) + json.dumps(PING), PING)
        self.assertEqual(code(server.read()), -32700)
        self.assertEqual(server.read(), PONG)

    def test_many_lines_in_one_piece_are_answered_in_order(self):
        server = self.server()
        server.send(*(request("ping", id=i) for i in range(5000)))
        self.assertEqual([server.read()["id"] for _ in range(5000)], list(range(5000)))

    def test_a_bad_line_has_one_answer_with_a_null_id(self):
        server = self.server()
        bad = [b"{", b"\xff\xfe", b'{"jsonrpc":"2.0","id":1,"method":"pi\xc3("}', b"nonsense", b"\x00", b'{"a":"\x00"}',
               b'{"jsonrpc":"2.0","id":1,"method":"ping"', b"[" * 100_000]
        server.send(*bad, PING)
        for line in bad:
            answer = server.read()
            self.assertEqual((code(answer), answer["id"]), (-32700, None), line[:40])
        self.assertEqual(server.read(), PONG)

    def test_a_list_of_fifty_megabytes_comes_back_whole(self):
        server = self.durable()
        server.initialize()
        contents = [("x" * 1000 + str(i), "pending") for i in range(50_000)]
        writer = threading.Thread(target=server.send, args=(write_call(contents),))
        writer.start()
        result = server.read(timeout=300)["result"]
        writer.join()
        self.assertFalse(result["isError"], result["content"])
        self.assertEqual(len(result["structuredContent"]["todos"]), 50_000)
        self.assertEqual(server.end(120)[0], 0)

    def test_a_client_that_reads_slowly_gets_everything(self):
        server = self.server()
        server.initialize()
        contents = [("y" * 1000 + str(i), "pending") for i in range(300)]
        server.send(write_call(contents))
        heard = b""
        while not heard.endswith(b"\n"):
            heard += os.read(server.process.stdout.fileno(), 97)
            time.sleep(0.0001)
        self.assertEqual(len(json.loads(heard)["result"]["structuredContent"]["todos"]), 300)

    def test_works_over_sockets(self):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            server = self.server(stdin=theirs, stdout=theirs)
            theirs.close()
            ours.sendall((json.dumps(PING) + "\n").encode())
            self.assertEqual(json.loads(ours.makefile().readline()), PONG)
            ours.shutdown(socket.SHUT_WR)
            self.assertEqual(server.process.wait(10), 0)


class Handshake(Wire):
    def test_every_known_version_is_agreed_on(self):
        for version in ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"):
            server = self.server()
            result = server.initialize(version)
            self.assertEqual(result["protocolVersion"], version)
            self.assertEqual(result["capabilities"], {"tools": {}, "resources": {"subscribe": True}})
            self.assertEqual([tool["name"] for tool in server.ask("tools/list")["result"]["tools"]], ["todo_write"])

    def test_an_unknown_or_missing_version_gets_the_newest(self):
        for params in ({"protocolVersion": "1999-01-01"}, {}, None, {"protocolVersion": 20250618}):
            server = self.server()
            self.assertEqual(server.ask("initialize", params)["result"]["protocolVersion"], "2025-11-25")

    def test_before_initialize_only_ping_is_answered(self):
        server = self.durable()
        for method in ("tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
                       "resources/subscribe", "resources/unsubscribe"):
            self.assertEqual(code(server.ask(method, {"name": "todo_write", "arguments": {"todos": []}})), -32600)
        self.assertEqual(server.ask("ping"), PONG)
        self.assertEqual(server.end(), (0, []))
        self.assertFalse((self.directory / "sessions").exists(), "nothing was written")

    def test_the_era_without_a_handshake_is_unknown(self):
        """A client of that era asks first, and falls back to a handshake where nobody knows the question."""
        server = self.server()
        meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
        self.assertEqual(code(server.ask("server/discover", meta)), -32601)
        self.assertEqual(code(server.ask("tools/call", {"name": "todo_write", "arguments": {"todos": []}} | meta)), -32600)
        self.assertEqual(server.initialize("2026-07-28")["protocolVersion"], "2025-11-25")
        self.assertFalse(server.write(("a", "pending"))["isError"])
        self.assertEqual(code(server.ask("server/discover", meta)), -32601)

    def test_params_may_be_left_out(self):
        server = self.server()
        server.initialize()
        self.assertEqual(len(server.ask("tools/list")["result"]["tools"]), 1)
        self.assertEqual(len(server.ask("resources/list")["result"]["resources"]), 1)


class Ids(Wire):
    def test_an_id_comes_back_letter_for_letter(self):
        server = self.server()
        for id in ("0", "-7", "1.50", "1E2", "123456789012345678901234567890", '""', '"a\\u0062\\ud800"', '"' + "x" * 10000 + '"'):
            server.send('{"jsonrpc":"2.0","id":' + id + ',"method":"ping"}')
            self.assertEqual(server.read_line().decode(), '{"jsonrpc":"2.0","id":' + id + ',"result":{}}')

    def test_an_id_of_another_kind_is_refused(self):
        server = self.server()
        for id in ("null", "true", "[1]", "{}"):
            server.send('{"jsonrpc":"2.0","id":' + id + ',"method":"ping"}')
            answer = server.read()
            self.assertEqual((code(answer), answer["id"]), (-32600, None), id)

    def test_an_id_used_twice_is_two_requests(self):
        server = self.server()
        server.send(PING, PING)
        self.assertEqual([server.read(), server.read()], [PONG, PONG])

    def test_notifications_have_no_answer(self):
        server = self.durable()
        server.initialize()
        call = write_call([("a", "pending")])
        del call["id"]
        server.send({"jsonrpc": "2.0", "method": "notifications/whatever"},
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
                    {"jsonrpc": "2.0", "method": "no/such", "params": []}, call,
                    {"jsonrpc": "2.0", "id": 5, "result": {}}, "", "   ", PING)
        self.assertEqual(server.read(), PONG)
        self.assertEqual(server.end(), (0, []))
        self.assertFalse((self.directory / "sessions").exists(), "a call without an id is no call")

    def test_a_notification_with_an_id_is_an_unknown_request(self):
        server = self.server()
        server.initialize()
        self.assertEqual(code(server.ask("notifications/initialized")), -32601)

    def test_a_request_that_was_cancelled_is_answered_all_the_same(self):
        server = self.durable()
        server.initialize()
        server.send(write_call([("a", "pending")], id=7),
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}, PING)
        self.assertEqual(server.read()["id"], 7)
        self.assertEqual(server.read(), PONG)

    def test_batches_belong_to_one_version(self):
        batch = [request("ping", id="a"), {"jsonrpc": "2.0", "method": "notifications/x"}, 7,
                 write_call([("a", "pending")], id=2)]
        for version in ("2025-11-25", "2025-06-18", "2024-11-05"):
            server = self.server()
            server.initialize(version)
            server.send(batch)
            answer = server.read()
            self.assertEqual((code(answer), answer["id"]), (-32600, None))
        server = self.server()
        server.initialize("2025-03-26")
        server.send(batch, [], [{"jsonrpc": "2.0", "method": "notifications/x"}], PING)
        answers = server.read()
        self.assertEqual([answer["id"] for answer in answers], ["a", None, 2])
        self.assertFalse(answers[2]["result"]["isError"])
        self.assertEqual(code(server.read()), -32600)
        self.assertEqual(server.read(), PONG)


    def test_initialize_is_no_part_of_a_batch(self):
        for first in (True, False):
            with self.subTest(first=first):
                server = self.durable()
                if not first:
                    server.initialize("2025-03-26")
                server.send([request("initialize", {"protocolVersion": "2025-03-26"}, id=1), write_call([("a", "pending")], id=2)])
                answer = server.read()
                self.assertEqual((code(answer), answer["id"]), (-32600, None))
                server.initialize("2025-03-26")
                self.assertIsNone(server.plan())


class Calls(Wire):
    def test_the_tool_is_listed_with_both_schemas(self):
        server = self.server()
        server.initialize()
        (tool,) = server.ask("tools/list")["result"]["tools"]
        self.assertEqual(tool["inputSchema"]["required"], ["todos"])
        self.assertEqual(set(tool["outputSchema"]["properties"]), {"todos", "counts"})

    def test_a_call_is_logged_as_an_agents_turn(self):
        server = self.durable()
        server.initialize()
        result = server.write(("a", "completed"), ("b", "in_progress"))
        self.assertEqual(result["content"], [{"type": "text", "text": "Updated todo list: 0 pending, 1 in progress, 1 completed."}])
        self.assertEqual(result["structuredContent"]["counts"], {"pending": 0, "inProgress": 1, "completed": 1})
        server.write(("c", "pending"))
        step = ["step/start", "assistant/message", "tool/call", "todo/write", "tool/result", "step/end"]
        self.assertEqual([event["type"] for event in self.events()], ["turn/start"] + step + step)
        self.assertEqual(server.end(), (0, []))
        events = self.events()
        self.assertEqual(events[-1]["type"], "turn/end")
        self.assertEqual(events[-1]["data"], {"turn": 1, "reason": {"kind": "completed"}})
        self.assertEqual(events[2]["data"]["message"]["source"], {"kind": "model", "provider": "mcp", "model": "wire"})

    def test_failures_of_the_tool_are_results(self):
        server = self.durable()
        server.initialize()
        for arguments, text in (({}, 'invalid arguments: missing required property "todos"'),
                                ({"todos": [{"content": "a", "status": "done"}]}, "must be one of"),
                                ({"todos": [{"content": " ", "status": "pending"}]}, "non-empty"),
                                ({"todos": [{"content": "a", "status": "pending"}] * 2}, "duplicate content")):
            result = server.ask("tools/call", {"name": "todo_write", "arguments": arguments})["result"]
            self.assertTrue(result["isError"])
            self.assertIn("Error: ", result["content"][0]["text"])
            self.assertIn(text, result["content"][0]["text"])
            self.assertNotIn("structuredContent", result)

    def test_arguments_reach_the_tool_as_they_were_written(self):
        server = self.durable()
        server.initialize()
        server.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"todo_write","arguments":'
                    '{ "n":-0, "todos" : [], "n":1}}}')
        self.assertFalse(server.read()["result"]["isError"], "the last of two keys counts")
        (call,) = [event for event in self.events() if event["type"] == "tool/call"]
        self.assertEqual(call["data"]["arguments"], '{ "n":-0, "todos" : [], "n":1}')

    def test_a_lone_surrogate_passes_and_every_answer_is_utf8(self):
        server = self.durable()
        server.initialize()
        server.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"todo_write","arguments":{"todos":'
                    '[{"content":"\\ud83d","status":"pending"},{"content":"\\ud83d","status":"pending"}]}}}')
        self.assertIn('duplicate content "\\ud83d"', server.read()["result"]["content"][0]["text"])

    def test_a_call_of_nothing_is_refused(self):
        server = self.durable()
        server.initialize()
        for params in (None, {}, {"name": 5}, {"name": "todo_read"}, {"name": "todo_write", "arguments": []},
                       {"name": "todo_write", "arguments": "{}"}, {"name": "todo_write", "arguments": None}, []):
            self.assertEqual(code(server.ask("tools/call", params)), -32602, params)
        self.assertEqual(code(server.ask("no/such")), -32601)
        self.assertFalse((self.directory / "sessions").exists())

    def test_twenty_quick_calls_of_fifty_kilobytes_stay_apart(self):
        server = self.durable()
        server.initialize()
        calls = [write_call([(f"{i} " + "z" * 50_000, "pending")], id=i) for i in range(20)]
        writer = threading.Thread(target=server.send, args=calls)
        writer.start()
        self.assertEqual([server.read()["id"] for _ in range(20)], list(range(20)))
        writer.join()
        self.assertEqual(sum(event["type"] == "todo/write" for event in self.events()), 20)


class Plan(Wire):
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

    def test_a_subscriber_hears_of_another_process(self):
        server = self.durable()
        server.initialize()
        self.assertEqual(server.ask("resources/subscribe", {"uri": PLAN}), PONG)
        with Mcp(sessions=self.directory / "sessions") as other:
            other.initialize()
            for content in "ab":
                other.write((content, "pending"))
                self.assertEqual(server.read(), UPDATED)
                self.assertEqual(server.plan(), [{"content": content, "status": "pending"}])
            other.end()
        self.assertEqual(server.read(timeout=0.3), None, "the end of a turn changes nothing")

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


class Ending(Wire):
    def test_input_that_is_over_at_once_ends_it_at_once(self):
        before = time.monotonic()
        server = self.server(stdin=subprocess.DEVNULL)
        self.assertEqual(server.process.wait(20), 0)
        self.assertLess(time.monotonic() - before, 5)

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
        server.hang_up()
        before = time.monotonic()
        self.assertEqual(server.process.wait(60), 2)
        self.assertGreater(time.monotonic() - before, 4)
        self.assertIn("five seconds", server.stderr())
        self.assertEqual(self.events()[-1]["type"], "turn/end", "the log is closed all the same")

    def test_a_client_that_never_reads_cannot_fill_our_memory(self):
        server = self.server()
        server.initialize()
        server.write(*((f"{i} " + "m" * 1000, "pending") for i in range(2000)))
        ask = (json.dumps(request("resources/read", {"uri": PLAN})) + "\n").encode() * 100

        def talk():
            try:
                for _ in range(1000):
                    server.send_raw(ask)
            except (BrokenPipeError, ValueError):
                pass

        talker = threading.Thread(target=talk, daemon=True)
        talker.start()
        time.sleep(8)
        self.assertTrue(talker.is_alive(), "it should have stopped reading")
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
        if not build.SANITIZER:
            self.assertLess(peak, 300_000, "kilobytes")
        self.assertEqual(server.read()["id"], 1, "and it is there when the client reads")
        server.process.kill()
        talker.join()

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

    def test_a_composition_that_fails_is_told_on_stderr_with_status_two(self):
        server = self.server(composition="- name: '@deepseek-ai/dsh-tool-todo'\n")
        self.assertEqual(server.end(), (2, []))
        self.assertIn("allowParallelInProgress", server.stderr())
        self.assertEqual(server.stderr().count("\n"), 1)

    def test_sleeps_while_nobody_speaks(self):
        server = self.durable()
        server.initialize()
        server.ask("resources/subscribe", {"uri": PLAN})
        time.sleep(0.2)

        def switches():
            status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
            return sum(int(line.split()[1]) for line in status.splitlines() if "ctxt_switches" in line)

        before = switches()
        time.sleep(0.5)
        self.assertEqual(switches(), before)


if __name__ == "__main__":
    unittest.main()
