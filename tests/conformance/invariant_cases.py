"""Cases of the invariant: events before it comes, then steps under it."""
import javascript as js
import own_texts
from case_files import compare
from hosts import Raw, prepared


def differences(case, host):
    """What the host does otherwise than the case says."""
    sessions = []  # those that are there when the invariant comes, in order
    created = {step["create"] for step in case["live"] if "create" in step}
    for event in case["before"] + case["live"]:
        session = event.get("session", "s1")
        if "type" in event and session not in sessions and session not in created:
            sessions.append(session)
    sessions += [session for session in case["committed"] or {} if session not in sessions and session not in created]
    for session in sessions:
        prepared(host.op("session/create", session=session))
    for event in case["before"]:
        prepared(_step(host, event))
    try:
        found = _install(case, host)
        installed = not case["expect"] or case["expect"]["phase"] != "install"
        return found + (_live(case, host) if installed else [])
    finally:
        host.op("service/remove", name="invariants")
        for session in sessions + sorted(created):
            host.op("session/dispose", session=session)


def _install(case, host):
    answer = host.op("service/add", name="invariants")
    expect = case["expect"]
    if expect and expect["phase"] == "install":
        return _text_difference(case, "install", answer, expect["message"])
    return [] if answer.ok else [f"install: {answer}"]


def _live(case, host):
    found = []
    first = None
    for at, (step, outcome) in enumerate(zip(case["live"], case["liveOutcomes"] or [])):
        answer = _step(host, step)
        if not answer.ok and first is None:
            first = {"index": len(case["before"]) + at, "phase": "create" if "create" in step else "append"}
        found += _text_difference(case, f"live step {at}", answer, outcome)
    expect = case["expect"]
    wanted = expect and {"index": expect["index"], "phase": expect["phase"]}
    found += compare("first failure", first, wanted)
    for session, types in (case["committed"] or {}).items():
        events = prepared(host.op("session/events", session=session))["events"]
        found += compare(f"committed in {session}", [event["type"] for event in events], types)
    return found


def _text_difference(case, where, answer, wanted):
    """Compares the failure's text (None: a success)."""
    if wanted is not None and own_texts.FOREIGN.search(wanted):
        if answer.ok:
            return [f"{where}: succeeded"]
        ours = own_texts.difference(case, answer.error)
        return [f"{where}: {ours}"] if ours else []
    return compare(where, answer.raw("error"), None if wanted is None else js.quote(wanted))


def _step(host, step):
    if "create" in step:
        seed = "[" + ",".join(f'{{"type":{js.quote(event["type"])},"data":{event["dataText"]}}}'
                              for event in step["seed"]) + "]"
        return host.op("session/create", session=step["create"], seed=Raw(seed))
    if "dispose" in step:
        return host.op("session/dispose", session=step["dispose"])
    return host.op("session/append", session=step.get("session", "s1"), type=step["type"], data=Raw(step["dataText"]))
