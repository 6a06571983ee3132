"""`plan` as people see it: on terminals of all kinds, and in a pipe."""
import itertools
import re
import unittest

import build
import loader
import terminal
from plan_view import PlanView
from terminal import bare, on_terminal, width

DOT = "\u2002·\u2002"
CONTENTS = ["Read the code", "索引🧠🧠🧠を作り直す", "Watch the build of 👩‍👩‍👧‍👦, 🇩🇪, 👍🏽 and ❤️ while it lasts",
            "שלום עולם", "e\u0301tude\u200b", "/usr/share/" + "long/" * 80, "first\nsecond\r\nthird",
            "\x1b[31mred\x1b[0m \x07\x9b2J \u202egnp.exe \x7f", "निर्माण की पुष्टि करें"]


class OnATerminal(PlanView):
    def test_a_heading_a_bar_and_a_line_an_item(self):
        self.write("Read:c, Watch:i, Build:i, Write:p")
        self.assertEqual([bare(line) for line in self.on_terminal()],
                         ["To-dos  1 completed" + DOT + "2 in progress" + DOT + "1 pending",
                          "▰▰▰▰▰▰▰▸▸▸▸▸▸▸▸▸▸▸▸▸▸▸▱▱▱▱▱▱▱▱ 1/4", "", "  ✓ Read", "  ▸ Watch", "  ▸ Build", "  ◦ Write"])

    def test_the_bar_tells_the_states_apart_with_and_without_colour(self):
        self.write("a:i, b:i")
        for env in (terminal.environment(), terminal.environment(NO_COLOR=1)):
            bar = bare(self.on_terminal(env=env)[1])
            self.assertEqual(bar, "▸" * 30 + " 0/2", "nothing is done")
        self.write("a:c, b:i, c:p")
        for env, bar in ((terminal.environment(), "▰" * 10 + "▸" * 10 + "▱" * 10),
                         (terminal.environment() | {"LC_ALL": "C"}, "[" + "#" * 10 + ">" * 10 + "-" * 10 + "]")):
            for columns in (40, 200):
                self.assertIn(bar + " 1/3", [bare(line) for line in self.on_terminal(env=env, columns=columns)])

    def test_zero_counts_are_left_out(self):
        self.write("a:p")
        self.assertEqual(bare(self.on_terminal()[0]), "To-dos  1 pending")
        self.write("")
        self.assertEqual([bare(line) for line in self.on_terminal()], ["To-dos  empty"])

    def test_no_line_is_wider_than_the_terminal_and_no_item_takes_two(self):
        self.write([{"content": content, "status": ("pending", "in_progress", "completed")[i % 3]}
                    for i, content in enumerate(CONTENTS)])
        for columns in (20, 30, 40, 80, 200):
            lines = [bare(line) for line in self.on_terminal(columns=columns)]
            self.assertLessEqual(max(map(width, lines)), columns, columns)
            self.assertEqual(len(lines) - lines.index("") - 1, len(CONTENTS), columns)

    def test_a_long_unbroken_path_is_one_row_with_an_ellipsis(self):
        self.write([{"content": "/" + "p" * 399, "status": "pending"}])
        row = bare(self.on_terminal(columns=40)[-1])
        self.assertEqual((row[-1], width(row)), ("…", 40))

    def test_wrapped_items_are_whole(self):
        self.write([{"content": "read the whole source code of the program", "status": "in_progress"}])
        lines = [bare(line) for line in self.on_terminal("--wrap", columns=24)]
        self.assertEqual(lines[-3:], ["  ▸ read the whole", "    source code of the", "    program"])

    def test_what_a_content_holds_is_shown_and_never_obeyed(self):
        self.write([{"content": content, "status": "pending"} for content in CONTENTS])
        text = "\n".join(bare(line) for line in self.on_terminal(columns=200))
        self.assertEqual([c for c in text if (c < " " and c != "\n") or "\x7f" <= c <= "\x9f" or c in "\u202e\u2028"], [])
        self.assertIn("first↵second↵third", text)
        self.assertIn("\\x1b[31mred", text)
        self.assertIn("\\u202egnp.exe", text)

    def test_colours_are_off_where_they_are_not_wanted(self):
        self.write("a:i")
        self.assertIn("\x1b[", "".join(self.on_terminal()))
        for env in (terminal.environment(NO_COLOR=1), terminal.environment() | {"TERM": "dumb"}):
            self.assertNotIn("\x1b", "".join(self.on_terminal(env=env)))

    def test_without_utf8_there_is_only_ascii(self):
        self.write([{"content": "索引", "status": "in_progress"}, {"content": "done", "status": "completed"}])
        for env in (terminal.environment() | {"LC_ALL": "C"}, terminal.environment() | {"TERM": "dumb"}):
            lines = [bare(line) for line in self.on_terminal(env=env)]
            self.assertTrue(all(map(str.isascii, lines)), lines)
            self.assertIn("  [>] \\u7d22\\u5f15", lines)
            self.assertIn("  [x] done", lines)

    def test_a_foreign_status_is_a_row(self):
        self.write("a:p, b:c")
        (log,) = (self.directory / "sessions").glob("*/s/session.jsonl")
        log.write_text(re.sub(r'("todo/write".*)"pending"', r'\1"cancelled"', log.read_text()))
        status, lines = on_terminal(self.command())
        self.assertEqual(status, 1)
        self.assertIn("  ? a (cancelled)", [bare(line) for line in lines])

    def test_the_history_fits_the_terminal_too(self):
        self.write([{"content": content, "status": "pending"} for content in CONTENTS])
        self.write([{"content": content, "status": "completed"} for content in CONTENTS[1:]])
        for columns in (30, 80):
            lines = [bare(line) for line in self.on_terminal("--history", columns=columns)]
            self.assertLessEqual(max(map(width, lines)), columns)
        self.assertIn("  + added    Read the code", lines)


class Anywhere(PlanView):
    def output(self, command, tty, env, columns):
        if tty:
            status, lines = on_terminal(command, columns=60, env=env)
        else:
            done = loader.run(*command[1:], env=env)
            status, lines = done.returncode, done.stdout.decode().splitlines()
        self.assertEqual(status, 0, lines)
        return lines

    def test_each_place_gets_what_it_can_show(self):
        """Colour: on a terminal that has it, where it is wanted. Glyphs: where locale and terminal know them. Width:
        the terminal's, or the narrower COLUMNS."""
        self.write([{"content": "索引 " + "x" * 200, "status": "in_progress"}, {"content": "done", "status": "completed"}])
        commands = [self.command(), self.command("--history"), [build.LOADER, "sessions", *self.options]]
        for tty, locale, no_color, term, columns in itertools.product(
                (True, False), ("C.UTF-8", "C"), ({}, {"NO_COLOR": 1}), ("xterm-256color", "dumb"), ({}, {"COLUMNS": 40})):
            env = loader.environment(LC_ALL=locale, TERM=term, **no_color, **columns)
            for command in commands:
                with self.subTest(command=command[1:5], tty=tty, locale=locale, term=term, **no_color, **columns):
                    lines = self.output(command, tty, env, columns)
                    self.assertEqual("\x1b" in "".join(lines), tty and not no_color and term != "dumb")
                    self.assertEqual("".join(lines).isascii(), locale == "C" or term == "dumb")
                    widest = max(width(bare(line)) for line in lines)
                    if tty:
                        self.assertLessEqual(widest, 40 if columns else 60)
                    elif "plan" in command:
                        self.assertGreater(widest, 200, "a pipe gets whole lines")

    def test_the_checklist_to_paste_is_utf8_wherever_it_goes(self):
        self.write([{"content": "索引", "status": "pending"}])
        for env in (loader.environment(LC_ALL="C"), loader.environment(TERM="dumb")):
            done = loader.run(*self.command("--markdown")[1:], env=env)
            self.assertEqual(done.stdout.decode(), "- [ ] 索引\n")


class InAPipe(PlanView):
    def test_lines_are_plain_and_whole(self):
        self.write([{"content": content, "status": "in_progress"} for content in CONTENTS])
        text = self.piped()
        self.assertNotIn("\x1b", text)
        self.assertIn("  ▸ /usr/share/" + "long/" * 80 + "\n", text)

    def test_the_checklist_is_markdown(self):
        self.write("Read:c, *Watch*:i, Write:p")
        self.assertEqual(self.piped("--markdown"), "- [x] Read\n- [ ] \\*Watch\\* *(in progress)*\n- [ ] Write\n")

    def test_the_history_names_every_change(self):
        self.write_in_one_turn("a:i, b:p", "a:c, b:i, c:p", "a:p, c:p")
        self.write("d:p, e:c")
        lines = self.piped("--history").splitlines()
        for line in lines:
            if not line.startswith("  "):
                self.assertRegex(line, r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  ")
        self.assertEqual([re.sub(r"^\d.*:\d\d  ", "", line) for line in lines],
                         ["1 in progress" + DOT + "1 pending", "  + added    a", "  + added    b", "  ▸ started  a",
                          "1 completed" + DOT + "1 in progress" + DOT + "1 pending", "  + added    c", "  ▸ started  b",
                          "  ✓ finished a",
                          "2 pending", "  ↺ reopened a", "  − dropped  b",
                          "a turn starts: the plan is cleared", "1 completed" + DOT + "1 pending", "  + added            d",
                          "  ✓ added, completed e"])


if __name__ == "__main__":
    unittest.main()
