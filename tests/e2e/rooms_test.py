"""The rooms of the house: plugin and sample host meet in host-api alone, and the plugin's file keeps the contract."""
import json
import pathlib
import re
import subprocess
import unittest

import build
from loader import PARALLEL, Script

ROOMS = ("plugin", "loader-sample")


def room_of(path):
    """The room that a path of the source tree lies in, else None."""
    path = pathlib.Path(path).resolve()
    return next((room for room in ROOMS if path.is_relative_to(build.SOURCE.resolve() / room)), None)


class Rooms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        commands = json.loads((build.BUILD / "compile_commands.json").read_text())
        cls.commands = {room: [one for one in commands if room_of(one["file"]) == room] for room in ROOMS}

    def test_each_room_is_compiled(self):
        for room in ROOMS:
            self.assertGreater(len(self.commands[room]), 5, room)

    def test_no_compile_line_sees_the_other_room(self):
        for room, other in (ROOMS, ROOMS[::-1]):
            for one in self.commands[room]:
                for directory in re.findall(r"(?:-I|-isystem|-iquote|-include)\s*(\S+)", one["command"]):
                    directory = (pathlib.Path(one["directory"]) / directory).resolve()
                    self.assertNotEqual(room_of(directory), other, one["file"])
                    self.assertNotEqual(directory, build.SOURCE.resolve(), one["file"])

    def test_no_file_includes_the_other_room(self):
        for room, other in (ROOMS, ROOMS[::-1]):
            for file in (build.SOURCE / room).rglob("*.[hc]pp"):
                for included in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', file.read_text(), re.MULTILINE):
                    self.assertNotEqual(room_of(file.parent / included), other, file)
                    self.assertNotIn(f"{other}/", included, file)

    def test_host_api_includes_nothing_of_the_tree(self):
        headers = list((build.SOURCE / "host-api" / "include").rglob("*.h"))
        self.assertGreater(len(headers), 5)
        for file in headers:
            for included in re.findall(r"^\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", file.read_text(), re.MULTILINE):
                self.assertTrue((file.parent / included).is_file() or included in ("stddef.h", "stdint.h"), (file, included))


class Folders(unittest.TestCase):
    """The folders of the sample host: each uses those above it in the README's table, and no other."""
    ROOM = build.SOURCE / "loader-sample"

    def test_a_folder_uses_those_above_it(self):
        order = re.findall(r"(?m)^\| `([a-z]+)` \|", (self.ROOM / "README.md").read_text().split("## In the source")[1])
        self.assertEqual(sorted(order), sorted(one.name for one in self.ROOM.iterdir() if one.is_dir()))
        arrows = {(file.relative_to(self.ROOM), included) for file in self.ROOM.glob("*/*.[hc]pp")
                  for included in re.findall(r'(?m)^#include "([^"]+)"', file.read_text()) if not included.startswith("dsh/")}
        self.assertGreater(len(arrows), 100)
        for file, included in sorted(arrows):
            self.assertLessEqual(order.index(included.split("/")[0]), order.index(file.parts[0]), f"{file} includes {included}")


class PluginFile(unittest.TestCase):
    LIBRARY = build.PLUGINS / "dsh-tool-todo.so"

    def test_it_exports_the_contract_and_nothing_else(self):
        symbols = subprocess.run(["nm", "-D", "--defined-only", str(self.LIBRARY)], capture_output=True, text=True, check=True).stdout
        names = {line.split()[2] for line in symbols.splitlines()}
        self.assertLessEqual({"name", "inject", "apply"}, names)
        self.assertLessEqual(names, {"name", "inject", "apply", "abi_version", "config_schema"})

    @unittest.skipIf(build.SANITIZER, "a sanitizer brings its own libraries")
    def test_it_needs_the_cpp_run_time_at_most(self):
        dynamic = subprocess.run(["readelf", "-d", str(self.LIBRARY)], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
        self.assertLessEqual(needed, {"libstdc++.so.6", "libgcc_s.so.1", "libc.so.6", "libm.so.6"})


class Unmapping(unittest.TestCase):
    def test_an_unloaded_plugin_is_gone_from_memory(self):
        with Script(PARALLEL) as script:
            maps = pathlib.Path(f"/proc/{script.process.pid}/maps")
            script.ok("tools")
            self.assertIn("dsh-tool-todo.so", maps.read_text())
            script.ok("plugin/unload", id="@deepseek-ai/dsh-tool-todo")
            self.assertNotIn("dsh-tool-todo.so", maps.read_text())
            script.ok("plugin/load", id="@deepseek-ai/dsh-tool-todo")
            self.assertIn("dsh-tool-todo.so", maps.read_text())


if __name__ == "__main__":
    unittest.main()
