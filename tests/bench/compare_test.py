"""compare.sh: that every part of it runs on the built tree, without a network, and what its table and its
JSON are made of. Nothing here looks at a time.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import build

HERE = pathlib.Path(__file__).parent
# Importing what is tested leaves nothing in the source tree.
sys.dont_write_bytecode = True
import samples  # noqa: E402
import table  # noqa: E402

QUANTITIES = ["1 call", "2 durable", "3 audit", "4 plan", "5 start", "6 growth"]


def compare(*words, script=HERE / "compare.sh"):
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(["bash", str(script), *map(str, words)], capture_output=True, text=True, env=env, timeout=900)


class CompareTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        file = cls.directory / "samples.json"
        cls.done = compare("--smoke", "--rounds", 2, "--no-reference", "--build", build.BUILD, "--json", file)
        if cls.done.returncode not in (0, 1):
            raise AssertionError(cls.done.stdout + cls.done.stderr)
        cls.answer = json.loads(file.read_text())

    def test_every_quantity_has_rows(self):
        self.assertEqual(sorted({row["quantity"] for row in self.answer["rows"]}), QUANTITIES)

    def test_every_row_has_a_sample_of_each_round(self):
        for row in self.answer["rows"]:
            with self.subTest(row=row["name"]):
                self.assertEqual(len(row["ours"]), 2)
                self.assertEqual(len(row["other"]), 0 if row["against"] is None else 2)
                self.assertLessEqual(row["figure"]["min"], row["figure"]["median"])
                self.assertLessEqual(row["figure"]["median"], row["figure"]["max"])

    def test_calls_of_every_size_and_content_stand_against_the_limit(self):
        calls = {row["name"]: row["at_most"] for row in self.answer["rows"] if row["quantity"] == "1 call" and row["against"] == "limit"}
        self.assertEqual(calls, {f"{items} items, {content}": 1.5 if content == "ordinary" else 2.5
                                 for items in (10, 100, 1000) for content in ("ordinary", "non-ascii", "padded", "escaped")})

    def test_counts_are_what_was_promised(self):
        """These are no times: they hold in any run."""
        figures = {row["name"]: row["figure"]["median"] for row in self.answer["rows"]}
        self.assertLessEqual(figures["heap allocations an item more"], 1)
        self.assertLessEqual(figures["plugin, stripped"], 450)
        if "syncs of `call`, opening aside" not in figures:
            self.skipTest("syncs could not be counted: " + self.done.stdout.split("Syncs were not counted: ")[1])
        self.assertEqual(figures["syncs of a line of `run`"], 1)
        self.assertEqual(figures["syncs of `call`, opening aside"], 2)
        self.assertEqual(figures["syncs of a call of `mcp`"], 2)

    def test_the_table_has_a_line_a_row(self):
        lines = [line for line in self.done.stdout.splitlines() if line.startswith("|")]
        self.assertEqual(len(lines), len(self.answer["rows"]) + 2)
        self.assertEqual(len({len(line) for line in lines}), 1, "columns that do not line up")
        missed = [row for row in self.answer["rows"] if row["met"] is False]
        self.assertEqual(sum("| MISSED |" in line for line in lines), len(missed))
        self.assertEqual(self.done.returncode, 1 if missed else 0)
        self.assertIn(f"Targets missed: {len(missed)}", self.done.stdout)

    def test_the_readmes_table_has_the_targets_of_today_and_judges_by_them(self):
        today = {}
        for row in self.answer["rows"]:
            bound = f"≤ {row['at_most']:g}" if row["at_most"] is not None else f"≥ {row['at_least']:g}" if row["at_least"] is not None else ""
            today.setdefault((row["quantity"], row["name"]), set()).add(bound)
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in (HERE / "README.md").read_text().splitlines()]
        shown = [cells for cells in lines if len(cells) == 9 and cells[0] in QUANTITIES]
        ours = [cells for cells in shown if (cells[0], cells[1]) in today and not cells[3].startswith("reference")]
        self.assertGreater(len(ours), 20)
        for cells in shown:
            with self.subTest(row=cells):
                figure, bound = (float(cell.strip("×≤≥ ").replace(",", "")) for cell in (cells[4], cells[6]))
                met = figure <= bound if cells[6].startswith("≤") else figure >= bound
                self.assertEqual(cells[7], "met" if met else "MISSED")
                if cells in ours:
                    self.assertIn(cells[6], today[cells[0], cells[1]])

    def test_the_machine_is_named(self):
        self.assertLessEqual({"cpu", "cores", "compiler", "libc"}, self.answer["machine"].keys())


class WithoutReferenceTest(unittest.TestCase):
    def test_it_says_so_and_ends_with_a_status_of_its_own(self):
        with tempfile.TemporaryDirectory() as directory:
            copy = pathlib.Path(directory) / "bench"
            shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
            done = compare("--smoke", "--only", "audit", "--build", build.BUILD, "--json", copy / "out.json", script=copy / "compare.sh")
            self.assertIn("Without the reference: its npm packages are not installed", done.stdout)
            missed = "MISSED" in done.stdout
            self.assertEqual(done.returncode, 1 if missed else 3, done.stderr)
            self.assertEqual(json.loads((copy / "out.json").read_text())["reference"], None)


class BenchmarkTest(unittest.TestCase):
    def test_the_parts_run_beside_their_limits(self):
        program = build.BUILD / "tests" / "bench" / "dsh-bench"
        if not program.exists():
            self.skipTest("it was built without Google Benchmark: bash cmake/setup.sh --tests")
        done = subprocess.run([program, "--benchmark_filter=(call|limit)/items:10/|audit|line_ends|plan/MB:1$",
                               "--benchmark_min_time=0.001", "--benchmark_format=json"], capture_output=True, text=True, timeout=600)
        ran = {one["name"]: one for one in json.loads(done.stdout)["benchmarks"]}
        self.assertEqual(len([name for name in ran if name.startswith("call/")]), 4)
        self.assertEqual({name.replace("call", "limit") for name in ran if name.startswith("call/")}, {name for name in ran if name.startswith("limit/")})
        self.assertLessEqual({"audit/MB:10", "line_ends/MB:10", "plan/MB:1"}, ran.keys())
        self.assertEqual([one["error_message"] for one in ran.values() if one.get("error_occurred")], [])


class UsageTest(unittest.TestCase):
    def test_help(self):
        done = compare("--help")
        self.assertEqual(done.returncode, 0)
        told = re.findall(r"`(--[a-z-]+)", (HERE / "README.md").read_text())
        self.assertIn("--quick", told)
        for option in ("--rounds", "--no-reference", "--json", "--build", *told):
            self.assertIn(option, done.stdout)

    def test_what_cannot_be_done_ends_with_two_and_says_why(self):
        with tempfile.TemporaryDirectory() as empty:
            for words, why in ((["--fast"], "unknown option --fast"), (["--rounds"], "--rounds needs a value"),
                               (["--build", build.BUILD, "--rounds", "0"], "--rounds takes a number from 1"),
                               (["--build", build.BUILD, "--only", "lunch"], "no such quantity"),
                               (["--build", empty], "holds no measurements")):
                with self.subTest(words=words):
                    done = compare(*words)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(why, done.stderr)


class RowTest(unittest.TestCase):
    def row(self, ours, other, **target):
        row = samples.Row("1 call", "what", "µs", against="limit", **target)
        for pair in zip(ours, other):
            row.add(*pair)
        return row

    def test_at_most_is_a_ratio_of_ours_to_the_other_round_by_round(self):
        row = self.row([3, 8, 2], [2, 2, 4], at_most=1.5)
        self.assertEqual(row.figures(), [1.5, 4, 0.5])
        self.assertTrue(row.met())

    def test_at_least_is_how_many_times_as_fast_ours_is(self):
        row = self.row([1, 2, 4], [300, 500, 900], at_least=260, faster=True)
        self.assertEqual(row.figure(), 250)
        self.assertFalse(row.met())
        self.assertEqual(row.excess(), "250 instead of at least 260 (by 4%)")

    def test_a_value_alone_and_one_without_a_target(self):
        alone = samples.Row("5 start", "peak memory", "MiB", at_most=12)
        alone.add(13)
        self.assertFalse(alone.met())
        self.assertEqual(alone.excess(), "13 instead of at most 12 (by 8%)")
        free = samples.Row("5 start", "anything", "MiB")
        free.add(1)
        self.assertIsNone(free.met())

    def test_the_table(self):
        rows = samples.Rows()
        rows.add("1 call", "10 items", "µs", 3, 2, against="limit", at_most=1.4)
        rows.add("5 start", "peak memory", "MiB", 7.25, at_most=12)
        self.assertEqual(table.draw(rows).splitlines()[2:], [
            "| 1 call   | 10 items    |  3.00 µs | limit 2.00 µs |  1.50× | 1.50–1.50 |  ≤ 1.4 | MISSED |",
            "| 5 start  | peak memory | 7.25 MiB |               |   7.25 | 7.25–7.25 |   ≤ 12 | met    |"])


if __name__ == "__main__":
    unittest.main()
