"""What Linux tells of a running process, and waiting until it has come to rest. No test depends on how fast
a busy machine gets there.
"""
import pathlib
import time


def memory(pid, name):
    """A figure of the process's memory in kilobytes: VmRSS, or VmHWM for the most there was."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0])


def switches(pid):
    """How often the threads of the process have been put on a processor or taken off one."""
    tasks = pathlib.Path(f"/proc/{pid}/task").glob("*/status")
    return sum(int(line.split()[1]) for task in tasks for line in task.read_text().splitlines() if "ctxt_switches" in line)


def bytes_read(pid):
    """How many bytes the process has read so far, from files and elsewhere."""
    return int(pathlib.Path(f"/proc/{pid}/io").read_text().partition("rchar:")[2].split()[0])


def becomes(pid, state, within=20):
    """Does the process get into this state (T: stopped, S: asleep), and stay there?"""
    def now():
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    end = time.monotonic() + within
    while now() != state and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.2)
    return now() == state


def comes_to_rest(figure, still=0.5, within=10):
    """Does figure() stay the same for `still` seconds, within so many?"""
    end = time.monotonic() + within
    while time.monotonic() < end:
        before = figure()
        time.sleep(still)
        if figure() == before:
            return True
    return False
