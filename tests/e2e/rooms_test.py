"""The rooms of the house: plugin and sample host meet in host-api alone, and the folders of the host keep their order."""
import json
import pathlib
import re
import unittest

import build

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


if __name__ == "__main__":
    unittest.main()
