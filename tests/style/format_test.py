"""Every C and C++ source is written as .clang-format says."""
import shutil
import unittest

import build
import toolchain

ROOMS = ("host-api", "plugin", "loader-sample", "tests", "cmake")
SUFFIXES = (".c", ".h", ".cpp", ".hpp")


def sources():
    """The sources of this tree, without what a build or npm has put there."""
    return [path for room in ROOMS for path in sorted((build.SOURCE / room).rglob("*"))
            if path.suffix in SUFFIXES and not {"build", "node_modules"} & set(path.relative_to(build.SOURCE).parts)]


@unittest.skipUnless(shutil.which("clang-format"), "needs clang-format")
class Format(unittest.TestCase):
    def test_every_source(self):
        files = sources()
        self.assertGreater(len(files), 300)
        done = toolchain.run("clang-format", "--dry-run", "--Werror", *files, cwd=build.SOURCE)
        wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if ": error: " in line})
        self.assertEqual((wrong, done.returncode), ([], 0))


if __name__ == "__main__":
    unittest.main()
