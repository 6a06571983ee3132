"""Tests are named in words with underscores: `TEST(Gate, runs_a_change_at_once_when_nothing_runs)`."""
import re
import unittest

import build

NAMED = re.compile(r"^TEST(?:_F|_P)?\(\w+,\s*(\w+)\)", re.MULTILINE)


class Names(unittest.TestCase):
    def test_every_test(self):
        files = sorted((build.SOURCE / "tests").rglob("*_test.cpp"))
        names = [(str(file.relative_to(build.SOURCE)), name) for file in files for name in NAMED.findall(file.read_text())]
        self.assertGreater(len(names), 700)
        self.assertEqual([name for name in names if not re.fullmatch("[a-z0-9_]+", name[1])], [])


if __name__ == "__main__":
    unittest.main()
