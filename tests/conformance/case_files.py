"""The recorded cases, read; and how a case's findings are told."""
import json
import pathlib

CASES = pathlib.Path(__file__).resolve().parent / "cases"
FILES = ("tool-calls", "malformed-arguments", "tool-with-invariant", "invariant", "projection", "config")


def read(file):
    """The cases of a file, in order. Numbers are floats, as in JavaScript."""
    with open(CASES / f"{file}.jsonl", encoding="ascii") as lines:
        return [json.loads(line, parse_int=float) for line in lines]


def catalog():
    return json.loads((CASES / "catalog.json").read_text("ascii"))


def compare(what, got, wanted):
    """[] or one line that tells the difference."""
    return [] if got == wanted else [f"{what}: got {_short(got)}, wanted {_short(wanted)}"]


def _short(value):
    text = ascii(value)
    return text if len(text) <= 600 else f"{text[:500]}… ({len(text)} characters) …{text[-80:]}"
