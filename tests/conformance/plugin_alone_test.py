"""The library through its ABI, without the sample host: the recorded cases again, to tell a fault of the
plugin from one of the host, and what only a host's mistake can hand over."""
import concurrent.futures
import json
import unittest

import build
import case_files
import case_runner
from model_host import ModelHost
from native_plugin import Failure, Plugin, PluginRules, VIOLATED

BROKEN = {"a lone continuation": b"\x80", "no byte of UTF-8": b"\xff", "an overlong NUL": b"\xc0\x80", "a cut sequence": b"\xe2\x82",
          "beyond Unicode": b"\xf4\x90\x80\x80", "a raw surrogate": b"\xed\xa0\x80", "a raw pair of surrogates": b"\xed\xa0\xbd\xed\xb8\x80",
          "an overlong slash": b"\xe0\x80\xaf"}


@unittest.skipIf(build.SANITIZER, "a sanitized library needs a sanitized program around it")
class RecordedCases(unittest.TestCase):
    def _holds(self, file):
        results = case_runner.run(file, lambda parallel, without, vetoes: ModelHost(parallel, without, vetoes, PluginRules(parallel)))
        self.assertEqual(len(results), len(case_files.read(file)))
        self.assertEqual({name: found for name, found in results.items() if found}, {})

    def test_tool_calls(self):
        self._holds("tool-calls")

    def test_malformed_arguments(self):
        self._holds("malformed-arguments")

    def test_tool_with_invariant(self):
        self._holds("tool-with-invariant")

    def test_invariant(self):
        self._holds("invariant")

    def test_projection(self):
        self._holds("projection")


@unittest.skipIf(build.SANITIZER, "a sanitized library needs a sanitized program around it")
class BytesThatAreNoText(unittest.TestCase):
    """A host must hand over UTF-8. Where it does not: a text of ours, itself UTF-8, and nothing stored."""

    @classmethod
    def setUpClass(cls):
        cls.plugin = Plugin()

    def refused(self, function, *arguments):
        with self.assertRaises(Failure) as caught:
            function(*arguments)
        text = caught.exception.text.decode("utf-8")
        self.assertRegex(text, "UTF-8")
        self.assertNotEqual(caught.exception.status, VIOLATED)

    def test_arguments(self):
        places = (b'{"todos":[{"content":"%s","status":"pending"}]}', b'{"todos":[{"content":"a","status":"%s"}]}',
                  b'{"todos":[{"content":"a","status":"pending","%s":1}]}', b'{"%s":1,"todos":[]}', b'{"x":"%s","todos":[]}',
                  b'%s{"todos":[]}', b'{"todos":[]}%s', b'{"todos":[],"x":"%s","x":1}', b"%s")
        for why, broken in BROKEN.items():
            for place in places:
                with self.subTest(why, place=place):
                    stored = []
                    arguments = place.replace(b"%s", broken)
                    self.refused(self.plugin.execute, arguments, lambda *event: stored.append(event))
                    self.assertEqual(stored, [])
                    self.assertIsNone(self.plugin.present(arguments))

    def test_events_and_states(self):
        for why, broken in BROKEN.items():
            todos = b'[{"content":"%s","status":"pending"}]'.replace(b"%s", broken)
            data = b'{"todos":' + todos + b"}"
            with self.subTest(why):
                self.refused(self.plugin.check, bytearray(self.plugin.invariant.trace_size), b"todo/write", data)
                self.refused(self.plugin.fold, b"null", b"todo/write", data)
                self.refused(self.plugin.view, todos)
                self.refused(self.plugin.restore, todos)

    def test_config(self):
        for why, broken in BROKEN.items():
            with self.subTest(why):
                self.refused(Plugin, b'{"allowParallelInProgress":"' + broken + b'"}')


@unittest.skipIf(build.SANITIZER, "a sanitized library needs a sanitized program around it")
class Threads(unittest.TestCase):
    def test_sessions_of_many_threads_do_not_disturb_each_other(self):
        """Eight threads, each with a session of its own, call one instance at once."""
        plugin = Plugin()
        logs = [[] for _ in range(8)]

        def run(at):
            log = logs[at]
            for n in range(60):
                arguments = json.dumps({"todos": [{"content": f"{at} {n} {i}", "status": "pending"} for i in range(200)]})
                _, text = plugin.execute(arguments.encode(), lambda kind, data: log.append(data))
                assert text == b"Updated todo list: 200 pending, 0 in progress, 0 completed."

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(run, range(8)))
        for at, log in enumerate(logs):
            self.assertEqual([json.loads(data)["todos"][199]["content"] for data in log], [f"{at} {n} 199" for n in range(60)])


if __name__ == "__main__":
    unittest.main()
