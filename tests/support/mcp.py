"""Drives `loader-sample mcp` on the raw wire, byte for byte.

    with Mcp(sessions=directory) as server:
        server.initialize()
        answer = server.ask("tools/list")
"""
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time
import unittest

import build
import loader

PLAN = "todo://plan"
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}
UPDATED = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": PLAN}}


def request(method, params=None, id=1):
    message = {"jsonrpc": "2.0", "id": id, "method": method}
    if params is not None:
        message["params"] = params
    return message


def write_call(todos, id=1):
    """A request that calls todo_write; each item is (content, status)."""
    list = [{"content": content, "status": status} for content, status in todos]
    return request("tools/call", {"name": "todo_write", "arguments": {"todos": list}}, id)


PING = request("ping")


def code(answer):
    return answer["error"]["code"]


class Mcp:
    """One server process.

    sessions, session, cwd  as the command line's options; without `sessions`: in memory
    composition, plugins    as loader.Script's
    stdin, stdout, stderr   as subprocess.Popen's, where a test wants something else than pipes
    prepare                 what the process does before it becomes the server
    """

    def __init__(self, sessions=None, session="s", cwd=None, composition=loader.PARALLEL, plugins=None, args=(),
                 env=None, directory=None, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None, prepare=None):
        self._scratch = tempfile.TemporaryDirectory(prefix="dsh-mcp-")
        scratch = pathlib.Path(self._scratch.name)
        file = scratch / "composition.yaml"
        file.write_text(composition)
        command = [str(build.LOADER), "mcp", "--composition", str(file)]
        for folder in plugins if plugins is not None else [build.PLUGINS]:
            command += ["--plugins", str(folder)]
        command += ["--sessions", str(sessions)] if sessions is not None else ["--memory"]
        if session is not None:
            command += ["--session", session]
        if cwd is not None:
            command += ["--cwd", str(cwd)]
        command += map(str, args)
        self._stderr = open(scratch / "stderr", "w+b")
        self.process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr or self._stderr,
                                        env=env or loader.environment(scratch), cwd=directory, bufsize=0, preexec_fn=prepare)
        self._heard = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self._stderr.close()
        self._scratch.cleanup()

    def send(self, *messages):
        """Each message is a line: bytes and str as they are, anything else as JSON. The LF is added."""
        data = b""
        for message in messages:
            if isinstance(message, str):
                message = message.encode()
            elif not isinstance(message, bytes):
                message = json.dumps(message).encode()
            data += message + b"\n"
        self.send_raw(data)

    def send_raw(self, data):
        view = memoryview(data)
        while view:
            view = view[os.write(self.process.stdin.fileno(), view):]

    def read_line(self, timeout=60):
        """The next line without its LF; None at the end of output, "" after the timeout."""
        end = time.monotonic() + timeout
        parts = [self._heard]
        while b"\n" not in parts[-1]:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self._heard = b"".join(parts)
                return b""
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece:
                self._heard = b"".join(parts)
                return None
            parts.append(piece)
        line, _, self._heard = b"".join(parts).partition(b"\n")
        return line

    def read(self, timeout=60):
        """The next message; None where there is none."""
        line = self.read_line(timeout)
        return json.loads(line.decode("utf-8", "strict")) if line else None

    def ask(self, method, params=None, id=1):
        """Sends a request and returns the next message."""
        self.send(request(method, params, id))
        return self.read()

    def initialize(self, version="2025-11-25"):
        answer = self.ask("initialize", {"protocolVersion": version, "capabilities": {},
                                         "clientInfo": {"name": "wire", "version": "1"}}, id="init")
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def write(self, *todos):
        self.send(write_call(todos))
        return self.read()["result"]

    def plan(self):
        answer = self.ask("resources/read", {"uri": PLAN})
        return json.loads(answer["result"]["contents"][0]["text"])["todos"]

    def hang_up(self):
        self.process.stdin.close()

    def end(self, timeout=60):
        """Ends the input; returns the exit status and the messages that were left."""
        if not self.process.stdin.closed:
            self.hang_up()
        left = []
        while (line := self.read_line(timeout)):
            left.append(json.loads(line))
        return self.process.wait(timeout), left

    def stderr(self):
        self._stderr.flush()
        return pathlib.Path(self._stderr.name).read_text(errors="replace")


class McpTest(unittest.TestCase):
    """A test of servers that it starts, in a directory of its own."""

    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def server(self, **options):
        return self.enterContext(Mcp(**options))

    def durable(self, **options):
        return self.server(sessions=self.directory / "sessions", **options)

    def events(self, session="s"):
        (log,) = (self.directory / "sessions").glob(f"*/{session}/session.jsonl")
        return [json.loads(line) for line in log.read_bytes().splitlines()[1:]]
