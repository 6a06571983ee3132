"""clang-tidy has nothing to say of the plugin, the contract and the sample host.

It reads each source as the build compiles it. That takes minutes, so it runs under DSH_FULL alone.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import unittest

import build
import toolchain

ROOMS = ("host-api", "plugin", "loader-sample")


def compiled():
    """The sources of the three rooms that the build compiles."""
    entries = json.loads((build.BUILD / "compile_commands.json").read_text())
    files = sorted({pathlib.Path(entry["file"]) for entry in entries})
    return [file for file in files if file.is_relative_to(build.SOURCE)
            and file.relative_to(build.SOURCE).parts[0] in ROOMS]


@unittest.skipUnless(shutil.which("clang-tidy"), "needs clang-tidy")
class Tidy(unittest.TestCase):
    def test_it_reads_the_build(self):
        """What the test below rests on: the sources are found, and a fault in one is seen."""
        self.assertGreater(len(compiled()), 100)
        done = toolchain.run("clang-tidy", "--quiet", "--checks=-*,misc-unused-parameters", "-", "--", "-xc++",
                             input="int f(int unused) { return 0; }\n", cwd=build.SOURCE)
        configured = toolchain.run("clang-tidy", "--dump-config", compiled()[0], cwd=build.SOURCE)
        self.assertIn("bugprone-", configured.stdout, done.stderr)

    @unittest.skipUnless(os.environ.get("DSH_FULL"), "takes minutes: set DSH_FULL")
    def test_every_source(self):
        def read(file):
            return file, toolchain.run("clang-tidy", "--quiet", "-p", build.BUILD, file, cwd=build.SOURCE, timeout=900)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for file, done in pool.map(read, compiled()):
                with self.subTest(str(file.relative_to(build.SOURCE))):
                    self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
