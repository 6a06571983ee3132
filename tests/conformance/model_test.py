"""Is the model to be trusted? It has to agree with every recorded case, and, where Node is there,
with JavaScript itself."""
import json
import random
import shutil
import struct
import subprocess
import unittest

import case_files
import javascript as js
import own_texts
import case_runner
import todo_model
from model_host import ModelHost


def model_host(parallel, without, vetoes):
    return ModelHost(parallel, without, vetoes)


class ModelAgainstCases(unittest.TestCase):
    def _agrees(self, file):
        results = case_runner.run(file, model_host)
        self.assertEqual(len(results), len(case_files.read(file)))
        self.assertEqual({name: found for name, found in results.items() if found}, {})

    def test_tool_calls(self):
        self._agrees("tool-calls")

    def test_malformed_arguments(self):
        self._agrees("malformed-arguments")

    def test_tool_with_invariant(self):
        self._agrees("tool-with-invariant")

    def test_invariant(self):
        self._agrees("invariant")

    def test_projection(self):
        self._agrees("projection")

    def test_call_cards(self):
        for card in case_files.catalog()["presentCall"]:
            with self.subTest(card["args"]):
                self.assertEqual(todo_model.card(js.stringify(card["args"])), card["view"])

    def test_every_foreign_text_is_in_the_table(self):
        foreign = {case["id"] for file in case_files.FILES for case in case_files.read(file)
                   if "yamlErrorPrefix" not in (case["expect"] or {}) and own_texts.is_foreign(case)}
        self.assertEqual(foreign, set(own_texts.TABLE))


_NODE = """
const read = (text) => { try { return JSON.stringify(JSON.parse(text)) } catch { return null } };
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const units = Array.from({ length: 65536 }, (_, i) => String.fromCharCode(i));
process.stdout.write(JSON.stringify({
  numbers: given.numbers.map((text) => String(JSON.parse(text))),
  texts: given.texts.map(read),
  quoted: units.map((unit) => JSON.stringify(unit)),
  trimmed: units.filter((unit) => unit.trim() === ""),
}));
"""


@unittest.skipUnless(shutil.which("node"), "compares with Node where it is installed")
class JavaScriptAgainstNode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rng = random.Random(20)
        cls.numbers = [f"{digits}e{power}" for power in range(-330, 312) for digits in ("1", "5", "9.999999999999999")]
        while len(cls.numbers) < 40000:
            value = struct.unpack("<d", rng.randbytes(8))[0]
            if value == value:
                cls.numbers.append(repr(value).replace("inf", "1e999"))
        seeds = [case["argumentsText"] for file in ("tool-calls", "malformed-arguments")
                 for case in case_files.read(file) if len(case["argumentsText"]) < 300]
        cls.texts = [_damaged(rng, rng.choice(seeds)) for _ in range(10000)]
        given = json.dumps({"numbers": cls.numbers, "texts": cls.texts})
        cls.node = json.loads(subprocess.run(["node", "-e", _NODE], input=given.encode(), capture_output=True,
                                             check=True).stdout)

    def test_numbers_print_alike(self):
        for text, wanted in zip(self.numbers, self.node["numbers"]):
            self.assertEqual(js.number(float(text)), wanted, text)

    def test_texts_parse_alike(self):
        for text, wanted in zip(self.texts, self.node["texts"]):
            try:
                got = js.stringify(js.parse(js.joined(text)))
            except js.NotJson:
                got = None
            self.assertEqual(got, wanted, ascii(text))

    def test_units_quote_alike(self):
        self.assertEqual([js.quote(chr(unit)) for unit in range(65536)], self.node["quoted"])

    def test_units_trim_alike(self):
        self.assertEqual([chr(unit) for unit in range(65536) if not js.trim(chr(unit))], self.node["trimmed"])


def _damaged(rng, text):
    text = list(text)
    for _ in range(rng.randint(0, 3)):
        at = rng.randint(0, len(text))
        text[at:at + rng.randint(0, 1)] = rng.choice('{}[]":,\\ub019eE+-.truefalsn \t\n\0\x7f\u2028\ud800\udc00é')
    return "".join(text)


if __name__ == "__main__":
    unittest.main()
