"""What a caller is told is on disk: the system calls of the real program, in their order."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import build
import loader
from loader import items
from mcp import request, write_call
from stored_log import StoredLog


@unittest.skipUnless(shutil.which("strace"), "strace shows the system calls, and is not there")
@unittest.skipIf(build.SANITIZER, "the sanitizers' runtime does not run under strace")
class Acknowledged(StoredLog):
    """When an answer is written, all that was written to the log before is synced, and so is each name that leads to
    it. Only the end of a turn may follow later: whoever opens the log makes up for it."""

    TURN_END = r'{\"type\":\"turn/end\"'  # as strace quotes it

    def steps(self, *command, input="", status=0):
        """The calls that write to the log or to stdout, or sync the log: name, what it concerns, the text's start. Of
        those that give a name, or sync those of a directory: name, "names", the directory."""
        trace = self.directory / "trace"
        reader, stdout = os.pipe()
        answers = f"pipe:[{os.fstat(stdout).st_ino}]"
        try:
            done = subprocess.run(["strace", "-f", "-qq", "-y", "-s", "20", "-e", "trace=write,writev,pwrite64,fdatasync,fsync,link,mkdir", "-o", str(trace),
                                   str(build.LOADER), *command, "--sessions", str(self.root), "--composition", str(self.composition)],
                                  input=input.encode(), stdout=stdout, stderr=subprocess.PIPE, env=loader.environment(), timeout=300)
        finally:
            os.close(stdout)
            os.close(reader)
        self.assertEqual(done.returncode, status, done)
        steps = []
        for call, file, text, name in re.findall(
                r'(\w+)\((?:\d+<([^>]*)>(?:\(deleted\))?(?:, "(.*)"\.*, \d+)?|(?:"[^"]*", )?"([^"]*)"(?:, \d+)?)\) += \d',
                trace.read_text()):
            if name:
                steps.append((call, "names", str(pathlib.Path(name).parent)))
            elif file == answers or file.startswith(str(self.log)):
                steps.append((call, "answer" if file == answers else "log", text))
            elif call == "fsync":
                steps.append((call, "names", file))
        return steps

    def assert_answers_follow_the_disk(self, steps, answers, writes):
        unsynced, unnamed, told, written = [], set(), 0, 0
        for call, where, text in steps:
            if where == "answer":
                told += 1
                self.assertEqual([one for one in unsynced if not one.startswith(self.TURN_END)], [], steps)
                self.assertEqual(unnamed, set(), steps)
            elif where == "names":
                (unnamed.discard if call == "fsync" else unnamed.add)(text)
            elif call in ("fsync", "fdatasync"):
                unsynced.clear()
            else:
                written += 1
                unsynced.append(text)
        self.assertGreaterEqual(told, answers, steps)
        self.assertEqual(written, writes, steps)

    def test_of_call(self):
        arguments = json.dumps({"todos": items("a:i")})
        for given, status, writes in ((arguments, 0, 3), ("{}", 1, 3), (arguments, 0, 4)):
            fresh = not self.root.exists()
            steps = self.steps("call", "todo_write", given, "--session", "s", status=status)
            given_names = [(call, directory) for call, where, directory in steps if where == "names" and call != "fsync"]
            places = [self.log.parent.parent.parent.parent, self.root, self.log.parent.parent]
            self.assertEqual(given_names, [*(("mkdir", str(one)) for one in places), ("link", str(self.log.parent))] if fresh else [])
            self.assert_answers_follow_the_disk(steps, 1, writes)

    def test_of_run(self):
        lines = [{"op": "session/create", "session": "s"}, {"op": "session/append", "session": "s", "type": "turn/start", "data": {}}]
        lines += [{"op": "tool/call", "name": "todo_write", "session": "s", "arguments": json.dumps({"todos": items(list)})}
                  for list in ("a:i", "a:c, b:i")]
        self.assert_answers_follow_the_disk(self.steps("run", "-", input="\n".join(map(json.dumps, lines))), 4, 3)

    def test_of_mcp(self):
        calls = [write_call([("a", "pending")]), request("tools/call", {"name": "todo_write", "arguments": {}}), write_call([("b", "pending")])]
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}}
        lines = [request("initialize", hello), {"jsonrpc": "2.0", "method": "notifications/initialized"}, *calls]
        self.assert_answers_follow_the_disk(self.steps("mcp", "--session", "s", input="\n".join(map(json.dumps, lines)) + "\n"), 1, 7)


if __name__ == "__main__":
    unittest.main()
