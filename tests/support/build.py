"""Where the tests find what was built, and real session logs where there are any.

Every script test imports this: the paths come from ctest's environment, so that one file serves
every preset.
"""
import os
import pathlib

SOURCE = pathlib.Path(os.environ["DSH_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["DSH_BUILD_DIR"])
LOADER = BUILD / "loader-sample" / "loader-sample"
PLUGINS = BUILD / "plugin"
CONFIG = SOURCE / "config"
SANITIZER = os.environ.get("DSH_SANITIZE", "")
# Session logs of other programs: a test that reads them says so, and is skipped where there are none.
REAL_LOGS = pathlib.Path(os.environ.get("DSH_REAL_LOGS") or SOURCE.parent / "shared" / "logs")
# Tiny plugins, sound and faulty ones, that the unit tests of plugin loading build.
LIBRARIES = BUILD / "tests" / "unit" / "plugins" / "libraries"
