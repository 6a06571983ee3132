"""What a call takes of the heap and of the processor, and what a session keeps: counts that are the same on
every run, however busy the machine is, and that stay flat with the items and with the calls.
"""
import shutil
import sys
import tempfile
import unittest

import build

sys.dont_write_bytecode = True
import instructions  # noqa: E402
from programs import Ours  # noqa: E402

CONTENTS = ("ordinary", "non-ascii", "padded", "escaped")
# Host and plugin keep the event, the value and the text of a call; the memory store gets a block now and then.
FOR_THE_CALL = 4
# Two sets of the items' contents, each of which gets new memory four times as large whenever it is full.
FOR_MORE_ITEMS = {10: 0, 100: 4, 1000: 12, 10_000: 22}


class AllocationsTest(unittest.TestCase):
    def setUp(self):
        self.ours = Ours(build.BUILD)

    def allocations(self, items, content, calls):
        return self.ours.count("call", items, content, calls)["allocations"]

    def test_there_are_few_and_none_for_an_item(self):
        for items, more in FOR_MORE_ITEMS.items():
            for content in CONTENTS:
                with self.subTest(items=items, content=content):
                    taken = self.allocations(items, content, max(20, 3200 // items))
                    self.assertLessEqual(taken, FOR_THE_CALL + more)
                    self.assertGreaterEqual(taken, 1, "nothing was counted")

    def test_a_session_of_a_thousand_calls_takes_no_more_for_each(self):
        for content in CONTENTS:
            with self.subTest(content=content):
                self.assertLessEqual(self.allocations(10, content, 1000), self.allocations(10, content, 100) + 0.1)


class MemoryTest(unittest.TestCase):
    def test_a_session_on_disk_keeps_sixteen_bytes_an_event_at_most(self):
        with tempfile.TemporaryDirectory() as directory:
            grown = Ours(build.BUILD).measure("memory", 20_000, directory)
        self.assertLessEqual(grown["heap_bytes"], 16)
        self.assertGreater(grown["heap_bytes"], 0, "it knows where each event stands")


@unittest.skipIf(shutil.which("valgrind") is None, "valgrind is not installed: bash cmake/setup.sh --tests")
class GrowthTest(unittest.TestCase):
    def setUp(self):
        self.ours = Ours(build.BUILD)

    def test_an_item_of_a_long_list_takes_no_more_than_one_of_a_short_list(self):
        for content in CONTENTS:
            with self.subTest(content=content):
                of_a_short = instructions.of_call(self.ours, 100, content) / 100
                self.assertLessEqual(instructions.of_call(self.ours, 2000, content, calls=2) / 2000, 1.1 * of_a_short)

    def test_the_calls_of_a_long_session_take_no_more_than_those_of_a_short_one(self):
        of_a_short = instructions.of_call(self.ours, 10, "ordinary", calls=100)
        self.assertLessEqual(instructions.of_call(self.ours, 10, "ordinary", calls=2000), 1.01 * of_a_short)


if __name__ == "__main__":
    unittest.main()
