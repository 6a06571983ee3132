"""The recorded texts that are not the reference's own words, with what binds us in their place.

Where the reference fails with a text of JavaScript's or of one of its libraries, the plugin or the
host has to fail too, cleanly, with one of its own that names the field at fault. A case is in the
table or it is compared byte for byte; `model_test.py` finds cases whose text ought to be in the table.
"""
import re

# Words that only the reference's runtime says.
FOREIGN = re.compile(r"Cannot read propert|Cannot create property|is not defined|\A\[\n  \{\n    .code.|"
                     r"unexpected Loader import|invalid plugin, expect function")

_NULL_DATA = (r"todo/write", "TypeError of JavaScript over null event data: ours names the event type")
_BAD_STATE = (r"todos", "body of a schema library's error (Zod): ours names the key")
_NO_NAME = (r"entry 4\b.*\bname\b", "TypeError over an entry without a name, or a stub's "
            "message for an empty one: ours names the position and the field")
_JS_TAG = (r"composition\.yaml:\d+:\d+: .*\btag\b.*\bjs\b", "JavaScript in YAML: the reference evaluates it, we "
           "refuse the tag as unknown, naming file, line and column")

# case id -> (what our text must match, why it is ours)
TABLE = {
    "inv-data-001": _NULL_DATA,
    "inv-order-011": _NULL_DATA,
    "inv-late-015": _NULL_DATA,
    "inv-created-009": _NULL_DATA,
    "pr-view-010": _BAD_STATE,
    "pr-view-012": _BAD_STATE,
    "pr-view-013": _BAD_STATE,
    "pr-restore-020": _BAD_STATE,
    "pr-restore-021": _BAD_STATE,
    "pr-restore-024": _BAD_STATE,
    "pr-restore-026": _BAD_STATE,
    "pr-restore-027": _BAD_STATE,
    "pr-restore-032": _BAD_STATE,
    "pr-restore-033": _BAD_STATE,
    "cf-js-004": _JS_TAG,
    "cf-js-005": _JS_TAG,
    "cf-js-006": _JS_TAG,
    "cf-js-007": _JS_TAG,
    "cf-comp-017": _JS_TAG,
    "cf-comp-005": _NO_NAME,
    "cf-comp-006": _NO_NAME,
    "cf-comp-007": _NO_NAME,
    "cf-comp-008": (r"@deepseek-ai/dsh-tool-todoo", "message of the recorder's import stub: ours names the plugin "
                    "that is nowhere"),
    "cf-comp-010": (r"cordis:nothing", "message of the reference's plugin container: ours names the entry"),
    "cf-comp-038": (r"entry 4\b", "TypeError over a null entry: ours names its position"),
    "cf-comp-039": (r"entry 4\b", "TypeError over a text as an entry: ours names its position"),
    "cf-comp-040": (r"entry 4\b", "TypeError over a list as an entry: ours names its position"),
}

# Beside the table: every case with `yamlErrorPrefix` (a syntax error of YAML) has to fail with the
# file, the line and the column in the text; the words are ours.
YAML_ERROR = re.compile(r"composition\.yaml.*?\b(\d+)\b.*?\b(\d+)\b", re.S)


def difference(case, text):
    """What is wrong with our text for a case of the table, or None."""
    pattern, why = TABLE[case["id"]]
    if FOREIGN.search(text):
        return f"a text of the reference's runtime: {text!r}"
    if not re.search(pattern, text):
        return f"{text!r} does not match {pattern!r} ({why})"
    return None


def is_foreign(case):
    """Does the case record a text that is not the reference's own?"""
    return any(FOREIGN.search(text) for text in _texts([case["expect"], case.get("liveOutcomes")])) \
        or "!!js" in case.get("compositionText", "")


def _texts(value):
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, (list, dict)):
            left += value.values() if isinstance(value, dict) else value
