"""The plugin and the minimal host for Windows: cross-compiled by the mingw preset, run under Wine.

The build stays in build/mingw, as the preset puts it, so that a second run costs little.
"""
import json
import os
import re
import shutil
import unittest

import build
import toolchain

OUTPUT = build.SOURCE / "build" / "mingw"
TODO = OUTPUT / "plugin" / "dsh-tool-todo.dll"
EXAMPLES = OUTPUT / "host-api" / "examples"


@unittest.skipIf(build.SANITIZER, "the cross build has no sanitizers: once is enough")
@unittest.skipUnless(shutil.which("x86_64-w64-mingw32-g++-posix"), "needs g++-mingw-w64-x86-64-posix")
class Windows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={toolchain.cache()[f'CMAKE_{language}_COMPILER_LAUNCHER']}"
                    for language in ("C", "CXX") if f"CMAKE_{language}_COMPILER_LAUNCHER" in toolchain.cache()]
        for command in (["cmake", "--preset", "mingw", *launcher], ["cmake", "--build", "--preset", "mingw"]):
            done = toolchain.run(*command, cwd=build.SOURCE, timeout=1500, env=toolchain.clean_environment())
            if done.returncode != 0:
                raise AssertionError(done.stdout[-4000:] + done.stderr[-4000:])

    def objdump(self, library):
        return toolchain.check(self, "x86_64-w64-mingw32-objdump", "-p", library).stdout

    def exports(self, library):
        table = self.objdump(library).split("[Ordinal/Name Pointer] Table")[1].split("\n\n")[0]
        return set(re.findall(r"\] (\S+)", table))

    def test_exact_exports(self):
        self.assertEqual(self.exports(TODO), {"name", "inject", "apply", "abi_version", "config_schema"})
        self.assertEqual(self.exports(EXAMPLES / "minimal-plugin.dll"), {"name", "inject", "apply"})

    def test_static_run_time(self):
        for file in (TODO, EXAMPLES / "minimal-plugin.dll", EXAMPLES / "minimal-host.exe"):
            needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", self.objdump(file))}
            self.assertLessEqual(needed, {"kernel32.dll", "msvcrt.dll"})

    def test_no_import_library(self):
        self.assertEqual([str(path) for path in OUTPUT.rglob("*.dll.a")], [])

    def run_host(self, *arguments):
        wine = toolchain.wine()
        if not wine:
            self.skipTest("needs wine64")
        environment = dict(os.environ, WINEPREFIX=str(OUTPUT / "wine"), WINEDEBUG="-all", DISPLAY="")
        done = toolchain.run(wine, EXAMPLES / "minimal-host.exe", *arguments, env=environment, cwd=OUTPUT, timeout=300)
        return done.returncode, [line.rstrip("\r") for line in done.stdout.splitlines()], done.stderr

    def test_a_plan_is_written(self):
        arguments = json.dumps({"todos": [{"content": "Sail to Windows", "status": "in_progress"},
                                          {"content": "Sail back", "status": "pending"}]})
        status, lines, _ = self.run_host("plugin/dsh-tool-todo.dll", '{"allowParallelInProgress":false}',
                                         "todo_write", arguments)
        self.assertEqual((status, lines), (0, [
            "Updated todo list: 1 pending, 1 in progress, 0 completed.",
            'todos: [{"content":"Sail to Windows","status":"in_progress"},'
            '{"content":"Sail back","status":"pending"}]']))

    def test_exceptions_stay_inside(self):
        """What the plugin throws inside becomes a status and a text, also with the MinGW run time."""
        status, lines, _ = self.run_host("plugin/dsh-tool-todo.dll", '{"allowParallelInProgress":true}',
                                         "todo_write", "{}", "todo_write", "no JSON")
        self.assertEqual(status, 1)
        self.assertEqual(lines, ['Error: invalid arguments: missing required property "todos"',
                                 'Error: invalid arguments: "arguments" must be an object', "todos: null"])
        status, lines, stderr = self.run_host("plugin/dsh-tool-todo.dll", "null")
        self.assertEqual((status, lines), (2, []))
        self.assertIn("allowParallelInProgress missing required value", stderr)

    def test_the_minimal_plugin_runs(self):
        status, lines, _ = self.run_host("host-api/examples/minimal-plugin.dll", "null", "session_length", "{}")
        self.assertEqual((status, lines), (0, ["The session holds 1 events."]))


if __name__ == "__main__":
    unittest.main()
