"""Terminals for tests: a pseudo terminal to look at the bytes, and tmux to look at the screen."""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
import unicodedata
import uuid

import loader

SGR = re.compile(r"\x1b\[[0-9;]*m|\x1b\[K")  # colours, and the clearing that progress begins with


def environment(**more):
    """A terminal of the usual kind."""
    return loader.environment(TERM="xterm-256color", **more)


def on_terminal(command, columns=80, rows=24, env=None, timeout=60, cwd=None):
    """Runs a command to its end on a pseudo terminal. Returns (exit status, lines without line ends)."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen([str(word) for word in command], stdin=slave, stdout=slave, stderr=slave,
                               env=env or environment(), start_new_session=True, cwd=cwd)
    os.close(slave)
    output = b""
    end = time.monotonic() + timeout
    while time.monotonic() < end and select.select([master], [], [], max(0, end - time.monotonic()))[0]:
        try:
            piece = os.read(master, 65536)
        except OSError:  # EIO: everyone has closed it
            break
        if not piece:
            break
        output += piece
    os.close(master)
    return process.wait(timeout), output.decode().replace("\r\n", "\n").splitlines()


def bare(line):
    """A line without its colours."""
    return SGR.sub("", line)


def width(line):
    """The cells that a terminal which joins nothing gives to a line without escapes."""
    return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def has_tmux():
    return shutil.which("tmux") is not None


class Tmux:
    """A shell in a tmux of its own: type() at its keyboard, look() at its screen."""

    def __init__(self, columns=80, rows=24, env=None):
        self._socket = "dsh-" + uuid.uuid4().hex[:8]
        self._env = env or environment()
        self._env.pop("TMUX", None)
        self._tmux("-u", "-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", str(columns), "-y", str(rows),
                   "env PS1='$ ' bash --norc --noprofile")
        self.wait_for(lambda screen: "$" in screen)

    def _tmux(self, *arguments):
        return subprocess.run(["tmux", "-L", self._socket, *arguments], env=self._env, check=True, capture_output=True,
                              text=True).stdout

    def type(self, text):
        """Text, and Enter after it."""
        self._tmux("send-keys", "-t", "t", "-l", text)
        self._tmux("send-keys", "-t", "t", "Enter")

    def key(self, name):
        """One key by tmux's name: C-c."""
        self._tmux("send-keys", "-t", "t", name)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-t", "t", "-x", str(columns), "-y", str(rows))

    def look(self):
        """The screen's lines, trailing blanks stripped, joined by LF."""
        return self._tmux("capture-pane", "-p", "-t", "t").rstrip("\n")

    def format(self, text):
        """What tmux knows of the terminal: `#{alternate_on}`."""
        return self._tmux("display-message", "-p", "-t", "t", text).strip()

    def wait_for(self, condition, timeout=20):
        """The screen once `condition` holds of it."""
        end = time.monotonic() + timeout
        while not condition(screen := self.look()):
            if time.monotonic() > end:
                raise AssertionError("the screen stays\n" + screen)
            time.sleep(0.02)
        return screen

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], env=self._env, capture_output=True)
