"""System calls that the kernel refuses a program, as it does where it has run out of something.

    subprocess.Popen(..., preexec_fn=refusing("inotify_init1", errno.EMFILE))
"""
import ctypes
import platform
import struct

_NUMBERS = {"x86_64": {"inotify_init1": 294, "inotify_add_watch": 254},
            "aarch64": {"inotify_init1": 26, "inotify_add_watch": 27}}

_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _SECCOMP_MODE_FILTER = 22, 38, 2
_LOAD_WORD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def refusing(call, error):
    """What a process does to have this system call fail with `error` from then on, and in the programs that it becomes."""
    number = _NUMBERS[platform.machine()][call]
    instructions = b"".join(struct.pack("HBBI", *one) for one in (
        (_LOAD_WORD, 0, 0, 0), (_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _FAIL | error), (_RETURN, 0, 0, _ALLOW)))
    program = _Program(len(instructions) // 8, instructions)
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def prepare():
        if prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "the kernel takes no filter")

    return prepare
