"""The two living examples do what they say: the minimal host gets a plan written by the todo plugin, and
the minimal plugin runs in it."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import build
import toolchain

EXAMPLES = build.BUILD / "host-api" / "examples"
HOST = EXAMPLES / "minimal-host"
MINIMAL = EXAMPLES / "minimal-plugin.so"
TODO = build.PLUGINS / "dsh-tool-todo.so"
PARALLEL, SINGLE = '{"allowParallelInProgress":true}', '{"allowParallelInProgress":false}'

HALF_AN_OBSERVER = """
#include <dsh/dsh.h>
#include <dsh/plugin.h>

static void DSH_CALL disposed(void *user, const dsh_session *session) { (void)user, (void)session; }

const char *const name = "half";
const char *const inject[] = {DSH_SESSIONS, NULL};

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)config, (void)size;
  const dsh_sessions *sessions = host->service(host, DSH_SESSIONS);
  const dsh_observer observer = {.struct_size = sizeof observer - 4, .disposed = disposed};
  return sessions->add(host, &observer, error);
}
"""


def todos(*items):
    return json.dumps({"todos": [{"content": content, "status": status} for content, status in items]})


class MinimalHost(unittest.TestCase):
    def run_host(self, *arguments):
        """(exit status, lines of stdout, stderr)"""
        done = toolchain.run(HOST, *arguments)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_is_a_page_of_plain_c(self):
        self.assertLess(len((toolchain.EXAMPLES / "minimal_host.c").read_text().splitlines()), 300)
        self.assertLess(len((toolchain.EXAMPLES / "minimal_plugin.c").read_text().splitlines()), 100)

    def test_a_plan_is_written(self):
        status, lines, stderr = self.run_host(TODO, PARALLEL, "todo_write", todos(
            (" Write a host ", "in_progress"), ("Run it", "pending"), ("Read the headers", "completed")))
        self.assertEqual((status, stderr), (0, ""))
        self.assertEqual(lines[0], "Updated todo list: 1 pending, 1 in progress, 1 completed.")
        key, plan = lines[1].split(": ", 1)
        self.assertEqual(key, "todos")
        self.assertEqual(json.loads(plan), [{"content": "Write a host", "status": "in_progress"},
                                            {"content": "Run it", "status": "pending"},
                                            {"content": "Read the headers", "status": "completed"}])

    def test_a_refused_call_leaves_the_plan(self):
        good, bad = todos(("One", "pending")), todos(("Two", "in_progress"), ("Three", "in_progress"))
        status, lines, _ = self.run_host(TODO, SINGLE, "todo_write", good, "todo_write", bad)
        self.assertEqual(status, 1)
        self.assertEqual(lines[1], "Error: invalid todos: at most one task may be in_progress (got 2)")
        self.assertEqual(lines[2], 'todos: [{"content":"One","status":"pending"}]')

    def test_no_call_leaves_null(self):
        self.assertEqual(self.run_host(TODO, PARALLEL), (0, ["todos: null"], ""))

    def test_control_characters_reach_no_terminal(self):
        done = toolchain.run(HOST, TODO, PARALLEL, "todo_write", todos(("", "pending")), "todo_write", todos(("\x1b[2J", "pending")))
        self.assertNotIn("\x1b", done.stdout)

    def test_a_bad_config_is_the_plugins_own_words(self):
        for config in ("null", "{}"):
            status, lines, stderr = self.run_host(TODO, config)
            self.assertEqual((status, lines), (2, []))
            self.assertIn("$.allowParallelInProgress missing required value", stderr)

    def test_the_minimal_plugin_runs(self):
        status, lines, stderr = self.run_host(MINIMAL, "null", "session_length", "{}", "session_length", "[]",
                                              "session_length", "")
        self.assertEqual((status, stderr), (1, ""))
        self.assertEqual(lines, ["The session holds 1 events.", "Error: the arguments must be an object",
                                 "The session holds 1 events."])

    def test_half_a_pointer_is_none(self):
        """An observer whose struct_size ends inside `disposed`: there is no such function to call."""
        directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-examples-"))
        self.addCleanup(shutil.rmtree, directory)
        (directory / "half.c").write_text(HALF_AN_OBSERVER)
        plugin = toolchain.build_plugin(self, directory / "half.c", directory / "half.so")
        self.assertEqual(self.run_host(plugin, "null"), (0, [], ""))

    def test_its_usage_names_it_as_it_was_called(self):
        for arguments in ((), (TODO,), (TODO, PARALLEL, "todo_write")):
            status, lines, stderr = self.run_host(*arguments)
            self.assertEqual((status, lines, stderr), (2, [], f"usage: {HOST} PLUGIN CONFIG [TOOL ARGS]...\n"))

    def test_what_is_no_plugin_is_named(self):
        for path, why in (("/nonexistent.so", "cannot open"), (HOST, "cannot dynamically load")):
            status, lines, stderr = self.run_host(path, "null")
            self.assertEqual((status, lines), (2, []))
            self.assertIn(why, stderr)

    def test_unknown_tool(self):
        status, lines, _ = self.run_host(MINIMAL, "null", "nothing", "{}")
        self.assertEqual((status, lines), (1, ["Error: unknown tool"]))


class Exports(unittest.TestCase):
    """A plugin exports the contract and nothing else, and lets itself be unmapped."""
    CONTRACT = {"name", "inject", "apply", "abi_version", "config_schema"}

    def dynamic(self, library):
        out = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
        return {line.split()[-1]: line.split()[-2] for line in out.splitlines()}

    def test_exact_exports(self):
        self.assertEqual(set(self.dynamic(TODO)), self.CONTRACT)
        self.assertEqual(set(self.dynamic(MINIMAL)), {"name", "inject", "apply"})

    def test_no_unique_symbol(self):
        for library in (TODO, MINIMAL):
            self.assertNotIn("u", self.dynamic(library).values())

    def header(self, library):
        return subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout

    def test_no_search_path_no_soname(self):
        for library in (TODO, MINIMAL):
            for tag in ("RPATH", "RUNPATH", "SONAME", "TEXTREL", "NODELETE"):
                self.assertNotIn(tag, self.header(library))

    def test_needs_the_cpp_run_time_at_most(self):
        if build.SANITIZER:
            self.skipTest("a sanitizer adds its own library")
        allowed = {"libstdc++.so.6", "libgcc_s.so.1", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
        needed = {line.split("[")[1].rstrip("]") for line in self.header(TODO).splitlines() if "(NEEDED)" in line}
        self.assertLessEqual(needed, allowed)

    def test_hardened(self):
        if build.SANITIZER:
            self.skipTest("the sanitizer presets leave hardening out")
        for library in (TODO, MINIMAL):
            self.assertRegex(self.header(library), r"FLAGS_1.*NOW|FLAGS.*BIND_NOW")
            segments = subprocess.run(["readelf", "-lW", library], capture_output=True, text=True, check=True).stdout
            self.assertIn("GNU_RELRO", segments)
            self.assertRegex(segments, r"GNU_STACK\s.*\sRW\s")


if __name__ == "__main__":
    unittest.main()
