"""The contract does not change under those who build on it.

Layout and constants are asserted at compile time (layout.h); here the same asserts run for the data
models that this machine does not have, the types are compared with the committed description of the
revision, and every one of a list of deliberate breaks must be seen.
"""
import importlib.util
import pathlib
import re
import shutil
import tempfile
import unittest

import build
import toolchain
from abi_description import Description, breaks

HERE = build.SOURCE / "tests" / "abi"
BASELINE = HERE / "baseline" / "revision-1.abi"
_spec = importlib.util.spec_from_file_location("update", HERE / "baseline" / "update.py")
update = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(update)

# What a careless change would do: header, the text to find, what to put there.
BREAKS = {
    "a member inserted before others": ("tools.h", r"  int32_t\(DSH_CALL \*render\)", r"  void *later;\n\g<0>"),
    "a function inserted into a table": ("sessions.h", r"  int32_t\(DSH_CALL \*read\)",
                                         r"  void(DSH_CALL *flush)(const dsh_session *session);\n\g<0>"),
    "a member removed": ("invariants.h", r"  size_t type_count;", ""),
    "a member made wider": ("tools.h", r"int32_t mode;", "int64_t mode;"),
    "a member made narrower": ("sessions.h", r"int64_t time;", "int32_t time;"),
    "a reserved word dropped": ("tools.h", r"uint32_t reserved;", "", 0),
    "a parameter added": ("invariants.h", r"void \*user, void \*trace, const dsh_event \*event\)",
                          "void *user, void *trace, const dsh_event *event, int64_t seq)"),
    "a parameter dropped": ("host.h", r"int32_t level, const char \*text", "const char *text"),
    "a parameter's type changed": ("sessions.h", r"int64_t from_seq", "uint32_t from_seq"),
    "two parameters exchanged": ("abi.h", r"const char \*text, size_t size, const char \*name",
                                 "size_t size, const char *text, const char *name"),
    "a return type changed": ("host.h", r"void\(DSH_CALL \*log\)", "int32_t(DSH_CALL *log)"),
    "a member renamed": ("projections.h", r"dsh_str key; ", "dsh_str id; "),
    "two members of one type exchanged": ("projections.h", r"\(DSH_CALL \*(view|restore)\)", lambda found:
        "(DSH_CALL *%s)" % {"view": "restore", "restore": "view"}[found[1]], 0),
    "a struct passed by value": ("abi.h", r"void \*ctx, const char \*data, size_t size", "void *ctx, dsh_str data"),
    "the frozen root grown": ("host.h", r"\n};", "\n  void *more;\n};"),
    "a word of the contract grown": ("abi.h", r"\} dsh_str;", "  uint32_t flags;\n} dsh_str;"),
}
# What the contract allows.
GROWS = {
    "a function appended to a tool": ("tools.h", r"\} dsh_tool;",
                                      "  int32_t(DSH_CALL *start)(void *user);\n} dsh_tool;"),
    "a member appended to a call": ("tools.h", r"\} dsh_call;", "  uint32_t flags, reserved2;\n} dsh_call;"),
    "a function appended to a service": ("sessions.h", r"\} dsh_sessions;",
                                         "  int32_t(DSH_CALL *open)(const dsh_str *id);\n} dsh_sessions;"),
}
# What a comparison of types overlooks, and the asserts see.
ASSERTED = {
    "a trace that check may write": ("invariants.h", r"void \*user, const void \*trace", "void *user, void *trace"),
    "a table that a plugin may write": ("host.h", r"const void \*\(DSH_CALL \*service", "void *(DSH_CALL *service"),
    "a symbol of another type": ("plugin.h", r"const uint32_t abi_version", "const uint64_t abi_version"),
    "a symbol that is no longer const": ("plugin.h", r"const char \*const name", "const char *name"),
    "a status renumbered": ("abi.h", r"DSH_NONE = 3", "DSH_NONE = 5"),
    "a level renumbered": ("abi.h", r"DSH_DEBUG = 0, DSH_INFO = 1", "DSH_DEBUG = 1, DSH_INFO = 0"),
    "a mode renumbered": ("tools.h", r"DSH_EXCLUSIVE = 0", "DSH_EXCLUSIVE = 2"),
    "a flag renumbered": ("projections.h", r"DSH_DECISIVE = 1", "DSH_DECISIVE = 2"),
    "another revision": ("abi.h", r"DSH_ABI_VERSION 1", "DSH_ABI_VERSION 2"),
    "a struct packed": ("tools.h", r"typedef struct dsh_call \{", r"#pragma pack(1)\n\g<0>"),
    "another calling convention": ("abi.h", r"#else\n#define DSH_CALL\n",
                                   "#else\n#define DSH_CALL __attribute__((ms_abi))\n"),
}


def constants(include):
    """The names of all enumerators. Raises ValueError where two of one enumeration have one value."""
    names = set()
    for header in (include / "dsh").glob("*.h"):
        for body in re.findall(r"\benum \{(.*?)\};", header.read_text(), re.S):
            values = {}
            for name, value in re.findall(r"(DSH_\w+) = (\d+)", body):
                if value in values:
                    raise ValueError(f"{values[value]} and {name} are both {value}")
                values[value] = name
                names.add(name)
    return names


class Stability(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-abi-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def changed_headers(self, header, pattern, replacement, count=1):
        """A copy of the headers with one change in it. The change must really be one."""
        include = self.directory / "include"
        shutil.rmtree(include, ignore_errors=True)
        shutil.copytree(toolchain.INCLUDE, include)
        file = include / "dsh" / header
        before = file.read_text()
        after = re.sub(pattern, replacement, before, count=count)
        self.assertNotEqual(before, after, "the headers no longer hold what this change replaces")
        file.write_text(after)
        return include

    def described(self, include):
        """The file that describes the contract as the headers in `include` have it."""
        if not shutil.which("abidw"):
            self.skipTest("needs abidw and abidiff (Debian: abigail-tools)")
        description = self.directory / "now.abi"
        update.describe(include, description, toolchain.c_compiler())
        return description

    def asserts_hold(self, include, *flags, compiler=None):
        """The asserts of layout.h, as C."""
        done = toolchain.run(compiler or toolchain.c_compiler(), "-std=c11", "-fsyntax-only", *flags,
                             f"-I{include}", "-x", "c", HERE / "layout.h")
        return done.returncode == 0, done.stderr

    def cpp_asserts_hold(self, include):
        done = toolchain.run(toolchain.cxx_compiler(), "-std=c++20", "-fsyntax-only", f"-I{include}",
                             HERE / "layout.cpp")
        return done.returncode == 0

    def test_the_types_are_those_of_revision_1(self):
        now = self.described(toolchain.INCLUDE)
        toolchain.check(self, "abidiff", "--harmless", BASELINE, now)
        self.assertEqual(Description(BASELINE).structs, Description(now).structs)
        self.assertEqual(Description(BASELINE).symbols, Description(now).symbols)

    def test_every_struct_of_the_contract_has_a_witness(self):
        headers = "".join(path.read_text() for path in sorted((toolchain.INCLUDE / "dsh").glob("*.h")))
        structs = set(re.findall(r"^(?:typedef )?struct (dsh_\w+) \{", headers, re.M))
        witness = set(re.findall(r"^WITNESS\((\w+)\)", (HERE / "witness.c").read_text(), re.M))
        sizes = set(re.findall(r"^(?:SIZE|TABLE)\((\w+)", (HERE / "layout.h").read_text(), re.M))
        self.assertEqual(structs, witness)
        self.assertEqual(structs, sizes)
        self.assertEqual(len(structs), 15)

    def test_every_break_is_seen(self):
        for what, change in BREAKS.items():
            with self.subTest(what):
                now = self.described(self.changed_headers(*change))
                self.assertNotEqual(breaks(Description(BASELINE), Description(now)), [])
                self.assertNotEqual(toolchain.run("abidiff", "--harmless", BASELINE, now).returncode, 0)

    def test_growth_at_the_end_is_seen_and_allowed(self):
        for what, change in GROWS.items():
            with self.subTest(what):
                now = self.described(self.changed_headers(*change))
                self.assertEqual(breaks(Description(BASELINE), Description(now)), [])
                self.assertNotEqual(toolchain.run("abidiff", "--harmless", BASELINE, now).returncode, 0)

    def test_what_types_do_not_show_breaks_the_asserts(self):
        self.assertTrue(self.cpp_asserts_hold(toolchain.INCLUDE))
        for what, change in ASSERTED.items():
            with self.subTest(what):
                self.assertFalse(self.cpp_asserts_hold(self.changed_headers(*change)))

    def test_every_constant_is_asserted_and_no_two_of_a_kind_are_equal(self):
        asserted = set(re.findall(r"^IS\((DSH_\w+), \d+\);", (HERE / "layout.h").read_text(), re.M))
        self.assertEqual(constants(toolchain.INCLUDE) | {"DSH_ABI_VERSION"}, asserted)
        twice = self.changed_headers("abi.h", r"DSH_VIOLATED = 4", r"\g<0>, DSH_BUSY = 2")
        with self.assertRaisesRegex(ValueError, "DSH_NO_MEMORY and DSH_BUSY are both 2"):
            constants(twice)

    def test_the_layout_holds_with_32_bit_pointers(self):
        holds, why = self.asserts_hold(toolchain.INCLUDE, "-m32", "-ffreestanding", "-Wpadded", "-Werror")
        self.assertTrue(holds, why)

    def test_the_layout_holds_where_long_is_32_bits(self):
        compiler = shutil.which("x86_64-w64-mingw32-gcc-posix")
        if not compiler:
            self.skipTest("needs MinGW-w64")
        holds, why = self.asserts_hold(toolchain.INCLUDE, "-Wpadded", "-Werror", compiler=compiler)
        self.assertTrue(holds, why)

    def test_no_struct_has_padding(self):
        holds, why = self.asserts_hold(toolchain.INCLUDE, "-Wpadded", "-Werror")
        self.assertTrue(holds, why)


class Headers(unittest.TestCase):
    """Each header stands alone, without a warning, in both languages."""

    def compile_alone(self, header, compiler, language, standard):
        done = toolchain.run(compiler, f"-std={standard}", *toolchain.WARNINGS, "-Wstrict-prototypes" if language == "c"
                             else "-Wold-style-cast", f"-I{toolchain.INCLUDE}", "-fsyntax-only", "-x", language, "-",
                             input=f"#include <dsh/{header.name}>\n#include <dsh/{header.name}>\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{header.name} with {compiler} -std={standard}")

    def test_c_headers_alone(self):
        headers = sorted((toolchain.INCLUDE / "dsh").glob("*.h"))
        self.assertGreaterEqual(len(headers), 8)
        for header in headers:
            for compiler in toolchain.compilers("c"):
                for standard in ("c11", "c17"):
                    self.compile_alone(header, compiler, "c", standard)
            for compiler in toolchain.compilers("c++"):
                for standard in ("c++11", "c++17", "c++20"):
                    self.compile_alone(header, compiler, "c++", standard)

    def test_cpp_headers_alone(self):
        for header in sorted((toolchain.INCLUDE / "dsh").glob("*.hpp")):
            for compiler in toolchain.compilers("c++"):
                self.compile_alone(header, compiler, "c++", "c++20")

    def test_a_host_finds_every_word_in_one_header(self):
        words = set()
        for header in (toolchain.INCLUDE / "dsh").glob("*.h"):
            words |= set(re.findall(r"^#define (DSH_[A-Z_]+) ", header.read_text(), re.M)) - {"DSH_EXPORT", "DSH_CALL"}
        self.assertIn("DSH_INVALID_CONFIG", words)
        uses = "".join(f"#if !defined({word})\n#error {word}\n#endif\n" for word in sorted(words))
        done = toolchain.run(toolchain.c_compiler(), "-std=c11", f"-I{toolchain.INCLUDE}", "-fsyntax-only", "-x", "c", "-",
                             input="#include <dsh/dsh.h>\n" + uses)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_header_is_installed(self):
        listed = re.findall(r"include/(dsh/\S+\.hp?p?)", (build.SOURCE / "host-api" / "CMakeLists.txt").read_text())
        there = [f"dsh/{path.name}" for path in (toolchain.INCLUDE / "dsh").iterdir()]
        self.assertEqual(sorted(listed), sorted(there))

    def test_headers_include_no_other_room(self):
        for header in (toolchain.INCLUDE / "dsh").iterdir():
            for included in re.findall(r"#include\s+(\S+)", header.read_text()):
                if included.startswith('"'):
                    self.assertTrue((header.parent / included.strip('"')).is_file(), f"{header.name}: {included}")
                elif header.suffix == ".h":
                    self.assertIn(included, ("<stddef.h>", "<stdint.h>"))


if __name__ == "__main__":
    unittest.main()
