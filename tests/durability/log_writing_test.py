"""Full disks and rival writers, through the real program. Each test is a kind of trouble that users of such tools
reported."""
import json
import re
import shutil
import subprocess
import threading
import unittest

import build
import loader
from loader import items
from mcp import Mcp, write_call
from stored_log import StoredLog, limit_file_size


class FullDisk(StoredLog):
    """The file may not grow; a limit on its size stands for a full disk."""

    def test_a_failed_write_leaves_no_half_line_and_the_next_one_works(self):
        """The write stops after 20 bytes: the call fails, the file has its former length, and once there is room the
        next call is a line of its own. Nothing else may end the process."""
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.call(items("a:i"), session="s")
            before = self.log.read_bytes()
            for room in (20, 0, 1):
                limit_file_size(script.process, len(before) + room)
                for _ in range(2):
                    answer = script.call(items("b:i"), session="s")
                    self.assertIs(answer["isError"], True, answer)
                    self.assertIn("File too large", answer["text"])
                    self.assertEqual(self.log.read_bytes(), before)
                    self.assertEqual(script.todos("s"), items("a:i"))
                    self.assertEqual(len(script.events("s")), 2)
            limit_file_size(script.process, None)
            self.assertIs(script.call(items("c:i"), session="s")["isError"], False)
            self.assertTrue(self.log.read_bytes().startswith(before))
        self.assertEqual([event["type"] for event in self.events()], ["turn/start", "todo/write", "todo/write"])
        self.assertEqual(self.plan(), items("c:i"))

    def test_a_session_that_cannot_be_created_leaves_nothing_and_its_id_is_free(self):
        with self.script() as script:
            limit_file_size(script.process, 10)
            script.ok("session/create", session="s")
            answer = script.op("session/append", session="s", type="turn/start", data={"turn": 1})
            self.assertIs(answer["ok"], False)
            self.assertIn("File too large", answer["error"])
            self.assertEqual([path for path in self.root.rglob("*") if path.is_file()], [])
            limit_file_size(script.process, None)
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
        self.assertEqual(len(self.events()), 1)

    def test_the_mcp_server_answers_and_goes_on(self):
        with Mcp(sessions=self.root) as server:
            server.initialize()
            server.write(("a", "in_progress"))
            before = self.log.read_bytes()
            limit_file_size(server.process, len(before) + 20)
            answer = server.ask("tools/call", write_call([("b", "pending")])["params"])
            self.assertIs(answer["result"]["isError"], True, answer)
            self.assertIn("File too large", answer["result"]["content"][0]["text"])
            self.assertEqual(self.log.read_bytes(), before)
            limit_file_size(server.process, None)
            server.write(("c", "in_progress"))
            self.assertEqual(server.plan(), [{"content": "c", "status": "in_progress"}])
        self.assertEqual(self.plan(), items("c:i"))
        self.events()


class Writers(StoredLog):
    def test_a_second_writer_is_refused_naming_the_first_and_may_read(self):
        """The lock ends with its process, however that ends."""
        with self.script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.call(items("a:i"), session="s")
            self.assert_refused_to_writers(f"process {script.process.pid}")
            self.assertEqual(self.plan(), items("a:i"))
            self.assertEqual(self.audit()[0], 0)
            script.kill()
        self.assertEqual(self.call("b:i").returncode, 0)

    def test_of_processes_that_create_one_session_exactly_one_wins(self):
        """No temporary file is shared, and none is left."""
        for round in range(3):
            session = f"new-{round}"
            scripts = [self.enterContext(self.script()) for _ in range(4)]
            won = []

            def create(script):
                made = script.op("session/create", session=session)
                if made["ok"]:
                    data = {"turn": script.process.pid}
                    made = script.op("session/append", session=session, type="turn/start", data=data)
                if made["ok"]:
                    won.append(script.process.pid)

            racing = [threading.Thread(target=create, args=(script,)) for script in scripts]
            for thread in racing:
                thread.start()
            for thread in racing:
                thread.join()
            self.assertEqual(len(won), 1)
            (directory,) = self.root.glob(f"*/{session}")
            self.assertEqual([path.name for path in directory.iterdir()], ["session.jsonl"])
            (event,) = self.events((directory / "session.jsonl").read_bytes())
            self.assertEqual(event["data"]["turn"], won[0])

    @unittest.skipUnless(shutil.which("strace"), "strace shows the system calls, and is not there")
    @unittest.skipIf(build.SANITIZER, "the sanitizers' runtime does not run under strace")
    def test_a_record_and_its_line_end_are_one_write(self):
        """Another process never sees, and a crash never leaves, a record without its line end, or half a batch."""
        trace = self.directory / "trace"
        lines = ['{"op":"session/create","session":"s"}', '{"op":"session/append","session":"s","type":"turn/start","data":{"turn":1}}']
        lines += [json.dumps({"op": "tool/call", "name": "todo_write", "session": "s",
                              "arguments": json.dumps({"todos": items(f"{'x' * size}:i")})}) for size in (1, 5000, 300_000)]
        done = subprocess.run(["strace", "-f", "-y", "-s", "0", "-e", "trace=write,writev,pwrite64,fdatasync,fsync", "-o", str(trace),
                               str(build.LOADER), "run", "-", "--sessions", str(self.root), "--composition", str(self.composition)],
                              input="\n".join(lines).encode(), capture_output=True, env=loader.environment(), timeout=300)
        self.assertEqual(done.returncode, 0, done)
        # The descriptor bears the log's name; that of a new log is a temporary one beside it.
        calls = re.findall(rf"(\w+)\(\d+<{re.escape(str(self.log))}[^>]*>.*\) += (-?\d+)", trace.read_text())
        lengths = [len(one) + 1 for one in self.log.read_bytes().splitlines()]
        expected = [("write", str(lengths[0] + lengths[1])), ("fsync", "0")]  # a new file: its size is new too
        for size in lengths[2:]:
            expected += [("write", str(size)), ("fdatasync", "0")]
        self.assertEqual(calls, expected)


if __name__ == "__main__":
    unittest.main()
