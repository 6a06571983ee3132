"""`plan --watch` as people see it: one list that is replaced in place, and left as they expect it."""
import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import subprocess
import termios
import time
import unittest

import loader
import processes
import terminal
from plan_view import PlanView
from terminal import Tmux


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
