"""Cases of the `todos` projection: a script of operations, each with what it shows."""
import json

import javascript as js
import own_texts
from case_files import compare
from hosts import Raw, prepared, raw_members

PLUGIN = "@deepseek-ai/dsh-tool-todo"


def differences(case, host):
    """What the host does otherwise than the case says. The host starts, and is left, without the
    plugin and without the projections service."""
    created = {op["session"] for op in case["ops"] if op["op"] == "create"}
    sessions = sorted({op.get("session", "s1") for op in case["ops"]} - created | {"s1"})
    for session in sessions:
        prepared(host.op("session/create", session=session))
    listeners = 0
    found = []
    try:
        for at, (op, expect) in enumerate(zip(case["ops"], case["expect"])):
            listeners += {"subscribe": 1, "unsubscribe": -1}.get(op["op"], 0)
            found += [f"op {at} ({op['op']}): {difference}" for difference in _step(case, host, op, expect)]
    finally:
        for _ in range(listeners):
            host.op("projection/unsubscribe")
        host.op("plugin/unload", id=PLUGIN)
        host.op("service/remove", name="sessionProjections")
        for session in sessions + sorted(created):
            host.op("session/dispose", session=session)
    return found


def _step(case, host, op, expect):
    session = op.get("session", "s1")
    answer = _run(host, op, session)
    if "error" in expect:
        return _failure(case, answer, expect["error"]["message"])
    if answer is None:  # a read: all of it is in `after`
        return _after(case, host, session, expect["after"])
    if not answer.ok:
        return [f"failed: {answer}"]
    found = []
    for key in ("seq", "checkpoint", "snapshot", "floor", "values"):
        if key in expect:
            found += compare(key, answer.raw(key), js.stringify(expect[key]))
    wanted = [{key: change[key] for key in ("session", "key", "value", "seq")} for change in expect["notified"]]
    found += compare("notified", answer.raw("notified") or "[]", js.stringify(wanted))
    if "after" in expect:
        found += _after(case, host, session, expect["after"])
    return found


def _run(host, op, session):
    name = op["op"]
    if name == "mountRegistry":
        return host.op("service/add", name="sessionProjections")
    if name == "mount":
        return host.op("plugin/load", id=PLUGIN)
    if name == "unmount":
        return host.op("plugin/unload", id=PLUGIN)
    if name in ("subscribe", "unsubscribe"):
        return host.op(f"projection/{name}")
    if name == "append":
        return host.op("session/append", session=session, type=op["type"], data=Raw(js.stringify(op["data"])))
    if name == "create":
        seed = [{"type": event["type"], "data": event["data"]} for event in op["seed"]]
        return host.op("session/create", session=session, seed=Raw(js.stringify(seed)))
    if name == "read":
        return None
    if name == "checkpoint":
        return host.op("projection/checkpoint", session=session)
    fields = {key: Raw(js.stringify(value)) for key, value in op.items() if key != "op"}
    return host.op(f"projection/{name}", **fields)


def _after(case, host, session, after):
    answer = host.op("projection/read", session=session)
    if after.get("registry") is False:
        return compare("read without the service succeeded", answer.ok, False)
    found = []
    if "error" in after:
        found += _failure(case, answer, after["error"]["message"])
    elif not answer.ok:
        return [f"read failed: {answer}"]
    else:
        values = raw_members(answer.raw("values"))
        found += compare("asOfSeq", answer.raw("asOfSeq"), js.stringify(after["asOfSeq"]))
        found += compare("has the key", "todos" in values, after["hasKey"])
        found += compare("todos", values.get("todos"), js.stringify(after["todos"]) if "todos" in after else None)
    return found + _state(host, session, after)


def _state(host, session, after):
    """The raw state, which the checkpoint holds."""
    checkpoint = prepared(host.op("projection/checkpoint", session=session)).raw("checkpoint")
    row = raw_members(raw_members(checkpoint).get("todos", "{}"))
    state = after["state"]
    found = compare("state", row.get("val"), js.stringify(state["value"]) if "value" in state else None)
    if row:
        found += compare("checkpoint's version and seq", [json.loads(row["ver"]), json.loads(row["seq"])],
                         [2, after["asOfSeq"]])
    return found


def _failure(case, answer, wanted):
    if answer.ok:
        return [f"succeeded: {answer}"]
    if own_texts.FOREIGN.search(wanted):
        ours = own_texts.difference(case, answer.error)
        return [ours] if ours else []
    return compare("error", answer.raw("error"), js.quote(wanted))
