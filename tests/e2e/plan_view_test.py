"""`plan` as people see it: on terminals of all kinds, in a pipe, live."""
import fcntl
import itertools
import json
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

import build
import loader
import mcp
import processes
import terminal
from loader import items
from terminal import Tmux, bare, on_terminal, width

DOT = "\u2002·\u2002"
CONTENTS = ["Read the code", "索引🧠🧠🧠を作り直す", "Watch the build of 👩‍👩‍👧‍👦, 🇩🇪, 👍🏽 and ❤️ while it lasts",
            "שלום עולם", "e\u0301tude\u200b", "/usr/share/" + "long/" * 80, "first\nsecond\r\nthird",
            "\x1b[31mred\x1b[0m \x07\x9b2J \u202egnp.exe \x7f", "निर्माण की पुष्टि करें"]


class PlanView(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(loader.PARALLEL)
        self.options = ["--sessions", self.directory / "sessions", "--composition", self.composition, "--plugins", build.PLUGINS]

    def write(self, todos, session="s"):
        if isinstance(todos, str):
            todos = items(todos)
        done = loader.run("call", "todo_write", "-", "--session", session, *self.options, input=json.dumps({"todos": todos}))
        self.assertEqual(done.returncode, 0, done.stderr)

    def write_in_one_turn(self, *lists):
        with mcp.Mcp(sessions=self.directory / "sessions") as server:
            server.initialize()
            for list in lists:
                server.write(*((item["content"], item["status"]) for item in items(list)))
            server.end()

    def command(self, *more, session="s"):
        return [build.LOADER, "plan", "--session", session, *more, *self.options]

    def on_terminal(self, *more, **options):
        status, lines = on_terminal(self.command(*more), **options)
        self.assertEqual(status, 0, lines)
        return lines

    def piped(self, *more):
        done = loader.run(*self.command(*more)[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def pid(self):
        """Of the process that watches, once there is one."""
        end = time.monotonic() + 20
        while True:
            pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and self.is_watcher(entry)]
            if pids or time.monotonic() > end:
                (pid,) = pids
                return pid
            time.sleep(0.02)

    def is_watcher(self, pid):
        try:
            line = pathlib.Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return line[0] == str(build.LOADER).encode() and str(self.directory / "sessions").encode() in line


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


class WhileNobodyReads(PlanView):
    def assert_ends(self, process):
        self.assertTrue(processes.comes_to_rest(lambda: processes.switches(process.pid)))
        self.assertIsNone(process.poll(), "it waits for its reader")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), -signal.SIGTERM)

    def test_a_signal_ends_it_in_a_pipe(self):
        self.write([{"content": f"{i} " + "x" * 1000, "status": "pending"} for i in range(200)])
        process = subprocess.Popen(self.command("--watch"), stdout=subprocess.PIPE, env=loader.environment())
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.assert_ends(process)

    def test_a_signal_ends_it_on_a_terminal(self):
        self.write([{"content": f"{i} " + "x" * 400, "status": "pending"} for i in range(300)])
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 400, 400, 0, 0))
        process = subprocess.Popen(["setsid", "--ctty", *self.command("--watch")], stdin=slave, stdout=slave, stderr=slave,
                                   env=terminal.environment())
        os.close(slave)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assert_ends(process)


class AfterTheEnd(PlanView):
    def test_what_is_typed_after_the_end_is_for_the_shell(self):
        self.write("a:i")
        master, slave = pty.openpty()
        script = shlex.join(map(str, self.command("--watch"))) + '; read -r line; echo "got $line"'
        shell = subprocess.Popen(["setsid", "--ctty", "sh", "-c", script], stdin=slave, stdout=slave, stderr=slave,
                                 env=terminal.environment())
        self.addCleanup(shell.wait)
        self.addCleanup(os.close, master)  # which ends what still runs
        os.close(slave)
        output = b""

        def read_until(part):
            nonlocal output
            while part not in output:
                self.assertTrue(select.select([master], [], [], 20)[0], output)
                output += os.read(master, 65536)

        read_until("▸".encode())
        watcher = self.pid()
        os.kill(watcher, signal.SIGSTOP)
        os.kill(watcher, signal.SIGINT)
        os.write(master, b"later\n")
        os.kill(watcher, signal.SIGCONT)
        read_until(b"got later")


@unittest.skipUnless(terminal.has_tmux(), "needs tmux")
class Live(PlanView):
    def watch(self, tmux, *more):
        tmux.type(shlex.join(str(word) for word in self.command("--watch", *more)))

    def test_one_list_is_replaced_in_place(self):
        for columns in (40, 200):
            with self.subTest(columns=columns), Tmux(columns=columns) as tmux:
                self.write("a:i, b:p")
                self.watch(tmux)
                tmux.wait_for(lambda screen: "▸ a" in screen)
                for i in range(3):
                    self.write(f"a:c, b:i, new {i}:p")
                    screen = tmux.wait_for(lambda screen: f"◦ new {i}" in screen)
                    self.assertEqual(screen.count("To-dos"), 1)
                    self.assertEqual(screen.count("▸ "), 1)
                    self.assertNotIn("{", screen)

    def test_follows_the_size_of_the_terminal(self):
        self.write(", ".join(f"a rather long content for the item of the number {i}:p" for i in range(12)) + ", now:i")
        with Tmux(columns=80, rows=24) as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "number 11" in screen and "▸ now" in screen)
            tmux.resize(30, 10)
            screen = tmux.wait_for(lambda screen: "more above" in screen)
            self.assertIn("▸ now", screen)
            self.assertLessEqual(len(screen.splitlines()), 10)
            tmux.resize(100, 30)
            tmux.wait_for(lambda screen: "number 0" in screen and "more" not in screen)

    def test_ctrl_c_leaves_the_last_plan_and_a_clean_terminal(self):
        self.write("a:i")
        with Tmux() as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "▸ a" in screen)
            self.assertEqual(tmux.format("#{alternate_on} #{cursor_flag}"), "1 0")
            tmux.key("C-c")
            tmux.type("echo status $?")
            screen = tmux.wait_for(lambda screen: "status 0" in screen)
            self.assertIn("  ▸ a\n", screen)
            self.assertEqual(tmux.format("#{alternate_on} #{cursor_flag} #{wrap_flag}"), "0 1 1")
            tmux.type("stty -a | grep -c -- ' echo '")
            tmux.wait_for(lambda screen: screen.splitlines()[-2:] == ["1", "$"])

    def test_a_long_plan_is_left_as_it_was_seen(self):
        self.write(", ".join(f"item {i}:{'i' if i == 500 else 'p'}" for i in range(1000)))
        with Tmux(rows=12) as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "▸ item 500" in screen)
            tmux.key("C-c")
            screen = tmux.wait_for(lambda screen: screen.endswith("$"))
            for part in ("To-dos", "more above", "▸ item 500", "more below"):
                self.assertIn(part, screen)

    def test_sigterm_leaves_a_clean_terminal(self):
        self.write("a:i")
        with Tmux() as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "▸ a" in screen)
            os.kill(self.pid(), signal.SIGTERM)
            tmux.wait_for(lambda screen: "Terminated" in screen)
            self.assertEqual(tmux.format("#{alternate_on} #{cursor_flag}"), "0 1")

    def test_ctrl_z_steps_aside_and_fg_comes_back(self):
        self.write("a:i")
        with Tmux() as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "▸ a" in screen)
            tmux.key("C-z")
            screen = tmux.wait_for(lambda screen: "Stopped" in screen)
            self.assertNotIn("▸", screen)
            self.assertEqual(tmux.format("#{alternate_on} #{cursor_flag}"), "0 1")
            self.write("meanwhile:i")
            tmux.type("fg")
            screen = tmux.wait_for(lambda screen: "▸ meanwhile" in screen)
            self.assertNotIn("Stopped", screen)
            tmux.key("C-c")
            tmux.wait_for(lambda screen: "$" in screen)
            self.assertEqual(tmux.format("#{alternate_on} #{cursor_flag}"), "0 1")

    def test_ctrl_z_and_fg_inside_a_script(self):
        """The shell takes the terminal back as soon as the script has stopped, which the view may do later."""
        self.write("a:i")
        script = shlex.join(map(str, self.command("--watch"))) + "; echo after"
        with Tmux() as tmux:
            tmux.type(shlex.join(["sh", "-c", script]))
            tmux.wait_for(lambda screen: "▸ a" in screen)
            for i in range(3):
                tmux.key("C-z")
                tmux.wait_for(lambda screen: "Stopped" in screen and "▸" not in screen)
                self.write(f"meanwhile {i}:i")
                tmux.type("clear; fg")
                screen = tmux.wait_for(lambda screen: f"▸ meanwhile {i}" in screen)
                self.assertNotIn("Stopped", screen)
            tmux.key("q")
            tmux.wait_for(lambda screen: screen.endswith("after\n$"))
            self.assertEqual(tmux.format("#{alternate_on} #{cursor_flag}"), "0 1")

    def test_in_the_background_it_stops_and_leaves_the_screen_alone(self):
        self.write("a:i")
        with Tmux() as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "▸ a" in screen)
            tmux.key("C-z")
            tmux.wait_for(lambda screen: "Stopped" in screen)
            tmux.type("bg")
            pid = self.pid()
            self.assertTrue(processes.becomes(pid, "T"), "stopped again")
            self.write("meanwhile:i")
            tmux.type("echo $((40 + 2))")
            screen = tmux.wait_for(lambda screen: "42" in screen)
            self.assertNotIn("▸", screen)
            tmux.type("fg")
            tmux.wait_for(lambda screen: "▸ meanwhile" in screen)
            tmux.key("q")
            tmux.wait_for(lambda screen: screen.endswith("$"))  # what is typed before goes to the view
            tmux.type("stty -a | grep -c -- ' echo '")
            tmux.wait_for(lambda screen: screen.splitlines()[-2:] == ["1", "$"])

    def test_started_in_the_background_it_waits_for_the_foreground(self):
        self.write("a:i")
        with Tmux() as tmux:
            tmux.type(shlex.join(map(str, self.command("--watch"))) + " &")
            tmux.wait_for(lambda screen: "[1]" in screen)
            self.assertTrue(processes.becomes(self.pid(), "T"))
            self.assertNotIn("▸", tmux.look())
            tmux.type("fg")
            tmux.wait_for(lambda screen: "▸ a" in screen)
            tmux.key("q")
            tmux.wait_for(lambda screen: screen.endswith("$"))
            self.assertEqual(tmux.format("#{alternate_on} #{cursor_flag}"), "0 1")

    def test_stopped_in_the_background_it_can_be_ended(self):
        self.write("a:i")
        with Tmux() as tmux:
            tmux.type(shlex.join(map(str, self.command("--watch"))) + " &")
            tmux.wait_for(lambda screen: "[1]" in screen)
            self.assertTrue(processes.becomes(self.pid(), "T"))
            tmux.type("clear; kill %1; kill -CONT %1; wait; echo done $((1 + 1))")
            screen = tmux.wait_for(lambda screen: "done 2" in screen)
            self.assertIn("Terminated", screen)
            self.assertNotIn("▸", screen)

    def test_sleeps_while_nothing_changes(self):
        self.write("a:i")
        with Tmux() as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "▸ a" in screen)
            pid = self.pid()
            self.assertTrue(processes.comes_to_rest(lambda: processes.switches(pid)))

    def test_sees_a_session_come_however_its_directories_do(self):
        project = self.directory / "sessions" / "_no-cwd"
        project.mkdir(parents=True)
        with Tmux() as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "waiting" in screen)
            (project / "s").mkdir()
            time.sleep(0.3)  # the watch has seen a directory without a log
            self.write("a:i")
            tmux.wait_for(lambda screen: "▸ a" in screen)

    def test_waits_for_a_session_that_is_still_to_come(self):
        with Tmux() as tmux:
            self.watch(tmux)
            tmux.wait_for(lambda screen: "waiting" in screen)
            self.write("a:i")
            screen = tmux.wait_for(lambda screen: "▸ a" in screen)
            self.assertNotIn("waiting", screen)


if __name__ == "__main__":
    unittest.main()
