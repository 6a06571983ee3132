"""A session in memory, for the troubles that users of such tools reported."""
import unittest

from loader import PARALLEL, Script


class Trouble(unittest.TestCase):
    """A session in memory, written outside turns."""

    composition = PARALLEL

    def setUp(self):
        self.script = Script(self.composition, without=["invariants"])
        self.addCleanup(self.script.__exit__, None, None, None)
        self.script.ok("session/create", session="s")

    def call(self, arguments, session="s"):
        return self.script.call(session=session, arguments=arguments if isinstance(arguments, str) else None,
                                todos=None if isinstance(arguments, str) else arguments)

    def refused(self, arguments, text):
        """The call fails with this text, and leaves the log and the plan as they were."""
        before = self.script.events("s"), self.script.todos("s")
        answer = self.call(arguments)
        self.assertTrue(answer["isError"], answer)
        self.assertEqual(answer["text"], text)
        self.assertEqual((self.script.events("s"), self.script.todos("s")), before)

    def accepted(self, todos, text=None):
        answer = self.call(todos)
        self.assertFalse(answer["isError"], answer)
        self.assertEqual(self.script.todos("s"), answer["value"]["todos"])
        if text:
            self.assertEqual(answer["text"], text)
        return answer

    def writes(self, session="s"):
        return [event["data"]["todos"] for event in self.script.events(session, "todo/write")]
