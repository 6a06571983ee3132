"""The READMEs tell the truth: every command they show runs here, and prints what they say.

A fenced block of `sh` or `python` is run; a block of `text` after it is its output, in which `…` stands for
anything, and as a line of its own for any lines. What builds, tests or measures the whole tree is not run from
here: for such a line, what it names has to exist.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import build
import loader

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WHOLE_TREE = re.compile(r"^(bash (cmake|tests)/|cmake |ctest )")


def blocks(readme):
    """The fenced blocks of a README: (language, text), in order."""
    return FENCE.findall(readme.read_text())


def matches(shown, printed):
    pattern = "".join(r"(?:.*\n)*" if line == "…\n" else ".*".join(map(re.escape, line.split("…"))) for line in shown.splitlines(keepends=True))
    return re.fullmatch(pattern, printed.replace("\u2002", " ")) is not None  # a README has plain spaces


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        programs = self.home / "bin"
        programs.mkdir()
        (programs / "loader-sample").symlink_to(build.LOADER)
        (self.home / "build").mkdir()
        (self.home / "build" / "release").symlink_to(build.BUILD)
        self.env = loader.environment(self.home, PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")

    def run_block(self, language, text):
        command = {"sh": ["bash", "-euo", "pipefail", "-c", text], "python": [sys.executable, "-c", text]}[language]
        done = subprocess.run(command, capture_output=True, text=True, env=self.env, cwd=self.home, timeout=300)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        return done.stdout

    def check_named(self, line):
        """A line that builds the tree names a script or a preset that is there."""
        for target in re.findall(r"--target (\S+)", line):
            known = subprocess.run(["cmake", "--build", build.BUILD, "--target", "help"], capture_output=True, text=True).stdout
            self.assertRegex(known, rf"(?m)^{re.escape(target)}:", line)
        for script in re.findall(r"\b(?:cmake|tests)/\S+\.sh\b", line):
            self.assertTrue((build.SOURCE / script).is_file(), line)
        presets = json.loads((build.SOURCE / "CMakePresets.json").read_text())["configurePresets"]
        for preset in re.findall(r"--preset[ =](\S+)", line):
            self.assertIn(preset, [one["name"] for one in presets], line)

    def check(self, readme):
        ran = 0
        found = blocks(readme)
        for (language, text), (next_language, output) in zip(found, found[1:] + [("", "")]):
            if language not in ("sh", "python"):
                continue
            whole_tree = [line for line in text.splitlines() if WHOLE_TREE.match(line)]
            for line in whole_tree:
                self.check_named(line)
            if whole_tree:
                continue
            with self.subTest(text=text):
                printed = self.run_block(language, text)
                ran += 1
                if language == "python":
                    self.assertEqual(self.run_block(language, text), printed, "it runs a second time as well")
                if next_language == "text":
                    self.assertTrue(matches(output, printed), f"{text}\nshown:\n{output}\nprinted:\n{printed}")
        return ran

    def test_the_project(self):
        subprocess.run(["cmake", "--install", build.BUILD, "--prefix", self.home / ".local"], check=True,
                       capture_output=True)
        self.assertGreater(self.check(build.SOURCE / "README.md"), 0)

    def test_the_sample_host(self):
        self.assertGreater(self.check(build.SOURCE / "loader-sample" / "README.md"), 5)

    def test_the_tests(self):
        self.check(build.SOURCE / "tests" / "README.md")

    def test_the_measurements(self):
        if not (build.BUILD / "tests" / "bench" / "dsh-bench").exists():
            self.skipTest("it was built without Google Benchmark: bash cmake/setup.sh --tests")
        self.assertGreater(self.check(build.SOURCE / "tests" / "bench" / "README.md"), 0)

    def test_the_tables_name_every_folder(self):
        for readme, shape in (("README.md", r"\| \[?%s\b"), ("tests/README.md", r"\| [\[`]%s\b"),
                              ("loader-sample/README.md", r"\| `%s`")):
            folder = (build.SOURCE / readme).parent
            for part in folder.iterdir():
                if part.is_dir() and not part.name.startswith((".", "build", "__")):
                    with self.subTest(readme=readme, folder=part.name):
                        self.assertRegex(folder.joinpath("README.md").read_text(), r"(?m)^" + shape % re.escape(part.name))

    def test_a_folder_of_tests_is_a_label(self):
        shown = subprocess.run(["ctest", "--test-dir", build.BUILD, "--show-only=json-v1"], check=True, capture_output=True).stdout
        labels = {label for test in json.loads(shown)["tests"] for one in test["properties"] if one["name"] == "LABELS"
                  for label in one["value"]}
        table = re.findall(r"(?m)^\| [\[`](\w+)", (build.SOURCE / "tests" / "README.md").read_text())
        self.assertIn("e2e", table)
        self.assertLessEqual(set(table) - {"support"}, labels)

    def test_its_table_names_every_command(self):
        text = (build.SOURCE / "loader-sample" / "README.md").read_text()
        shown = set(re.findall(r"(?m)^\| `([a-z]+)[^`]*` \| (?!→)", text.split("## Script mode")[0]))
        known = set(re.findall(r"(?m)^  ([a-z]+)  +\S", loader.run("--help").stdout.decode()))
        self.assertLessEqual(known, shown)


if __name__ == "__main__":
    unittest.main()
