"""What is installed works wherever it lies: the program finds its plugin and composition by itself."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import build
import loader
from loader import items


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.directory.name, "first place")
        for component in ("loader", "plugin", "sdk"):
            subprocess.run(["cmake", "--install", str(build.BUILD), "--prefix", str(cls.prefix), "--component", component],
                           check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def main_job(self, prefix):
        home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        run = lambda *words: loader.run(*words, executable=prefix / "bin" / "loader-sample", env=loader.environment(home), cwd="/")
        done = run("call", "todo_write", json.dumps({"todos": items("a:c, b:i")}), "--session", "s")
        self.assertEqual((done.returncode, done.stdout), (0, b"Updated todo list: 0 pending, 1 in progress, 1 completed.\n"), done)
        self.assertEqual(json.loads(run("plan", "--session", "s", "--json").stdout)["todos"], items("a:c, b:i"))
        (todo,) = [one for one in json.loads(run("plugins", "--json").stdout)["plugins"] if one["state"] == "active"]
        self.assertEqual(todo["file"], str(prefix.resolve() / "lib" / "dsh" / "plugins" / "dsh-tool-todo.so"))
        self.assertTrue((home / ".local/state/dsh/sessions/_no-cwd/s/session.jsonl").is_file())

    def test_the_layout(self):
        for file in ("bin/loader-sample", "lib/dsh/plugins/dsh-tool-todo.so", "include/dsh/dsh.h", "include/dsh/plugin.h", "share/dsh/todo.yaml"):
            self.assertTrue((self.prefix / file).is_file(), file)

    def test_it_works_where_it_was_installed(self):
        self.main_job(self.prefix)

    def test_it_works_where_it_was_moved_to(self):
        moved = self.prefix.with_name("moved")
        self.prefix.rename(moved)
        try:
            self.main_job(moved)
        finally:
            moved.rename(self.prefix)

    def test_it_works_whatever_the_umask_is(self):
        prefix = self.prefix.with_name("opened") / "usr"
        subprocess.run(["cmake", "--install", str(build.BUILD), "--prefix", str(prefix)], check=True, capture_output=True, umask=0o002)
        self.main_job(prefix)
        self.assertEqual([path for path in (prefix, *prefix.rglob("*")) if path.stat().st_mode & 0o022], [])

    def test_it_works_through_a_link(self):
        link = self.prefix.with_name("link")
        link.symlink_to(self.prefix / "bin" / "loader-sample")
        done = loader.run("tools", "--json", executable=link)
        self.assertEqual([tool["name"] for tool in json.loads(done.stdout)["tools"]], ["todo_write"])

    def test_no_path_of_the_build_is_in_what_is_installed(self):
        for file in ("bin/loader-sample", "lib/dsh/plugins/dsh-tool-todo.so"):
            dynamic = subprocess.run(["readelf", "-d", str(self.prefix / file)], capture_output=True, text=True, check=True).stdout
            self.assertNotIn("RPATH", dynamic)
            self.assertNotIn("RUNPATH", dynamic)

    def test_without_its_composition_it_says_where_it_looked(self):
        composition = self.prefix / "share" / "dsh" / "todo.yaml"
        hidden = composition.with_name("hidden")
        composition.rename(hidden)
        try:
            done = loader.run("tools", executable=self.prefix / "bin" / "loader-sample")
        finally:
            hidden.rename(composition)
        self.assertEqual(done.returncode, 2)
        self.assertIn(str(composition), done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
