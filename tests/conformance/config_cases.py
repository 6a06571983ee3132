"""Cases of whole composition files: each takes a process of its own."""
import json
import re

import loader
import own_texts
from case_files import compare

TWO_ACTIVE = json.dumps({"todos": loader.items("a:i, b:i")})
REFUSED = "Error: invalid todos: at most one task may be in_progress (got 2)"


def differences(case):
    """What the host does otherwise than the case says."""
    text = case["compositionText"]
    # The service rows of the reference are services of our host: one without the row lacks the service.
    without = [] if "@deepseek-ai/dsh-tools" in text else ["tools"]
    composition = text if "\n" in text else text + "\n"
    if case["expect"]["ok"] and case["id"] not in own_texts.TABLE:
        return _loaded(case["expect"], composition, without)
    return _refused(case, composition, without)


def _loaded(expect, composition, without):
    with loader.Script(composition, without=without + ["invariants"]) as script:
        try:
            tools = [] if "tools" in without else script.ok("tools")["tools"]
        except loader.Ended as ended:
            return [f"ended with {ended.code}: {ended.stderr}"]
        found = compare("the tool is there", "todo_write" in [tool["name"] for tool in tools], expect["toolPresent"])
        if found or not expect["toolPresent"]:
            return found
        script.ok("session/create", session="s")
        answer = script.call(session="s", arguments=TWO_ACTIVE)
        found = compare("two active items are accepted", not answer["isError"], expect["parallelWriteAccepted"])
        if answer["isError"]:
            found += compare("text", answer["text"], REFUSED)
        policy = "single" if answer["isError"] else "parallel"
        return found + compare("policy", policy, expect["policy"])


def _refused(case, composition, without):
    error = loader.load_failure(composition, without=without + ["invariants"])
    if error is None:
        return ["the composition loaded"]
    if case["id"] in own_texts.TABLE:
        ours = own_texts.difference(case, error)
        return [ours] if ours else []
    expect = case["expect"]
    if "yamlErrorPrefix" in expect:
        return [] if own_texts.YAML_ERROR.search(error) else [f"names no file, line and column: {error!r}"]
    innermost = expect["innermost"]
    if innermost.startswith('tool "todo_write" is already registered'):
        innermost = innermost.partition(" (")[0]  # what stands in brackets is not binding
    found = [] if error.endswith(innermost) else compare("error ends with its cause", error, innermost)
    if innermost.startswith("invalid config"):
        entry = re.search(r"^  id: (\S+)$", case["compositionText"], re.M)
        whole = rf"failed to apply loader entry {re.escape(entry[1]) if entry else r'[^ ]+'} " \
                rf"\(@deepseek-ai/dsh-tool-todo\): {re.escape(innermost)}"
        if not re.fullmatch(whole, error):
            found += compare("error", error, whole)
    return found
