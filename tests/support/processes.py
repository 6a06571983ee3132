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


def comes_to_rest(figure, still=0.5, within=10):
    """Does figure() stay the same for `still` seconds, within so many?"""
    end = time.monotonic() + within
    while time.monotonic() < end:
        before = figure()
        time.sleep(still)
        if figure() == before:
            return True
    return False
