"""The packages can be built on: the SDK from CMake, from pkg-config and as a subproject, from wherever it
is unpacked; each component holds what its name says; the .deb files carry the project's version."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import build
import markdown
import toolchain

VERSION = toolchain.cache()["CMAKE_PROJECT_VERSION"]
TODO = build.PLUGINS / "dsh-tool-todo.so"


class Packages(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-packages-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def install(self, *components):
        prefix = self.directory / "installed"
        for component in components:
            toolchain.check(self, "cmake", "--install", build.BUILD, "--component", component, "--prefix", prefix)
        return prefix

    def files(self, prefix):
        return sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file())

    def configure(self, source, *options):
        """Configures `source` with the build's compilers. Returns (build directory, CompletedProcess)."""
        output = self.directory / "build"
        shutil.rmtree(output, ignore_errors=True)
        return output, toolchain.run("cmake", "-S", source, "-B", output, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                                     f"-DCMAKE_C_COMPILER={toolchain.c_compiler()}",
                                     f"-DCMAKE_CXX_COMPILER={toolchain.cxx_compiler()}", *options,
                                     env=toolchain.clean_environment())

    def build_project(self, source, *options):
        output, done = self.configure(source, *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        toolchain.check(self, "cmake", "--build", output)
        return output

    def project(self, text, name="consumer"):
        """A project of one CMakeLists.txt."""
        source = self.directory / name
        source.mkdir(exist_ok=True)
        (source / "CMakeLists.txt").write_text(text)
        return source

    def assert_plugin_works(self, plugin, host):
        exports = subprocess.run(["nm", "-D", "--defined-only", plugin], capture_output=True, text=True, check=True)
        self.assertEqual({line.split()[-1] for line in exports.stdout.splitlines()}, {"name", "inject", "apply"})
        done = toolchain.check(self, host, plugin, "null", "session_length", "{}")
        self.assertEqual(done.stdout, "The session holds 1 events.\n")

    def test_find_package(self):
        """The installed examples are a project outside this tree: it builds, and its plugin runs."""
        prefix = self.install("sdk")
        output = self.build_project(prefix / "share/doc/dsh-host-api/examples", f"-DCMAKE_PREFIX_PATH={prefix}")
        self.assert_plugin_works(output / "minimal-plugin.so", output / "minimal-host")

    def test_find_package_after_the_sdk_has_moved(self):
        moved = self.directory / "somewhere else"
        self.install("sdk").rename(moved)
        output = self.build_project(moved / "share/doc/dsh-host-api/examples", f"-DCMAKE_PREFIX_PATH={moved}")
        self.assert_plugin_works(output / "minimal-plugin.so", output / "minimal-host")

    def test_only_the_same_major_version_is_found(self):
        prefix = self.install("sdk")
        major, minor, patch = map(int, VERSION.split("."))
        for wanted, found in ((f"{major}.{minor}.{patch}", True), (f"{major}.{minor}", True), (f"{major}", True),
                              (f"{major + 1}.0", False), (f"{major}.{minor + 1}", False)):
            project = self.project(f"""cmake_minimum_required(VERSION 3.25)
                project(consumer LANGUAGES NONE)
                find_package(dsh-host-api {wanted} REQUIRED)
                """)
            done = self.configure(project, f"-DCMAKE_PREFIX_PATH={prefix}")[1]
            self.assertEqual(done.returncode == 0, found, wanted + done.stderr)
            if not found:
                self.assertIn("dsh-host-api", done.stderr)

    def test_pkg_config(self):
        """Without CMake: a compiler and pkg-config are enough."""
        moved = self.directory / "moved"
        self.install("sdk").rename(moved)
        env = dict(os.environ, PKG_CONFIG_PATH=str(moved / "share/pkgconfig"))

        def ask(*options):
            return toolchain.check(self, "pkg-config", *options, "dsh-host-api", env=env).stdout.strip()

        self.assertEqual(ask("--modversion"), VERSION)
        example = moved / "share/doc/dsh-host-api/examples"
        plugin, host = self.directory / "minimal-plugin.so", self.directory / "minimal-host"
        toolchain.check(self, toolchain.c_compiler(), "-std=c11", *toolchain.WARNINGS, *ask("--cflags").split(),
                        "-shared", "-fPIC", f"-Wl,--version-script={ask('--variable=exportsmap')}", "-Wl,-Bsymbolic",
                        example / "minimal_plugin.c", "-o", plugin)
        toolchain.check(self, toolchain.c_compiler(), "-std=c11", *toolchain.WARNINGS, *ask("--cflags").split(),
                        example / "minimal_host.c", "-o", host, "-ldl")
        self.assert_plugin_works(plugin, host)
        self.assertTrue(ask("--variable=pluginsdir").endswith("/dsh/plugins"))

    def test_the_links_of_the_page_lead_somewhere(self):
        page = self.install("sdk") / "share" / "doc" / "dsh-host-api" / "README.md"
        source = (build.SOURCE / "host-api" / "README.md").read_text()
        targets = markdown.links(page.read_text())
        self.assertEqual(len(targets), len(markdown.links(source)))
        for target in targets:
            self.assertTrue((page.parent / target).exists(), target)

    def test_subproject(self):
        """add_subdirectory of this tree gives the contract and nothing else: no Boost, no tests, no plugin."""
        project = self.project(f"""cmake_minimum_required(VERSION 3.25)
            project(consumer LANGUAGES C CXX)
            foreach(package Boost yaml-cpp CLI11 GTest)
              set(CMAKE_DISABLE_FIND_PACKAGE_${{package}} ON)
            endforeach()
            add_subdirectory("{build.SOURCE}" dsh)
            dsh_add_plugin(mine "{toolchain.EXAMPLES}/minimal_plugin.c")
            add_executable(host "{toolchain.EXAMPLES}/minimal_host.c")
            target_link_libraries(host PRIVATE dsh::host-api ${{CMAKE_DL_LIBS}})
            """)
        output = self.build_project(project)
        self.assert_plugin_works(output / "mine.so", output / "host")
        self.assertEqual([path.name for path in output.rglob("*.so")], ["mine.so"])
        toolchain.check(self, "cmake", "--install", output, "--prefix", self.directory / "elsewhere")
        self.assertEqual(self.files(self.directory / "elsewhere"), [], "the consumer's installation is its own")

    def test_a_plugin_in_cpp(self):
        """The C++ convenience header from the installed SDK, with exports as exact as a C plugin's."""
        prefix = self.install("sdk")
        project = self.project("""cmake_minimum_required(VERSION 3.25)
            project(consumer LANGUAGES CXX)
            find_package(dsh-host-api REQUIRED)
            set(CMAKE_CXX_STANDARD 17)
            dsh_add_plugin(mine mine.cpp)
            """)
        (project / "mine.cpp").write_text("""
            #include <dsh/plugin.h>
            #include <dsh/plugin.hpp>
            #include <map>
            #include <regex>
            struct Echo {
              std::string_view name = "echo", description = "Says it again.", output;
              std::string_view parameters = R"({"type":"object","properties":{}})";
              int32_t mode = DSH_PARALLEL;
              void execute(const dsh::Call &call, dsh::Out, dsh::Out text) const {
                if (!std::regex_search(std::string(call.arguments()), std::regex("\\\\{"))) throw dsh::Failure("no object");
                int read = 0;
                call.read(0, [&](const dsh::Event &event) { return event.seq == read++ && read < 1; });
                try {
                  call.read(0, [](const dsh::Event &event) -> bool { throw dsh::Failure(std::string(event.type)); });
                } catch (const dsh::Failure &first) {
                  text.write(first.text());
                }
                text.write(" of ");
                text.write(call.session_id());
                text.write(" " + std::to_string(read) + " ");
                text.write(call.arguments());
              }
            };
            const char *const name = "echo";
            const char *const inject[] = {DSH_TOOLS, nullptr};
            int32_t apply(const dsh_host *host, const char *, size_t, const dsh_error *error) {
              return dsh::guarded(error, [&]() -> int32_t {
                const dsh::Host context(host, error);
                context.add(dsh::tool(context.keep(std::make_unique<Echo>())));
                return DSH_OK;
              });
            }
            """)
        plugin = self.build_project(project, f"-DCMAKE_PREFIX_PATH={prefix}") / "mine.so"
        exports = toolchain.check(self, "nm", "-D", "--defined-only", plugin).stdout
        self.assertEqual({line.split()[-1] for line in exports.splitlines()}, {"name", "inject", "apply"})
        host = build.BUILD / "host-api" / "examples" / "minimal-host"
        done = toolchain.run(host, plugin, "null", "echo", '{"a":1}', "echo", "[]")
        self.assertEqual(done.stdout, 'turn/start of session-1 1 {"a":1}\nError: no object\n')

    def test_the_installed_loader_runs_a_plugin_built_outside(self):
        """The whole way of somebody else's plugin: SDK, build, check, composition, call."""
        prefix = self.install("sdk", "plugin", "loader")
        output = self.build_project(prefix / "share/doc/dsh-host-api/examples", f"-DCMAKE_PREFIX_PATH={prefix}")
        loader_sample = prefix / "bin" / "loader-sample"
        if not build.SANITIZER:  # the plugin was built without one
            done = toolchain.check(self, loader_sample, "check", "--quiet", "--seed", 1, output / "minimal-plugin.so", timeout=600)
            self.assertEqual(len(done.stdout.splitlines()), 2, done.stdout)
        composition = self.directory / "plugins.yaml"
        composition.write_text("- name: minimal-plugin\n- name: dsh-tool-todo\n  config: {allowParallelInProgress: true}\n")
        done = toolchain.check(self, loader_sample, "call", "session_length", "{}", "--memory", "--session", "s",
                               "--composition", composition, "--plugins", output,
                               "--plugins", next(prefix.rglob("dsh-tool-todo.so")).parent,
                               env=toolchain.clean_environment(HOME=self.directory))
        self.assertRegex(done.stdout, r"^The session holds \d+ events\.\n$")

    def test_each_component_holds_what_it_names(self):
        sdk = self.files(self.install("sdk"))
        self.assertTrue(all(re.match(r"(include/dsh|share)/", file) for file in sdk), sdk)
        for file in ("include/dsh/dsh.h", "include/dsh/plugin.h", "include/dsh/plugin.hpp",
                     "share/cmake/dsh-host-api/dsh-host-api-config.cmake", "share/pkgconfig/dsh-host-api.pc"):
            self.assertIn(file, sdk)
        shutil.rmtree(self.directory / "installed")
        plugin = self.files(self.install("plugin"))
        self.assertEqual([pathlib.Path(file).name for file in plugin if file.endswith(".so")], ["dsh-tool-todo.so"])
        self.assertTrue(all("dsh" in file for file in plugin), plugin)

    def test_each_component_has_the_licence(self):
        licence = (build.SOURCE / "LICENSE").read_text()
        for component in ("sdk", "plugin", "loader"):
            prefix = self.install(component)
            self.assertEqual([file.read_text() for file in prefix.glob("share/doc/*/LICENSE")], [licence], component)
            shutil.rmtree(prefix)

    def test_no_file_in_two_components(self):
        seen = {}
        for component in ("sdk", "plugin", "loader"):
            prefix = self.install(component)
            for file in self.files(prefix):
                self.assertNotIn(file, seen, f"in {component} too")
                seen[file] = component
            shutil.rmtree(prefix)
        default = self.directory / "all"
        toolchain.check(self, "cmake", "--install", build.BUILD, "--prefix", default)
        self.assertEqual(set(self.files(default)), set(seen), "a file belongs to no component")

    def test_the_installed_plugin_has_no_search_path(self):
        library, = self.install("plugin").rglob("dsh-tool-todo.so")
        self.assertNotRegex(toolchain.check(self, "readelf", "-dW", library).stdout, "R(UN)?PATH|SONAME")

    def test_debian_packages(self):
        if build.SANITIZER or not shutil.which("dpkg-deb"):
            self.skipTest("needs dpkg, and a build without sanitizers")
        toolchain.check(self, "cpack", "--config", build.BUILD / "CPackConfig.cmake", "-G", "DEB",
                        "-B", self.directory, timeout=800)
        packages = {path.name.split("_")[0]: path for path in self.directory.glob("*.deb")}
        self.assertEqual(set(packages), {"dsh-host-api-dev", "dsh-tool-todo", "dsh-loader-sample"})
        for package, file in packages.items():
            fields = toolchain.check(self, "dpkg-deb", "--field", file).stdout
            self.assertIn(f"\nVersion: {VERSION}\n", fields)
            self.assertIn("\nMaintainer: The dsh-tool-todo authors\n", fields)
            depends = re.search(r"^Depends: (.*)$", fields, re.M)
            self.assertEqual(depends is not None, package != "dsh-host-api-dev")
            if package == "dsh-tool-todo":
                self.assertNotRegex(depends[1], "boost|yaml|fmt|zstd")
        unpacked = self.directory / "root"
        for file in packages.values():
            toolchain.check(self, "dpkg-deb", "--extract", file, unpacked)
        self.assertTrue((unpacked / "usr/include/dsh/dsh.h").is_file())
        self.assertTrue((unpacked / "usr/bin/loader-sample").is_file())
        output = self.build_project(unpacked / "usr/share/doc/dsh-host-api/examples",
                                    f"-DCMAKE_PREFIX_PATH={unpacked / 'usr'}")
        self.assert_plugin_works(output / "minimal-plugin.so", output / "minimal-host")


if __name__ == "__main__":
    unittest.main()
