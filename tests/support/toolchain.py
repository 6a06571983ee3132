"""The compilers that the tests of the contract try, and one way to run any tool.

The build's own compilers come from its cache; others are used where the machine has them.
"""
import functools
import os
import pathlib
import shutil
import subprocess

import build

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
INCLUDE = build.SOURCE / "host-api" / "include"
EXAMPLES = build.SOURCE / "host-api" / "examples"


@functools.cache
def cache():
    """The variables of the build's CMakeCache.txt."""
    lines = (build.BUILD / "CMakeCache.txt").read_text().splitlines()
    entries = (line.split("=", 1) for line in lines if "=" in line and not line.startswith(("#", "//")))
    return {key.split(":")[0]: value for key, value in entries}


def c_compiler():
    return cache().get("CMAKE_C_COMPILER", "cc")


def cxx_compiler():
    return cache().get("CMAKE_CXX_COMPILER", "c++")


def compilers(language):
    """Every compiler of `language` ("c" or "c++") to try a header with: the build's, clang, MinGW."""
    own, others = {"c": (c_compiler(), ["clang", "x86_64-w64-mingw32-gcc-posix"]),
                   "c++": (cxx_compiler(), ["clang++", "x86_64-w64-mingw32-g++-posix"])}[language]
    return [own] + [found for found in map(shutil.which, others) if found]


def wine():
    """The 64-bit Wine loader, or None."""
    for name in ("wine64", "/usr/lib/wine/wine64", "wine"):
        if found := shutil.which(name):
            return found
    return None


def run(*command, cwd=None, env=None, timeout=300, input=None):
    """Runs a tool to its end. stdout and stderr are text, with bytes that are no UTF-8 escaped."""
    return subprocess.run([str(part) for part in command], cwd=cwd, env=env, timeout=timeout, input=input,
                          stdin=None if input is not None else subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="backslashreplace")


def check(test, *command, **options):
    """`run`, failing the unittest case `test` with everything the tool said if it fails."""
    done = run(*command, **options)
    if done.returncode != 0:
        test.fail(f"{' '.join(map(str, command))}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def sanitizer_flags():
    return [f"-fsanitize={build.SANITIZER}"] if build.SANITIZER else []


def build_plugin(test, source, output, *flags, compiler=None, include=INCLUDE):
    """Compiles one C file to a plugin library that exports the contract alone."""
    check(test, compiler or c_compiler(), "-std=c11", *WARNINGS, "-shared", "-fPIC", "-fvisibility=hidden",
          f"-I{include}", source, "-o", output, *flags)
    return pathlib.Path(output)


def clean_environment(**more):
    """The caller's environment without what would reach into a build made by a test."""
    reach = {"CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS"}
    env = {k: v for k, v in os.environ.items() if not k.startswith(("DSH_", "CMAKE_")) and k not in reach}
    env.update({k: str(v) for k, v in more.items()})
    return env
