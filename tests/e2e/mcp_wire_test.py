"""The MCP server on the raw wire: what clients send, and what no client should."""
import json
import os
import random
import socket
import threading
import time
import unittest

from mcp import PING, PONG, McpTest, code, request, write_call


class Framing(McpTest):
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


class Handshake(McpTest):
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


class Ids(McpTest):
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


class Calls(McpTest):
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


if __name__ == "__main__":
    unittest.main()
