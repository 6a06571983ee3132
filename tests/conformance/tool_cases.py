"""Cases of one call: tool-calls, malformed-arguments, tool-with-invariant."""
import re

import javascript as js
from case_files import compare
from hosts import Raw, prepared, raw_elements, raw_members

# An event as the log holds it: these keys, in this order, compact.
ENVELOPE = re.compile(r'\{"type":"(?P<type>[^"]*)","seq":(?P<seq>\d+),"time":\d+,"data":(?P<data>.*)\}', re.S)


def differences(case, host):
    """What the host does otherwise than the case says."""
    session = case["id"]
    prepared(host.op("session/create", session=session))
    before = case.get("before", [])
    for event in before:
        prepared(host.op("session/append", session=session, type=event["type"], data=Raw(js.stringify(event["data"]))))
    owner = {"session": session} if case["agent"] else {}
    answer = host.op("tool/call", name="todo_write", arguments=case["argumentsText"], **owner)
    expect = case["expect"]
    if not answer.ok:
        return [f"the line failed: {answer}"]
    found = []
    for key in ("isError", "text", "value", "errorInfo"):
        found += compare(key, answer.raw(key), js.stringify(expect[key]) if key in expect else None)
    return found + _log_differences(host, session, before, expect["appended"])


def _log_differences(host, session, before, appended):
    events = [ENVELOPE.fullmatch(event) for event in
              raw_elements(prepared(host.op("session/events", session=session)).raw("events"))]
    if not all(events):
        return ["an event of the log is not of the envelope's form"]
    found = compare("seq of the log", [int(event["seq"]) for event in events], list(range(len(events))))
    wanted = [(event["type"], js.stringify(event["data"])) for event in before]
    if appended is not None:
        wanted.append(("todo/write", js.stringify(appended)))
    return found + compare("log", [(event["type"], event["data"]) for event in events], wanted)


def text_of_value(answer):
    """The lists in a successful answer and in its event are the same bytes."""
    return raw_members(answer.raw("value"))["todos"]
