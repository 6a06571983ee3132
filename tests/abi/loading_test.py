"""Loading native code, as it went wrong elsewhere: other compilers, symbols of the same name, exits with a
library still loaded, files replaced while they are mapped, thousands of loads."""
import json
import os
import pathlib
import shutil
import tempfile
import unittest

import build
import loader
import processes
import toolchain

TODO = build.PLUGINS / "dsh-tool-todo.so"
MINIMAL_HOST = build.BUILD / "host-api" / "examples" / "minimal-host"
CONFIG = '{"allowParallelInProgress":true}'
CALL = ("todo_write", json.dumps({"todos": [{"content": "Load it", "status": "pending"}]}))
ANSWER = ["Updated todo list: 1 pending, 0 in progress, 0 completed.", 'todos: [{"content":"Load it","status":"pending"}]']

# Symbols that a process may well have, and that must not take the place of the plugin's own.
CLASHES = """
#include <stdlib.h>
const char *const name = "the host's";
const char *const inject[] = {"telepathy", NULL};
const unsigned abi_version = 99;
const char *const config_schema = "no schema";
int validate_todos(void) { abort(); }
int apply(void) { abort(); }
"""

# Notes with which flags each library is opened.
WATCHED_DLOPEN = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void *dlopen(const char *file, int flags) {
  void *(*real)(const char *, int), *symbol = dlsym(RTLD_NEXT, "dlopen");
  memcpy(&real, &symbol, sizeof real);
  FILE *out = fopen(getenv("DLOPEN_FLAGS"), "a");
  if (out != NULL) fprintf(out, "%d %s\\n", flags, file != NULL ? file : ""), fclose(out);
  return real(file, flags);
}
"""


class Loading(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-loading-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def compile_host(self, source, *flags):
        output = self.directory / "host"
        toolchain.check(self, toolchain.c_compiler(), "-std=c11", *toolchain.WARNINGS, *toolchain.sanitizer_flags(),
                        f"-I{toolchain.INCLUDE}", f"-I{toolchain.EXAMPLES}", *source, "-o", output, "-ldl", *flags)
        return output

    def titled_plugin(self, label, output):
        """A plugin whose tool is called after `label`."""
        source = self.directory / f"{label}.c"
        source.write_text((toolchain.EXAMPLES / "minimal_plugin.c").read_text().replace("session_length", label))
        return toolchain.build_plugin(self, source, output, "-Wno-conversion")

    def composition(self, *files):
        lines = "".join(f"- id: {pathlib.Path(file).stem}\n  name: ./{file}\n" for file in files)
        (self.directory / "plugins.yaml").write_text(lines)
        return self.directory / "plugins.yaml"

    @unittest.skipIf(build.SANITIZER, "a sanitizer's run time has to be the first library, before a preloaded one")
    def test_a_plugin_is_opened_at_once_for_itself_and_without_deep_binding(self):
        """Deep binding would give the plugin a C++ run time and an allocator apart from the host's."""
        source, shim, log = (self.directory / name for name in ("shim.c", "shim.so", "flags"))
        source.write_text(WATCHED_DLOPEN)
        toolchain.check(self, toolchain.c_compiler(), "-shared", "-fPIC", source, "-o", shim, "-ldl")
        done = loader.run("tools", env=loader.environment(LD_PRELOAD=shim, DLOPEN_FLAGS=log))
        self.assertEqual(done.returncode, 0, done.stderr)
        opened = [int(line.split()[0]) for line in log.read_text().splitlines() if len(line.split()) == 2]
        flags = [one for one in opened if not one & os.RTLD_NOLOAD]
        self.assertGreater(len(flags), 0)
        for one in flags:
            self.assertEqual(one & (os.RTLD_NOW | os.RTLD_LAZY | os.RTLD_GLOBAL | os.RTLD_DEEPBIND), os.RTLD_NOW)

    def test_a_plugin_of_another_compiler_works(self):
        """Only C types and lengths cross: who compiled it, and with which standard library, does not matter."""
        if not shutil.which("clang"):
            self.skipTest("needs clang")
        plugin = toolchain.build_plugin(self, toolchain.EXAMPLES / "minimal_plugin.c", self.directory / "clang.so",
                                        compiler="clang")
        done = toolchain.run(MINIMAL_HOST, plugin, "null", "session_length", "{}")
        self.assertEqual((done.returncode, done.stdout), (0, "The session holds 1 events.\n"))
        if not build.SANITIZER:
            host = self.directory / "clang-host"
            toolchain.check(self, "clang", "-std=c11", f"-I{toolchain.INCLUDE}", toolchain.EXAMPLES / "minimal_host.c",
                            "-o", host, "-ldl")
            self.assertEqual(toolchain.run(host, TODO, CONFIG, *CALL).stdout.splitlines(), ANSWER)

    def test_symbols_of_the_host_are_not_taken(self):
        """A host that exports functions and data of the same names: the plugin uses its own, and so does the host."""
        (self.directory / "clashes.c").write_text(CLASHES)
        host = self.compile_host([toolchain.EXAMPLES / "minimal_host.c", self.directory / "clashes.c"], "-rdynamic")
        exported = toolchain.check(self, "nm", "-D", "--defined-only", host).stdout
        self.assertIn("validate_todos", exported)
        done = toolchain.run(host, TODO, CONFIG, *CALL)
        self.assertEqual((done.returncode, done.stdout.splitlines()), (0, ANSWER), done.stderr)

    def exits(self, *, close):
        """The status and words of a process that loads the plugin, uses it and ends."""
        text = (toolchain.EXAMPLES / "minimal_host.c").read_text()
        self.assertEqual(text.count(", dlclose(library);"), 1)
        (self.directory / "host.c").write_text(text if close else text.replace(", dlclose(library);", ";"))
        done = toolchain.run(self.compile_host([self.directory / "host.c"]), TODO, CONFIG, *CALL)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_exit_with_the_plugin_loaded_is_clean(self):
        self.assertEqual(self.exits(close=False), (0, ANSWER, ""))

    def test_exit_after_the_plugin_was_unloaded_is_clean(self):
        self.assertEqual(self.exits(close=True), (0, ANSWER, ""))

    def test_plugins_do_not_see_each_others_symbols(self):
        """Bound at once and locally: what one exports, by mistake, another cannot come to depend on."""
        source = build.SOURCE / "tests" / "abi" / "faulty"
        quiet = ("-Wno-unused-function", "-Wno-unused-const-variable", f"-I{source}")
        toolchain.build_plugin(self, source / "exports_more.c", self.directory / "helper.so", *quiet)
        user = self.directory / "user.c"
        user.write_text((toolchain.EXAMPLES / "minimal_plugin.c").read_text().replace(
            "static int32_t fail(", "int helper(void);\nstatic int32_t fail(", 1).replace(
            "return status; /*", "return status + helper(); /*"))
        toolchain.build_plugin(self, user, self.directory / "user.so")
        done = loader.run("plugins", "--composition", self.composition("helper.so", "user.so"))
        self.assertIn(b"undefined symbol: helper", done.stdout + done.stderr)

    def test_a_replaced_file_is_never_served_by_its_old_code(self):
        """Unload, replace the file, load: the new code runs."""
        library = self.titled_plugin("first_name", self.directory / "plugin.so")
        with loader.Script(composition=self.composition("plugin.so")) as script:
            self.assertEqual([one["name"] for one in script.ok("tools")["tools"]], ["first_name"])
            script.ok("plugin/unload", id="plugin")
            os.replace(self.titled_plugin("second_name", self.directory / "new.so"), library)
            script.ok("plugin/load", id="plugin")
            self.assertEqual([one["name"] for one in script.ok("tools")["tools"]], ["second_name"])

    def test_what_cannot_be_loaded_is_told_apart_with_the_linkers_words(self):
        quiet = "-Wno-unused-function"
        (self.directory / "text.so").write_text("no library\n")
        (self.directory / "directory.so").mkdir()
        helper = self.directory / "helper.c"
        helper.write_text("int helper(void);\nint helper(void) { return 0; }\n")
        toolchain.check(self, toolchain.c_compiler(), "-shared", "-fPIC", helper, "-o", self.directory / "libgone.so")
        source = self.directory / "needy.c"
        source.write_text((toolchain.EXAMPLES / "minimal_plugin.c").read_text().replace(
            "static int32_t fail(", "int helper(void);\nstatic int32_t fail(", 1).replace(
            "return status; /*", "return status + helper(); /*"))
        toolchain.build_plugin(self, source, self.directory / "needy.so", f"-L{self.directory}", "-lgone")
        (self.directory / "libgone.so").unlink()
        source.write_text((toolchain.EXAMPLES / "minimal_plugin.c").read_text().replace("apply(", "setup("))
        toolchain.build_plugin(self, source, self.directory / "entryless.so", quiet, "-Wno-missing-prototypes")
        said = {}
        for name, words in (("missing", "no such file|No such file|not found"), ("directory", "directory"),
                            ("text", "invalid ELF header|file too short|no ELF|not an ELF"),
                            ("needy", r"libgone\.so: cannot open shared object file"),
                            ("entryless", r"undefined symbol: apply")):
            done = loader.run("tools", "--composition", self.composition(f"{name}.so"))
            said[name] = done.stderr.decode()
            self.assertEqual((done.returncode, done.stdout), (2, b""), name)
            self.assertRegex(said[name], words)
        self.assertEqual(len({text.replace(name, "") for name, text in said.items()}), 5, said)

    def test_a_host_that_loads_again_and_again_keeps_its_memory(self):
        rounds = 10_000 if os.environ.get("DSH_FULL") and not build.SANITIZER else 400
        with loader.Script(composition=loader.PARALLEL, timeout=900) as script:
            pid = script.process.pid
            maps = pathlib.Path(f"/proc/{pid}/maps")
            script.ok("session/create", session="s")
            for i in range(rounds):
                if i == rounds // 4:
                    settled = processes.memory(pid, "VmRSS")
                if i % 100 == 0:
                    self.assertIn("dsh-tool-todo.so", maps.read_text())
                script.ok("plugin/unload", id="@deepseek-ai/dsh-tool-todo")
                if i % 100 == 0:
                    self.assertNotIn("dsh-tool-todo.so", maps.read_text())
                script.ok("plugin/load", id="@deepseek-ai/dsh-tool-todo")
            if not build.SANITIZER:  # its allocator keeps freed memory for a while
                self.assertLess(processes.memory(pid, "VmRSS") - settled, 1024, "kilobytes")

    def test_thousands_of_lives_leave_no_memory(self):
        count = 300 if build.SANITIZER else 10_000 if os.environ.get("DSH_FULL") else 1_000
        host = self.compile_host([build.SOURCE / "tests" / "abi" / "many_lives.c"])
        done = toolchain.run(host, count, TODO, CONFIG, *CALL, timeout=900)
        if "address" in build.SANITIZER:
            self.assertNotIn("failed", done.stderr)  # its allocator keeps freed memory for a while
            self.assertNotIn("mapped", done.stderr)
            return
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
