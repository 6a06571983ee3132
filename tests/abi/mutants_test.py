"""Mutants of our own plugin: one rule broken in each, and the test of `check` that must fail for it.

Each takes one source of plugin/, exchanges one piece of text, compiles that source alone and links it with
the objects of the build. A mutant whose text is no longer there fails the test: it has to be written anew.
"""
import json
import pathlib
import shutil
import tempfile
import unittest

import build
import toolchain

PLUGIN = build.SOURCE / "plugin"
EXPORTS = build.SOURCE / "host-api" / "cmake" / "dsh-plugin.map"
OBJECTS = build.BUILD / "plugin" / "CMakeFiles" / "dsh-todo-parts.dir"
ENTRY = build.BUILD / "plugin" / "CMakeFiles" / "dsh-tool-todo.dir" / "entry.cpp.o"
JSON = build.BUILD / "cmake" / "boost-json" / "libdsh-boost-json.a"

# name: source, text, what stands there instead, test, how it ends, what it says
MUTANTS = {
    "a turn leaves the list": (
        "projection.cpp", 'if (state == "null") return false;', "return false;",
        "projections.decisive", "failed", "is declared decisive"),
    "a view that is no JSON": (
        "projection.cpp", "  read_standing_list(state,", '  view.write("todos: ");\n  read_standing_list(state,',
        "projections.view", "failed", "not JSON"),
    "a state that is never restored": (
        "projection.cpp", "const { view(stored, state); }",
        'const { if (stored == stored) throw Failure("no"); view(stored, state); }',
        "projections.restore", "failed", "of its own state"),
    "an unnamed violation": (
        "invariant.cpp", 'throw Violation(std::move(*fault));', 'throw Violation("");',
        "invariants.verdict", "failed", "no text"),
    "open and closed exchanged": (
        "invariant.cpp", "if (trace.turn_open == 0)", "if (trace.turn_open == 1)",
        "invariants.own_events", "failed", "own rule refuses"),
    "a check that moves the trace": (
        "invariant.cpp", "if (trace.turn_open == 0)",
        "const_cast<Trace &>(trace).turn_open = 1;\n  if (trace.turn_open == 0)",
        "invariants.pure", "crashed", "SIGSEGV"),
    "no owner asked for": (
        "tool.cpp", 'if (!call.owned()) throw Failure("todo_write requires an owning agent session");', "",
        "tools.no_session", "crashed", "SIGSEGV"),
    "appended before it is answered": (
        "tool.cpp", "  value.write(std::string_view(list.data).substr(0, value_size));\n",
        '  call.append(todo_write, list.data.substr(0, data_size - 1) + "}");\n'
        "  value.write(std::string_view(list.data).substr(0, value_size));\n",
        "tools.sinks", "failed", "appended an event all the same"),
    "a refused append passed over": (
        "tool.cpp", '  call.append(todo_write, list.data);',
        '  try {\n    call.append(todo_write, list.data);\n  } catch (const dsh::Status &) {\n  }',
        "tools.append_fails", "failed", "though nothing was appended"),
    "appended and failed": (
        "tool.cpp", '  call.append(todo_write, list.data);',
        '  call.append(todo_write, list.data);\n  if (list.counts.pending > 0) throw Failure("too much to do");',
        "tools.append_last", "failed", "failed after it had appended"),
    "counts as texts": (
        "tool.cpp", 'R"("counts":{"pending":)", R"(,"inProgress":)"', 'R"("counts":{"pending":")", R"(","inProgress":)"',
        "tools.value", "failed", "breaks its output schema"),
    "nothing for the model to read": (
        "tool.cpp", "  text.write(std::string_view(list.data).substr(value_size));\n", "  text.write({});\n",
        "tools.valid", "failed", "gave the model no text"),
    "other words for the same value": (
        "tool.cpp", "  text.write(sentence);\n", '  text.write(sentence + "!");\n',
        "tools.render", "failed", "execute said"),
    "a card that is a list": (
        "tool.cpp", 'R"({"card":"generic","title":"Update todo list","kind":"other","rawInput":)" + *todos + "}"',
        '"[" + *todos + "]"',
        "tools.present", "failed", "no object"),
    "a schema that asks for more": (
        "tool_texts.cpp", r'R"("required":["content","status"]}}},"required":["todos"]})"',
        r'R"("required":["content","status"]}}},"required":["todos","title"]})"',
        "tools.invalid", "failed", "though the arguments break its schema"),
    "a config without its code": (
        "entry.cpp", 'throw Failure(refusal.text(), "ValidationError", DSH_INVALID_CONFIG);',
        "throw Failure(refusal.text());",
        "config.refusal", "failed", "instead of INVALID_CONFIG"),
    "a default where there is none": (
        "config.cpp", 'if (flag == nullptr || flag->is_null()) throw invalid_flag("missing required value");',
        "if (flag == nullptr || flag->is_null()) return {true};",
        "config.invalid", "failed", "though it breaks config_schema"),
    "an instance that is never freed": (
        "entry.cpp", "host.keep(std::make_unique<Instance>(read(config)))", "*new Instance(read(config))",
        "life.again", "failed", "bytes on the heap"),
    "one instance for all": (
        "entry.cpp", "const Instance &instance = host.keep(std::make_unique<Instance>(read(config)));",
        "static const Instance instance(read(config));\n  (void)read(config);",
        "life.side_by_side", "failed", "beside an instance|other texts"),
    "a registration refused and passed over": (
        "entry.cpp", "  host.add(dsh::tool(instance.tool));",
        "  try {\n    host.add(dsh::tool(instance.tool));\n  } catch (const dsh::Status &) {\n  }",
        "services.add_fails", "failed", 'of the service "tools"'),
    "a line on stdout": (
        "entry.cpp", "  host.add(dsh::tool(instance.tool));",
        '  std::puts("todo_write is here");\n  host.add(dsh::tool(instance.tool));',
        "process.stdout", "failed", "todo_write is here"),
    "a later revision": (
        "entry.cpp", "const uint32_t abi_version = DSH_ABI_VERSION;", "const uint32_t abi_version = DSH_ABI_VERSION + 1;",
        "library.opens", "failed", "revision 2"),
    "everything exported": (
        EXPORTS.name, "  local:\n    *;\n", "    *;\n", "library.exports", "failed", "exports more than the contract"),
}

@unittest.skipIf(build.SANITIZER, "the mutants are the same with sanitizers: once is enough")
class Mutants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-mutants-"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def build_mutant(self, source, text, instead):
        """The library with `text` of one source exchanged."""
        work = self.directory / "plugin"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(PLUGIN, work)
        shutil.copy(EXPORTS, work)
        before = (work / source).read_text()
        self.assertEqual(before.count(text), 1, f"{source} no longer holds what this mutant exchanges")
        (work / source).write_text(before.replace(text, instead))
        objects = [OBJECTS / f"{path.name}.o" for path in PLUGIN.glob("*.cpp") if path.name not in ("entry.cpp", source)]
        entry = ENTRY
        if source.endswith(".cpp"):
            mutant = self.directory / f"{source}.o"
            toolchain.check(self, toolchain.cxx_compiler(), "-std=c++20", "-fPIC", "-fvisibility=hidden", "-O1",
                            "-include", "cstdio", f"-I{work}", f"-I{toolchain.INCLUDE}", "-c", work / source,
                            "-o", mutant)
            if source == "entry.cpp":
                entry = mutant
            else:
                objects.append(mutant)
        library = self.directory / "mutant.so"
        toolchain.check(self, toolchain.cxx_compiler(), "-shared", entry, *objects, JSON, "-o", library,
                        f"-Wl,--version-script={work / EXPORTS.name}", "-Wl,-Bsymbolic", "-Wl,--gc-sections",
                        "-Wl,-z,defs")
        return library

    def verdict(self, library, test):
        done = toolchain.run(build.LOADER, "check", "--json", "--seed", 11, "--only", test, library, timeout=300)
        reported = {one["name"]: one for one in json.loads(done.stdout)["libraries"][0]["tests"]}
        return reported[test], done.returncode

    def test_unchanged_sources_pass(self):
        """What the mutants are linked from is sound: only the exchange is to blame."""
        library = self.build_mutant(EXPORTS.name, "abi_version;", "abi_version;")
        for test in sorted({mutant[3] for mutant in MUTANTS.values()}):
            with self.subTest(test):
                reported, status = self.verdict(library, test)
                self.assertEqual((reported["status"], status), ("passed", 0), reported.get("cause"))

    def test_each_mutant_fails_its_test(self):
        self.assertGreaterEqual(len(MUTANTS), 10)
        for name, (source, text, instead, test, verdict, cause) in MUTANTS.items():
            with self.subTest(name):
                reported, status = self.verdict(self.build_mutant(source, text, instead), test)
                self.assertRegex(reported["status"], f"^({verdict})$", reported)
                self.assertRegex(reported["cause"], cause)
                self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
