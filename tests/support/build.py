"""Where the tests find what was built, and other programs' session logs where somebody names some.

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
# A directory of other programs' session logs, or None: they belong to whoever has them, and do not come with the tests.
REAL_LOGS = pathlib.Path(os.environ["DSH_REAL_LOGS"]) if "DSH_REAL_LOGS" in os.environ else None
NO_REAL_LOGS = "DSH_REAL_LOGS names no directory of other programs' logs"
# Tiny plugins, sound and faulty ones, that the unit tests of plugin loading build.
LIBRARIES = BUILD / "tests" / "unit" / "plugins" / "libraries"
