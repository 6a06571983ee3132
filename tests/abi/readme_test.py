"""Every snippet of host-api/README.md does what the text says: C and C++ compile without a warning, the
plugins pass the checker and run in the hosts, the commands work on an installed SDK."""
import os
import pathlib
import shutil
import tempfile
import unittest

import build
import markdown
import toolchain

README = (build.SOURCE / "host-api" / "README.md").read_text()
SNIPPETS = markdown.snippets(README)


def snippet(language, part=None):
    return markdown.snippet(README, language, part)


class Readme(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-readme-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def compile(self, language, part, *flags):
        source = self.directory / ("titles.c" if language == "c" else "titles.cpp")
        source.write_text(snippet(language, part))
        compiler, standard = ((toolchain.c_compiler(), "c11") if language == "c" else
                              (toolchain.cxx_compiler(), "c++20"))
        output = self.directory / f"{part}-{language.strip('+')}.so"
        toolchain.check(self, compiler, f"-std={standard}", *toolchain.WARNINGS, f"-I{toolchain.INCLUDE}",
                        *toolchain.sanitizer_flags(), *flags, source, "-o", output)
        return output

    def plugin(self, language):
        exports = build.SOURCE / "host-api" / "cmake" / "dsh-plugin.map"
        return self.compile(language, "plugin", "-shared", "-fPIC", f"-Wl,--version-script={exports}", "-Wl,-Bsymbolic")

    def keeps_the_contract(self, plugin):
        done = toolchain.run(build.LOADER, "check", "--quiet", "--seed", 3, plugin, timeout=600)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2), done.stdout)

    def test_every_snippet_is_known(self):
        kinds = {(kind, name) for kind, name, _ in SNIPPETS}
        self.assertEqual(kinds, {("c", "plugin"), ("c", "host"), ("cpp", "plugin"), ("cmake", ""),
                                 ("cmake", "greeter"), ("sh", ""), ("text", "")})

    def test_the_plugin_keeps_the_contract(self):
        self.keeps_the_contract(self.plugin("c"))

    def test_the_cpp_plugin_keeps_the_contract(self):
        self.keeps_the_contract(self.plugin("cpp"))

    def test_the_plugins_run_in_the_minimal_host(self):
        host = build.BUILD / "host-api" / "examples" / "minimal-host"
        for language, tool, text in (("c", "session_title", "This is session-1"), ("cpp", "greet", "Nice to be here.")):
            done = toolchain.run(host, self.plugin(language), "null", tool, "{}", tool, "[]")
            self.assertEqual(done.stdout.splitlines(), [text, "Error: the arguments must be an object"])

    def test_the_host_runs_the_plugin(self):
        host = self.compile("c", "host", "-ldl")
        minimal = build.BUILD / "host-api" / "examples" / "minimal-plugin.so"
        for plugin, shown in ((self.plugin("c"), "This is no session"), (self.plugin("cpp"), "Nice to be here."),
                              (minimal, "Error: session_length requires an owning session")):
            done = toolchain.run(host, plugin)
            self.assertEqual((done.returncode, done.stdout), (0, shown + "\n"))

    def test_the_host_takes_no_half_answer(self):
        """A refusal of its sink fails the call, whatever the tool returns."""
        source = (self.directory / "long.c")
        text = snippet("c", "plugin").replace('say(text, "This is no session", 18)', "(say(text, long_text, 6000), DSH_OK)")
        source.write_text(text.replace("static int32_t say", "static const char long_text[6000];\nstatic int32_t say", 1))
        plugin = self.directory / "long.so"
        exports = build.SOURCE / "host-api" / "cmake" / "dsh-plugin.map"
        toolchain.check(self, toolchain.c_compiler(), "-std=c11", f"-I{toolchain.INCLUDE}", "-shared", "-fPIC",
                        f"-Wl,--version-script={exports}", source, "-o", plugin)
        done = toolchain.run(self.compile("c", "host", "-ldl"), plugin)
        self.assertEqual(done.stdout, "Error: \n")

    def test_the_commands_work(self):
        """All of them, in order, by somebody who has the SDK and the sample host in a prefix at home."""
        prefix = self.directory / ".local"
        for component in ("sdk", "loader"):
            toolchain.check(self, "cmake", "--install", build.BUILD, "--component", component, "--prefix", prefix)
        (self.directory / "titles.c").write_text(snippet("c", "plugin"))
        (self.directory / "tiny_host.c").write_text(snippet("c", "host"))
        (self.directory / "CMakeLists.txt").write_text(snippet("cmake"))
        (self.directory / "greeter.cpp").write_text(snippet("cpp", "plugin"))
        greeter = self.directory / "greeter"
        greeter.mkdir()
        (greeter / "greeter.cpp").write_text(snippet("cpp", "plugin"))
        (greeter / "CMakeLists.txt").write_text(snippet("cmake", "greeter"))
        script = "\n".join([snippet("sh"), *(f"cmake -G Ninja -S {place} -B {place}/build >&2\ncmake --build {place}/build >&2"
                                            for place in (".", "greeter"))])
        path = f"{prefix / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = toolchain.check(self, "sh", "-ec", script, cwd=self.directory, timeout=900,
                               env=toolchain.clean_environment(HOME=self.directory, PATH=path))
        said = [line for line in done.stdout.splitlines() if line.startswith(("This is ", "Nice "))]
        self.assertEqual(said, [line for line in snippet("text").splitlines() if line])
        self.assertRegex(done.stdout, r"titles\.so: \d+ passed, \d+ skipped\n")
        for library in (self.directory / "build" / "titles.so", self.directory / "titles.so",
                        greeter / "build" / "greeter.so", self.directory / "greeter.so"):
            exports = toolchain.check(self, "nm", "-D", "--defined-only", library).stdout
            self.assertEqual({line.split()[-1] for line in exports.splitlines()}, {"name", "inject", "apply"})

    def test_links_lead_somewhere(self):
        for target in markdown.links(README):
            self.assertTrue((build.SOURCE / "host-api" / target).exists(), target)


if __name__ == "__main__":
    unittest.main()
