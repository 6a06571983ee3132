"""A stored session that a test writes by hand, and what the real program makes of it."""
import json
import pathlib
import resource
import tempfile
import unittest

import loader
from loader import PARALLEL, Script, items

HEADER = '{"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0}'


def line(seq, type, data=None, **more):
    """One event as a line, without its line end."""
    return json.dumps({"type": type, "seq": seq, "time": 1000 + seq, "data": {} if data is None else data, **more},
                      separators=(",", ":"))


def write(seq, list, **more):
    return line(seq, "todo/write", {"todos": items(list)}, **more)


def turn(seq, number, *lists):
    """The lines of a whole turn that writes these lists."""
    writes = [write(seq + 1 + k, list) for k, list in enumerate(lists)]
    end = line(seq + 1 + len(writes), "turn/end", {"turn": number, "reason": {"kind": "completed"}})
    return [line(seq, "turn/start", {"turn": number}), *writes, end]


def zstd_frame(content):
    """A frame that holds `content` (less than 128 KiB) uncompressed, without checksum and size."""
    header = b"\x28\xb5\x2f\xfd\x00\x58"
    return header + (len(content) << 3 | 1).to_bytes(3, "little") + content


class StoredLog(unittest.TestCase):
    """Session `s` under a root of the test's own. At the end of each test `plan`, which looks from the end of a log,
    must tell what the fold of the whole log tells, for every log that is left and no reader refuses."""

    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.root = self.directory / "sessions"
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(PARALLEL)
        self.log = self.root / "_no-cwd" / "s" / "session.jsonl"

    def tearDown(self):
        for file in json.loads(self.run_loader("audit", self.root, "--json").stdout or '{"files":[]}')["files"]:
            errors = [one["text"] for one in file["findings"] if one["severity"] == "error"]
            if all("readers drop it" in text for text in errors):
                self.assertEqual(self.plan(pathlib.Path(file["file"]).parent.name), file["plan"])

    def store(self, *lines, end="\n", header=HEADER):
        """Stores a log of these lines (str or bytes) and returns its bytes."""
        encoded = [one if isinstance(one, bytes) else one.encode("utf-8", "surrogatepass") for one in (header, *lines)]
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"\n".join(encoded) + end.encode())
        return self.log.read_bytes()

    def run_loader(self, *arguments, **options):
        return loader.run(*arguments, "--composition", self.composition, "--sessions", self.root, **options)

    def call(self, list, session="s", **options):
        return self.run_loader("call", "todo_write", json.dumps({"todos": items(list)}), "--session", session, **options)

    def plan(self, session="s"):
        """The standing list as `plan` finds it."""
        done = self.run_loader("plan", "--session", session, "--json")
        # Where it has met lines that don't count it says so.
        self.assertEqual(done.returncode, 1 if b"don't count" in done.stderr else 0, done)
        return json.loads(done.stdout)["todos"]

    def audit(self):
        """The exit status of `audit`, and what it says of the one log there is."""
        done = self.run_loader("audit", self.root, "--json")
        (file,) = json.loads(done.stdout)["files"]
        return done.returncode, file

    def listed(self, session="s"):
        """What `sessions` says of it."""
        sessions = json.loads(self.run_loader("sessions", "--json").stdout)["sessions"]
        return next(one for one in sessions if one["id"] == session)

    def script(self, **options):
        return Script(sessions=self.root, **options)

    def events(self, bytes=None):
        """The events of the log on disk: every line is one, and their seqs have no gap."""
        text = self.log.read_bytes() if bytes is None else bytes
        self.assertTrue(text.endswith(b"\n"), text[-200:])
        events = [json.loads(one) for one in text.splitlines()[1:]]
        self.assertEqual([one["seq"] for one in events], list(range(len(events))))
        return events

    def assert_refused_to_writers(self, *words):
        """Whoever opens it to write is refused with all these words, and the file stays as it is."""
        before = self.log.read_bytes()
        done = self.call("z:i")
        self.assertEqual((done.returncode, done.stdout), (2, b""), done)
        with self.script() as script:
            answer = script.op("session/open", session="s")
            self.assertIs(answer["ok"], False, answer)
        for word in words:
            self.assertIn(word, done.stderr.decode())
            self.assertIn(word, answer["error"])
        self.assertEqual(self.log.read_bytes(), before)
        self.assertEqual([path.name for path in self.log.parent.iterdir()], ["session.jsonl"])


def limit_file_size(process, size):
    """From now on no file of the process can grow beyond `size` bytes (None: any size)."""
    _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard if size is None else size, hard))
