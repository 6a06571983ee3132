"""The MCP server with clients that others wrote: the official SDK's, and the inspector's command line."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest

import build
import loader
from mcp import request, write_call

CLIENTS = build.SOURCE / "tests" / "e2e" / "mcp"
MODULES = CLIENTS / "node_modules"
NODE = shutil.which("node")


@unittest.skipUnless(NODE and MODULES.is_dir(), "needs Node and the clients: bash cmake/setup.sh --tests")
class Clients(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        composition = self.directory / "composition.yaml"
        composition.write_text(loader.PARALLEL)
        self.server = [str(build.LOADER), "mcp", "--session", "s", "--sessions", str(self.directory / "sessions"),
                       "--composition", str(composition), "--plugins", str(build.PLUGINS)]

    def node(self, *command):
        env = loader.environment(self.directory)
        return subprocess.run([NODE, *map(str, command)], cwd=CLIENTS, env=env, capture_output=True, text=True, timeout=300)

    def log_types(self):
        (log,) = (self.directory / "sessions").glob("*/s/session.jsonl")
        return [json.loads(line)["type"] for line in log.read_text().splitlines()]


class Sdk(Clients):
    def converse(self, case):
        done = self.node("sdk_client.mjs", case, *self.server)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")

    def test_introduces_itself(self):
        self.converse("introduces_itself")
        self.assertFalse((self.directory / "sessions").exists())

    def test_lists(self):
        self.converse("lists")

    def test_calls(self):
        self.converse("calls")
        self.assertEqual(self.log_types()[-1], "turn/end")

    def test_a_refused_call_is_a_result(self):
        self.converse("a_refused_call_is_a_result")

    def test_errors_have_their_codes(self):
        self.converse("errors_have_their_codes")

    def test_a_subscriber_is_told(self):
        self.converse("a_subscriber_is_told")

    def test_many_calls_at_once(self):
        self.converse("many_calls_at_once")
        self.assertEqual(self.log_types().count("todo/write"), 100)

    def test_five_megabytes(self):
        self.converse("five_megabytes")


class Inspector(Clients):
    def inspect(self, *arguments):
        cli = MODULES / "@modelcontextprotocol" / "inspector" / "cli" / "build" / "cli.js"
        done = self.node(cli, "--cli", *self.server[:1], *self.server[1:], *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_lists_the_tool(self):
        (tool,) = self.inspect("--method", "tools/list")["tools"]
        self.assertEqual(tool["name"], "todo_write")

    def test_calls_the_tool_and_reads_the_plan(self):
        todos = [{"content": "a", "status": "in_progress"}]
        result = self.inspect("--method", "tools/call", "--tool-name", "todo_write", "--tool-arg", "todos=" + json.dumps(todos))
        self.assertEqual(result["structuredContent"]["todos"], todos)
        read = self.inspect("--method", "resources/read", "--uri", "todo://plan")
        self.assertEqual(json.loads(read["contents"][0]["text"]), {"todos": todos})


class Snippets(unittest.TestCase):
    """config/mcp: what each says starts a server."""

    @staticmethod
    def snippets():
        return [path for path in sorted((build.CONFIG / "mcp").iterdir()) if path.name != "README.md"]

    @staticmethod
    def command(snippet):
        """The command line in it, wherever that client wants it."""
        (servers,) = snippet.values()
        (server,) = servers.values()
        command = server["command"]
        return [*command, *server.get("args", [])] if isinstance(command, list) else [command, *server["args"]]

    def test_each_starts_a_server(self):
        for path in self.snippets():
            with self.subTest(path.name), tempfile.TemporaryDirectory() as directory:
                parse = tomllib.loads if path.suffix == ".toml" else json.loads
                program, *arguments = self.command(parse(path.read_text()))
                self.assertEqual(program, "loader-sample")
                arguments = [argument.replace("${workspaceFolder}", directory) for argument in arguments]
                here = ["--sessions", directory + "/sessions", "--composition", build.CONFIG / "todo.yaml", "--plugins", build.PLUGINS]
                done = loader.run(*arguments, *here, input='{"jsonrpc":"2.0","id":1,"method":"initialize"}\n', cwd=directory)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["result"]["serverInfo"]["name"], "loader-sample")

    def test_those_of_a_project_serve_one_session_one_after_the_other(self):
        with tempfile.TemporaryDirectory() as directory:
            here = ["--sessions", directory + "/sessions", "--composition", build.CONFIG / "todo.yaml", "--plugins", build.PLUGINS]
            hello = request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}, id=0)
            for path in self.snippets():
                parse = tomllib.loads if path.suffix == ".toml" else json.loads
                arguments = [argument.replace("${workspaceFolder}", directory) for argument in self.command(parse(path.read_text()))[1:]]
                if "--session" in arguments:
                    continue
                done = loader.run(*arguments, *here, input=f"{json.dumps(hello)}\n{json.dumps(write_call([(path.name, 'pending')]))}\n", cwd=directory)
                self.assertFalse(json.loads(done.stdout.splitlines()[-1])["result"].get("isError", False), (path.name, done))
            listed = json.loads(loader.run("sessions", "--json", "--cwd", ".", *here, cwd=directory).stdout)["sessions"]
            self.assertEqual([one["cwd"] for one in listed], [directory])

    def test_the_readme_names_each(self):
        text = (build.CONFIG / "mcp" / "README.md").read_text()
        named = re.findall(r"(?m)^\| `(\S+)` \|", text)
        self.assertEqual(named, [path.name for path in self.snippets()])


if __name__ == "__main__":
    unittest.main()
