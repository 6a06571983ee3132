"""How often the sample host waits for the disk, counted by strace."""
import json
import re
import subprocess
import tempfile

from programs import Failed, environment

SYNC = re.compile(r"\b(?:fsync|fdatasync|sync_file_range|sync|syncfs|msync)\(")
LIST = json.dumps({"todos": [{"content": "Read the code", "status": "in_progress"}]})


def available():
    """None, or why counting is not possible here."""
    try:
        done = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True)
    except FileNotFoundError:
        return "strace is not installed"
    return None if done.returncode == 0 else "strace can't trace here: " + done.stderr.strip().splitlines()[-1]


def _syncs(loader, words, lines=()):
    """The syncs of one run of the sample host with these lines on stdin."""
    with tempfile.NamedTemporaryFile("r") as trace:
        done = subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync,sync_file_range,sync,syncfs,msync", "-o", trace.name, str(loader), *words],
            input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True, env=environment())
        if done.returncode != 0:
            raise Failed(f"loader-sample {words[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return len(SYNC.findall(trace.read()))


def _a_call_more(loader, words, lines):
    """The syncs of each further call: lines(n, directory) are those of n calls."""
    counts = []
    for calls in (2, 12):
        with tempfile.TemporaryDirectory() as root:
            counts.append(_syncs(loader, [*words, "--sessions", root], lines(calls)))
    return (counts[1] - counts[0]) / 10


def of_run(loader):
    """Of a `tool/call` line."""
    def lines(calls):
        yield {"op": "session/create", "session": "s"}
        yield {"op": "session/append", "session": "s", "type": "turn/start", "data": {"turn": 1}}
        for _ in range(calls):
            yield {"op": "tool/call", "session": "s", "name": "todo_write", "arguments": LIST, "expect": {"isError": False}}
    return _a_call_more(loader, ["run"], lines)


def of_mcp(loader):
    """Of a `tools/call` request."""
    def lines(calls):
        yield {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}
        yield {"jsonrpc": "2.0", "method": "notifications/initialized"}
        for call in range(calls):
            yield {"jsonrpc": "2.0", "id": call + 1, "method": "tools/call", "params": {"name": "todo_write", "arguments": json.loads(LIST)}}
    return _a_call_more(loader, ["mcp", "--session", "s"], lines)


def of_call(loader):
    """Of opening a stored session, which marks the end of its seed, and of the command `call` on one that
    ends with such a mark, so that opening it writes nothing."""
    with tempfile.TemporaryDirectory() as root:
        call = ["call", "todo_write", LIST, "--session", "s", "--sessions", root]
        _syncs(loader, call)
        opening = _syncs(loader, ["run", "--sessions", root], [{"op": "session/open", "session": "s", "expect": {"session": "s"}}])
        return opening, _syncs(loader, call)
