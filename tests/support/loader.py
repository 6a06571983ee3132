"""Drives the sample host: one-shot commands, and script mode line by line.

    with Script(composition=PARALLEL, without=["invariants"]) as s:
        s.op("session/create", session="a")
        answer = s.op("tool/call", name="todo_write", arguments='{"todos":[]}', session="a")

JSON goes out ASCII-escaped, so that lone surrogates survive, and comes back as Python reads it.
"""
import ctypes
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import threading

import build

PARALLEL = "- name: '@deepseek-ai/dsh-tool-todo'\n  config:\n    allowParallelInProgress: true\n"
SINGLE = PARALLEL.replace("true", "false")

# Nothing of the person who runs the tests may reach them: neither sessions nor settings.
_CLEARED = ("DSH_PLUGIN_PATH", "DSH_HOME", "XDG_STATE_HOME", "NO_COLOR", "COLUMNS")


def environment(home=None, **more):
    """The environment of a run: a home of its own, a UTF-8 locale, no settings of the user's."""
    env = {k: v for k, v in os.environ.items() if k not in _CLEARED}
    env.update(HOME=str(home or "/nonexistent"), LC_ALL="C.UTF-8", TERM="xterm")
    env.update({k: str(v) for k, v in more.items()})
    return env


def _as_anyone():
    """Takes from root what lets it read and write every file: CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
    PR_CAPBSET_DROP = 24
    libc = ctypes.CDLL(None)
    for capability in (1, 2):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # refused where we are not root: then there is nothing to take


def run(*arguments, input="", env=None, executable=None, timeout=120, cwd=None, as_anyone=False, limit=None):
    """Runs one command of the sample host to its end. Returns a CompletedProcess whose stdout and
    stderr are bytes. `as_anyone`: the modes of files count for root too. `limit`: a resource of it, as
    setrlimit names it, and how much of it there is."""
    def prepare():
        if as_anyone:
            _as_anyone()
        if limit is not None:
            resource.setrlimit(limit[0], (limit[1], limit[1]))

    if isinstance(input, str):
        input = input.encode()
    return subprocess.run([str(executable or build.LOADER), *map(str, arguments)], input=input,
                          capture_output=True, env=env or environment(), timeout=timeout, cwd=cwd,
                          preexec_fn=prepare if as_anyone or limit else None)


class Ended(Exception):
    """The process ended instead of answering. `answer` is what it had said of a failed load."""

    def __init__(self, code, stderr):
        super().__init__(f"the process ended with exit status {code}\n{stderr}")
        self.code = code


class Script:
    """One process of `loader-sample run -`.

    composition  a path, or the YAML text itself (any str with a line end)
    plugins      directories for --plugins (default: the build tree's)
    without      services to start without
    sessions     a directory: durable sessions
    cwd          --cwd, the directory that the sessions belong to
    args         further command-line arguments
    timeout      seconds until the process is killed
    """

    def __init__(self, composition=PARALLEL, plugins=None, without=(), sessions=None, cwd=None, args=(),
                 env=None, executable=None, timeout=300):
        self._scratch = tempfile.TemporaryDirectory(prefix="dsh-script-")
        scratch = pathlib.Path(self._scratch.name)
        if isinstance(composition, (str, bytes)) and (b"\n" if isinstance(composition, bytes) else "\n") in composition:
            path = scratch / "composition.yaml"
            path.write_bytes(composition if isinstance(composition, bytes) else composition.encode())
            composition = path
        command = [str(executable or build.LOADER), "run", "-", "--composition", str(composition)]
        for directory in plugins if plugins is not None else [build.PLUGINS]:
            command += ["--plugins", str(directory)]
        for service in without:
            command += ["--without", service]
        if sessions is not None:
            command += ["--sessions", str(sessions)]
        if cwd is not None:
            command += ["--cwd", str(cwd)]
        command += map(str, args)
        # A file takes stderr: a pipe that nobody reads could stop the process.
        self._stderr = open(scratch / "stderr", "w+b")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self._stderr, env=env or environment(scratch))
        self._watchdog = threading.Timer(timeout, self.process.kill)
        self._watchdog.daemon = True
        self._watchdog.start()
        self.answer_text = b""  # the latest answer as it came, without its line end

    def op(self, op, **fields):
        """Sends one line and returns its answer."""
        return self.line(json.dumps({"op": op, **fields}))

    def line(self, text):
        """Sends a line as it is (str or bytes, without its line end) and returns the answer."""
        data = text.encode() if isinstance(text, str) else text
        try:
            self.process.stdin.write(data + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self.answer()

    def answer(self):
        """The next answer. Raises Ended where the process has none to give."""
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise Ended(self.process.wait(), self.stderr())
        self.answer_text = line[:-1]
        return json.loads(line)

    def ok(self, op, **fields):
        """Like op(), for a line that is no more than preparation: it has to succeed."""
        answer = self.op(op, **fields)
        if answer["ok"] is not True:
            raise AssertionError(f"{op} failed: {answer}")
        return answer

    def call(self, todos=None, session=None, arguments=None):
        """Calls todo_write with a list (or with an argument text as it is)."""
        if arguments is None:
            arguments = json.dumps({"todos": todos})
        owner = {} if session is None else {"session": session}
        return self.op("tool/call", name="todo_write", arguments=arguments, **owner)

    def events(self, session, type=None):
        """The envelopes of a session, or those of one type."""
        wanted = {} if type is None else {"type": type}
        return self.ok("session/events", session=session, **wanted)["events"]

    def todos(self, session):
        """The standing list as the projection has it."""
        return self.ok("projection/read", session=session)["values"]["todos"]

    def stderr(self):
        """What the process has written to stderr so far."""
        self._stderr.flush()
        with open(self._stderr.name, "rb") as file:
            return file.read().decode(errors="replace")

    def end(self):
        """Closes the input and waits. Returns the exit status."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        code = self.process.wait()
        self._watchdog.cancel()
        return code

    def kill(self):
        """Ends the process as a crash would (SIGKILL)."""
        self.process.kill()
        self.end()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        code = self.end()
        stderr = self.stderr()
        self.process.stdout.close()
        self._stderr.close()
        self._scratch.cleanup()
        if kind is None and code not in (0, 1, 2, -9):
            raise AssertionError(f"exit status {code}\n{stderr}")


def load_failure(composition, **options):
    """Loads a composition and ends. The text of the failed load, or None where it loaded."""
    with Script(composition, **options) as script:
        try:
            script.process.stdin.close()
            answer = script.answer()
        except Ended as ended:
            if ended.code != 0:
                raise
            return None
        if script.end() != 2:
            raise AssertionError("a failed load has to end with exit status 2")
        return answer["error"]


def item(text):
    """`a:p` -> a todo item; p, i and c stand for the three statuses."""
    content, _, status = text.rpartition(":")
    return {"content": content, "status": {"p": "pending", "i": "in_progress", "c": "completed"}[status]}


def items(text):
    """`a:p, b:i` -> a list of todo items."""
    return [item(part.strip()) for part in text.split(",")] if text.strip() else []
