"""clang-tidy has nothing to say of the plugin, the contract and the sample host.

It reads each source as the build compiles it. That takes minutes, so it runs under DSH_FULL alone.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import tempfile
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
    def test_a_fault_is_seen(self):
        """What the test below rests on: sources are found, and a fault fails, GCC's own flags do not."""
        self.assertGreater(len(compiled()), 100)
        with tempfile.TemporaryDirectory() as directory:
            source = pathlib.Path(directory) / "fault.cpp"
            for text, status in (("(void)", 0), ("", 1)):
                source.write_text(f"#include <cstdio>\nvoid flush() {{ {text}std::fflush(nullptr); }}\n")
                done = toolchain.run("clang-tidy", "--quiet", f"--config-file={build.SOURCE / '.clang-tidy'}", source,
                                     "--", "-std=c++20", "-Wall", "-Werror", "-Wno-restrict")
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertEqual("cert-err33-c" in done.stdout, status == 1, done.stdout)

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
