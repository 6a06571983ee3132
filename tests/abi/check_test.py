"""`check`: what it says, how it is steered, and that sound plugins pass it without a warning."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import build
import terminal
import toolchain

TODO = build.PLUGINS / "dsh-tool-todo.so"
MINIMAL = build.BUILD / "host-api" / "examples" / "minimal-plugin.so"
FAULTY = build.SOURCE / "tests" / "abi" / "faulty"

# Says what would clear a screen, turn text around and end a C string, wherever it may say something.
LOUD = r"""
#define EXECUTE
#define APPLY
#include "sound.h"

static const char words[] = "\x1b[2Jover\0 and out\xe2\x80\xae\xc2\x9b\x9f\r\n";

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)text;
  value->write(value->ctx, words, sizeof words - 1);
  error->set(error->ctx, words, sizeof words - 1, NULL, NULL);
  return DSH_ERROR;
}

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  fwrite(words, 1, sizeof words - 1, stdout);
  fwrite(words, 1, sizeof words - 1, stderr);
  if (good_config(config, size, error) != DSH_OK) {
    error->set(error->ctx, words, sizeof words - 1, NULL, words);
    return DSH_ERROR;
  }
  return add_tool(host, NULL, error);
}
"""


def run(*arguments, timeout=900):
    return toolchain.run(build.LOADER, "check", *arguments, timeout=timeout)


class Check(unittest.TestCase):
    def passes(self, *arguments):
        done = run("--json", *arguments)
        answer = json.loads(done.stdout)
        for library in answer["libraries"]:
            for test in library["tests"]:
                with self.subTest(test["name"], library=library["library"], seed=answer["seed"]):
                    self.assertIn(test["status"], ("passed", "skipped"), test.get("cause"))
        self.assertEqual((done.returncode, answer["ok"]), (0, True))
        return answer

    def test_our_plugin_passes_without_a_warning(self):
        answer = self.passes(TODO)
        counts = answer["libraries"][0]["counts"]
        self.assertEqual(counts["passed"], sum(counts.values()) - counts["skipped"])
        skipped = [one["name"] for one in answer["libraries"][0]["tests"] if one["status"] == "skipped"]
        # It brings no observer, and a sanitizer hides what the other looks at; everything else applies to it.
        self.assertLessEqual(set(skipped), {"observers.anything"} | ({"tools.memory"} if build.SANITIZER else set()))

    def test_the_minimal_plugin_passes_without_a_warning(self):
        self.passes(MINIMAL)

    def test_kept_plugins_pass(self):
        if build.SANITIZER:
            self.skipTest("kept without a sanitizer")
        self.passes(*sorted((build.SOURCE / "tests" / "abi" / "kept").glob("*/minimal-plugin.so")), "--skip", "host.*")

    def test_without_each_service(self):
        for service in ("invariants", "sessionProjections", "sessions"):
            self.passes(TODO, "--without", service, "--only", "tools.*", "--skip", "tools.memory")

    def test_text_for_people(self):
        done = run(MINIMAL, "--only", "library.*", "--seed", 5)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], f"{MINIMAL}, seed 5")
        self.assertRegex(lines[1], r"^passed   library\.opens +the library opens")
        self.assertRegex(lines[-1], r"minimal-plugin\.so: 5 passed$")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_quiet_shows_only_what_did_not_pass(self):
        lines = run(MINIMAL, "--only", "library.*", "--quiet").stdout.splitlines()
        self.assertEqual(len(lines), 2)

    def test_only_and_skip_take_patterns(self):
        answer = json.loads(run("--json", MINIMAL, "--only", "library.*", "--only", "config.valid",
                                "--skip", "*.quick").stdout)
        names = [one["name"] for one in answer["libraries"][0]["tests"]]
        self.assertEqual(names, ["library.opens", "library.exports", "library.unmaps",
                                 "library.symbols_stay", "config.valid"])
        done = run(MINIMAL, "--only", "nothing.*")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--list", done.stderr)

    def test_the_seed_is_printed_and_chosen(self):
        first, second = (json.loads(run("--json", MINIMAL, "--only", "tools.valid").stdout)["seed"] for _ in range(2))
        self.assertNotEqual(first, second)
        self.assertEqual(json.loads(run("--json", MINIMAL, "--only", "tools.valid", "--seed", 9).stdout)["seed"], 9)

    def test_several_libraries(self):
        answer = json.loads(run("--json", MINIMAL, TODO, "--only", "library.opens").stdout)
        self.assertEqual([one["library"] for one in answer["libraries"]], [str(MINIMAL), str(TODO)])

    def test_a_given_config_is_used(self):
        good = run(TODO, "--config", '{"allowParallelInProgress":false}', "--only", "config.valid")
        self.assertEqual(good.returncode, 0)
        bad = run(TODO, "--config", "{}", "--only", "config.valid")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("missing required value", bad.stdout)
        self.assertEqual(run(TODO, "--config", "{no").returncode, 2)

    def test_jobs_change_nothing_but_the_time(self):
        def told(jobs):
            tests = json.loads(run("--json", MINIMAL, "--seed", 3, "--jobs", jobs).stdout)["libraries"][0]["tests"]
            return [(one["name"], one["status"], one.get("cause")) for one in tests]

        self.assertEqual(told(1), told(4))
        self.assertEqual(run(MINIMAL, "--jobs", 0).returncode, 2)

    def test_progress_on_a_terminal(self):
        status, lines = terminal.on_terminal([build.LOADER, "check", "--quiet", "--jobs", 1, TODO], timeout=600)
        self.assertEqual(status, 0)
        self.assertRegex("\n".join(lines), r"\d+ %.*\d+ of \d+ tests of dsh-tool-todo\.so")
        for percent, done, total in re.findall(r"(\d+) %  (\d+) of (\d+) tests", "\n".join(lines)):
            self.assertEqual(int(percent), int(done) * 100 // int(total))
        self.assertRegex(lines[-1], r"^\x1b\[K\S+: \d+ passed", "the line is wiped before the result")

    def test_narrow_terminals_break_lines_between_words(self):
        for columns in (40, 60, 200):
            with self.subTest(columns=columns):
                for options in (["--list"], [MINIMAL, "--only", "library.*", "--seed", 5],
                                [TODO, "--config", "{}", "--only", "config.valid", "--seed", 5]):
                    _, lines = terminal.on_terminal([build.LOADER, "check", *options], columns=columns)
                    for line in lines:
                        self.assertTrue(terminal.width(line) <= columns or len(line.split()) == 1, line)
                    # No word is broken inside, so that a path can be copied.
                    self.assertEqual(" ".join(lines).split(), run(*options).stdout.split())

    def test_in_process(self):
        self.assertEqual(run(MINIMAL, "--only", "tools.valid", "--in-process").returncode, 0)

    def test_what_cannot_be_checked(self):
        done = run("/nonexistent/plugin.so")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^[^\n]*/nonexistent/plugin.so: there is no such file[^\n]*\n$")
        self.assertEqual(run().returncode, 2)
        done = run(MINIMAL.parent)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("it is a directory", done.stderr)

    def directory(self):
        directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-check-"))
        self.addCleanup(shutil.rmtree, directory)
        return directory

    def test_what_is_no_library_is_told_once(self):
        directory = self.directory()
        (directory / "text.so").write_text("no library\n")
        (directory / "empty.so").write_bytes(b"")
        # The same library for another machine (e_machine: SPARC, which nothing here runs on), and cut short.
        elf = MINIMAL.read_bytes()
        (directory / "foreign.so").write_bytes(elf[:18] + b"\x02\x00" + elf[20:])
        (directory / "short.so").write_bytes(elf[:1000])
        others = len(run("--list").stdout.splitlines()) - 1
        for name in ("text", "empty", "foreign", "short"):
            with self.subTest(name):
                library = directory / f"{name}.so"
                done = run(library)
                self.assertEqual((done.returncode, done.stderr), (1, ""))
                heading, failed, cause, summary = done.stdout.splitlines()
                self.assertRegex(failed, r"^failed   library\.opens ")
                self.assertIn(f"can't load plugin {library}", cause)
                self.assertEqual(summary, f"{library}: 0 passed, 1 failed, {others} tests not run")
                self.assertEqual(run(library, "--quiet").stdout.splitlines()[1:], [failed, cause, summary])
                only = run(library, "--only", "tools.valid", "--only", "config.*").stdout.splitlines()
                self.assertEqual(only[1:-1], [failed, cause])
                self.assertRegex(only[-1], r": 0 passed, 1 failed, \d tests not run$")
                tests = json.loads(run("--json", library).stdout)["libraries"][0]["tests"]
                self.assertEqual([one["name"] for one in tests if one["status"] != "skipped"], ["library.opens"])
                self.assertEqual(len(tests), others + 1)

    def test_the_words_of_a_plugin_reach_no_terminal_raw(self):
        source = self.directory() / "loud.c"
        source.write_text(LOUD)
        library = toolchain.build_plugin(self, source, source.with_suffix(".so"), "-Wno-unused-function",
                                         "-Wno-unused-const-variable", f"-I{FAULTY}")
        for options in ([], ["--json"]):
            done = subprocess.run([build.LOADER, "check", *options, "--only", "tools.*", "--only", "config.*",
                                   "--only", "process.std*", library], capture_output=True)
            told = done.stdout.decode()  # strict: every byte is UTF-8
            self.assertEqual((done.returncode, done.stderr), (1, b""))
            self.assertIn(r"\x1b[2Jover\x00 and out\u202e\x9b", told.replace("\\\\", "\\"))
            self.assertNotRegex(told.replace("\n", ""), "[\x00-\x1f\x7f-\x9f\u202e]")

    def test_list_names_every_test(self):
        listed = [(one["name"], one["description"]) for one in json.loads(run("--list", "--json").stdout)]
        no_library = self.directory() / "text.so"
        no_library.write_text("no library\n")
        (library,) = json.loads(run("--json", no_library).stdout)["libraries"]  # its report has every test, too
        self.assertEqual(listed, [(one["name"], one["description"]) for one in library["tests"]])
        self.assertEqual(len({name for name, _ in listed}), len(listed))
        self.assertEqual([line.split()[0] for line in run("--list").stdout.splitlines()], [name for name, _ in listed])


if __name__ == "__main__":
    unittest.main()
