"""Mistakes that the headers turn into compile errors.

Each file of must_not_compile compiles as it stands, and fails with -DMISTAKE in the way its first line
says: a test that failed for any other reason would prove nothing.
"""
import re
import unittest

import build
import toolchain

CASES = sorted((build.SOURCE / "tests" / "abi" / "must_not_compile").glob("*.c*"))


class MustNotCompile(unittest.TestCase):
    def compile(self, case, *flags):
        language, standard, compiler = (("c", "c11", toolchain.c_compiler()) if case.suffix == ".c" else
                                        ("c++", "c++20", toolchain.cxx_compiler()))
        return toolchain.run(compiler, f"-std={standard}", *toolchain.WARNINGS, *flags, f"-I{toolchain.INCLUDE}",
                             "-fsyntax-only", "-x", language, case, env=toolchain.clean_environment(LC_ALL="C"))

    def test_right_code_compiles(self):
        self.assertGreaterEqual(len(CASES), 20)
        for case in CASES:
            with self.subTest(case.name):
                done = self.compile(case)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_mistake_is_an_error(self):
        for case in CASES:
            with self.subTest(case.name):
                expected = re.match(r"/[/*] error: (.*?)(?: \*/)?$", case.read_text().splitlines()[0])[1]
                done = self.compile(case, "-DMISTAKE")
                self.assertNotEqual(done.returncode, 0, "it compiles")
                self.assertRegex(" ".join(re.findall(r"error: (.*)", done.stderr)), expected)


if __name__ == "__main__":
    unittest.main()
