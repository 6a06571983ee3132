"""Script mode in Python: the same lines and the same answers as the sample host's, over any rules.

It knows what the tests ask of it: sessions in memory, `todo_write` in one entry, the services
`tools`, `invariants` and `sessionProjections`, and other checkers that veto events. The rules are the
model's, or those of the plugin itself (native_plugin.py): then plugin and model can be compared without
the sample host, which knows neither.
"""
import javascript as js
import todo_model as model
from hosts import Answer, Raw, raw_elements, raw_members

PLUGIN = "@deepseek-ai/dsh-tool-todo"
_SURFACE = ("user/message", "assistant/message", "tool/result")


class Refused(Exception):
    """The line fails with this text."""


class ModelRules:
    """What a plugin does, as the model has it. Events come as (type, data as written)."""

    def __init__(self, parallel):
        self._parallel = parallel

    def execute(self, arguments, append):
        """The answer's members. `append(data as written)`, or None where nobody owns the call."""
        write = append and (lambda data: append(js.stringify(data)))
        return model.execute(js.joined(arguments), self._parallel, write)

    def card(self, arguments):
        return model.card(js.joined(arguments))

    def trace(self):
        """The invariant's trace of an empty log."""
        return False

    def check(self, trace, kind, written):
        """Raises Violated or Broken."""
        model.check(trace, kind, js.parse(written))

    def committed(self, trace, kind, written):
        """The trace after the event."""
        return model.moved(trace, kind)

    def fold(self, state, kind, written):
        return model.fold(state, kind, js.parse(written))

    def view(self, state):
        return model.view(state)

    def admit(self, value):
        """The state to go on with from a checkpoint's value."""
        return model.view(value)


class _Session:
    def __init__(self, trace):
        self.events = []  # (type, data as written)
        self.trace = trace  # of the invariant
        self.state, self.folded = None, 0  # of the projection, and of how many events


class ModelHost:
    """parallel: the plugin's policy. vetoes: {"before"|"after": [(type, data as written)]}, each event
    to be refused once by a checker that is asked before or after ours."""

    def __init__(self, parallel=True, without=(), vetoes=None, rules=None):
        self.rules = rules or ModelRules(parallel)
        self.services = {"tools", "sessions", "invariants", "sessionProjections"} - set(without)
        self.loaded = True
        self.sessions = {}
        self.listeners = 0
        self.subscribed = False
        self.notified = []
        self.vetoes = {when: list(events) for when, events in (vetoes or {}).items()}

    def op(self, line, /, **fields):
        self.notified = []
        try:
            members = self._answer(line, fields)
            text = '{"ok":true'
        except Refused as refused:
            text, members = '{"ok":false', {"error": str(refused)}
        except model.Broken as broken:
            text, members = '{"ok":false', {"error": f"malformed todo/write: {broken}"}
        if self.subscribed:
            members = {**members, "notified": self.notified}
        for key, value in members.items():
            text += f",{js.quote(key)}:{js.stringify(value)}"
        return Answer(text + "}")

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    # --- the lines

    def _answer(self, name, fields):
        for key, value in fields.items():
            if key == "seed" and isinstance(value, Raw):
                fields[key] = [{"type": js.parse(event["type"]), "data": Raw(event["data"])}
                               for event in map(raw_members, raw_elements(value))]
            elif key != "data" and isinstance(value, Raw):
                fields[key] = js.parse(value)
        return getattr(self, "_" + name.replace("/", "_"))(**fields)

    def _session_create(self, session, seed=()):
        if session in self.sessions:
            raise Refused(f'session "{session}" already exists')
        created = _Session(self.rules.trace())
        for event in seed:
            kind, written = event["type"], js.compact(js.stringify(event["data"]))
            self._checked(created, kind, written)
            created.events.append((kind, written))
            created.trace = self.rules.committed(created.trace, kind, written)
        if seed and seed[-1]["type"] != "session/end-seed":
            created.events.append(("session/end-seed", "{}"))
        self.sessions[session] = created
        return {"session": session}

    def _session_append(self, session, type, data):
        written = js.compact(js.stringify(data))
        log = self._session(session)
        if not js.lossless(js.parse(written)):
            raise Refused(f'session event "{type}" carries non-JSON-serializable data')
        self._veto("before", type, written)
        self._checked(log, type, written)
        self._veto("after", type, written)
        state = self._state(log) if self._has_key() else None
        log.events.append((type, written))
        log.trace = self.rules.committed(log.trace, type, written)
        seq = len(log.events) - 1
        if self._has_key():
            self._notify(session, state, type, written, seq)
        return {"seq": seq}

    def _session_events(self, session, type=None):
        return {"events": Raw("[" + ",".join(
            f'{{"type":{js.quote(kind)},"seq":{seq},"time":0,"data":{written}}}'
            for seq, (kind, written) in enumerate(self._session(session).events) if type in (None, kind)) + "]")}

    def _session_dispose(self, session):
        self._session(session)
        del self.sessions[session]
        return {"session": session}

    def _tool_call(self, name, arguments, session=None):
        if session is not None:
            self._session(session)
        if name != "todo_write" or not self._active():
            return {"isError": True, "text": f'Error: unknown tool "{name}"'}

        def append(written):
            try:
                self._session_append(session, "todo/write", Raw(written))
            except Refused as refused:
                raise model.Failed(str(refused)) from refused

        return self.rules.execute(arguments, append if session is not None else None)

    def _tool_present(self, name, arguments):
        return {"card": self.rules.card(arguments)}

    def _projection_read(self, session):
        self._needs_projections()
        log = self._session(session)
        values = {"todos": self.rules.view(self._state(log))} if self._has_key() else {}
        return {"asOfSeq": len(log.events) - 1, "values": values}

    def _projection_subscribe(self):
        self._needs_projections()
        self.listeners += 1
        self.subscribed = True
        return {}

    def _projection_unsubscribe(self):
        self.listeners -= 1
        return {}

    def _projection_checkpoint(self, session):
        self._needs_projections()
        log = self._session(session)
        if not self._has_key():
            return {"checkpoint": {}}
        row = {"ver": model.STATE_VERSION, "seq": len(log.events) - 1}
        state = self._state(log)
        return {"checkpoint": {"todos": row if state is model.UNDEFINED else {**row, "val": state}}}

    def _projection_restore(self, checkpoint, events, baseSeq):
        self._needs_projections()
        if not self._has_key():
            last = events[-1]["seq"] if events else baseSeq - 1
            return {"snapshot": {"asOfSeq": last, "values": {}}, "checkpoint": {}}
        try:
            return model.restore(checkpoint, events, baseSeq, self.rules)
        except model.Failed as failed:
            raise Refused(failed.text) from failed

    def _projection_restoreFloor(self, checkpoint):
        self._needs_projections()
        return {"floor": model.restore_floor(checkpoint) if self._has_key() else None}

    def _projection_viewCheckpoint(self, checkpoint):
        self._needs_projections()
        return {"values": model.view_checkpoint(checkpoint, self.rules) if self._has_key() else {}}

    def _service_add(self, name):
        if name in self.services:
            raise Refused(f'service "{name}" is already there')
        self.services.add(name)
        if name == "invariants":
            for log in self.sessions.values():
                log.trace = self.rules.trace()
                for kind, written in log.events:
                    self._checked(log, kind, written)
                    log.trace = self.rules.committed(log.trace, kind, written)
        return {}

    def _service_remove(self, name):
        if name not in self.services:
            raise Refused(f'service "{name}" is already absent')
        self.services.remove(name)
        return {}

    def _plugin_load(self, id):
        self.loaded = True
        return {}

    def _plugin_unload(self, id):
        self.loaded = False
        return {}

    # --- what they share

    def _session(self, session):
        if session not in self.sessions:
            raise Refused(f'unknown session "{session}"')
        return self.sessions[session]

    def _active(self):
        return self.loaded and "tools" in self.services

    def _has_key(self):
        return self._active() and "sessionProjections" in self.services

    def _needs_projections(self):
        if "sessionProjections" not in self.services:
            raise Refused('service "sessionProjections" is absent')

    def _checked(self, log, kind, written):
        if not self._active() or "invariants" not in self.services:
            return
        try:
            self.rules.check(log.trace, kind, written)
        except model.Violated as violated:
            raise Refused(f'invariant violated by "{model.OWNER}": {violated.text}') from violated

    def _veto(self, when, kind, written):
        if "invariants" in self.services and (kind, written) in self.vetoes.get(when, ()):
            self.vetoes[when].remove((kind, written))
            raise Refused("vetoed by another checker")

    def _state(self, log):
        for kind, written in log.events[log.folded:]:
            try:
                log.state, _ = self.rules.fold(log.state, kind, written)
            except model.Broken:
                pass
        log.folded = len(log.events)
        return log.state

    def _notify(self, session, before, kind, written, seq):
        try:
            state, told = self.rules.fold(before, kind, written)
            seen = self.rules.view(state)
        except model.Broken:
            return
        if told:
            change = {"session": session, "key": "todos", "value": seen, "seq": seq}
            self.notified += [change] * self.listeners
