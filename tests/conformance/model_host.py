"""Script mode over the model: the same lines, the same answers, no plugin.

It knows what the tests ask of it: sessions in memory, `todo_write` in one entry, the services
`tools`, `invariants` and `sessionProjections`, and other checkers that veto events.
"""
import javascript as js
import todo_model as model
from hosts import Answer, Raw, raw_elements, raw_members

PLUGIN = "@deepseek-ai/dsh-tool-todo"
_SURFACE = ("user/message", "assistant/message", "tool/result")


class Refused(Exception):
    """The line fails with this text."""


class _Session:
    def __init__(self):
        self.events = []  # (type, data as written, data)
        self.is_open = False
        self.state, self.folded = None, 0  # of the projection, and of how many events


class ModelHost:
    """parallel: the plugin's policy. vetoes: {"before"|"after": [(type, data as written)]}, each event
    to be refused once by a checker that is asked before or after ours."""

    def __init__(self, parallel=True, without=(), vetoes=None):
        self.parallel = parallel
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
            text += f",{js.quote(key)}:{value if isinstance(value, Raw) else js.stringify(value)}"
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
        created = _Session()
        for event in seed:
            written = _written(event["data"])
            self._checked(created, event["type"], js.parse(written))
            created.events.append((event["type"], written, js.parse(written)))
            created.is_open = model.moved(created.is_open, event["type"])
        if seed and seed[-1]["type"] != "session/end-seed":
            created.events.append(("session/end-seed", "{}", {}))
        self.sessions[session] = created
        return {"session": session}

    def _session_append(self, session, type, data):
        written = _written(data)
        value = js.parse(written)
        log = self._session(session)
        if not js.lossless(value):
            raise Refused(f'session event "{type}" carries non-JSON-serializable data')
        self._veto("before", type, written)
        self._checked(log, type, value)
        self._veto("after", type, written)
        state = self._state(log) if self._has_key() else None
        log.events.append((type, written, value))
        log.is_open = model.moved(log.is_open, type)
        seq = len(log.events) - 1
        if self._has_key():
            self._notify(session, state, type, value, seq)
        return {"seq": seq}

    def _session_events(self, session, type=None):
        return {"events": Raw("[" + ",".join(
            f'{{"type":{js.quote(kind)},"seq":{seq},"time":0,"data":{written}}}'
            for seq, (kind, written, _) in enumerate(self._session(session).events) if type in (None, kind)) + "]")}

    def _session_dispose(self, session):
        self._session(session)
        del self.sessions[session]
        return {}

    def _tool_call(self, name, arguments, session=None):
        if session is not None:
            self._session(session)
        if name != "todo_write" or not self._active():
            return {"isError": True, "text": f'Error: unknown tool "{name}"'}

        def append(data):
            try:
                self._session_append(session, "todo/write", Raw(js.stringify(data)))
            except Refused as refused:
                raise model.Failed(str(refused)) from refused

        return model.execute(js.joined(arguments), self.parallel, append if session is not None else None)

    def _tool_present(self, name, arguments):
        return {"card": model.card(js.joined(arguments))}

    def _projection_read(self, session):
        self._needs_projections()
        log = self._session(session)
        values = {"todos": model.view(self._state(log))} if self._has_key() else {}
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
            return model.restore(checkpoint, events, baseSeq)
        except model.Failed as failed:
            raise Refused(failed.text) from failed

    def _projection_restoreFloor(self, checkpoint):
        self._needs_projections()
        return {"floor": model.restore_floor(checkpoint) if self._has_key() else None}

    def _projection_viewCheckpoint(self, checkpoint):
        self._needs_projections()
        return {"values": model.view_checkpoint(checkpoint) if self._has_key() else {}}

    def _service_add(self, name):
        if name in self.services:
            raise Refused(f"service {name} is already there")
        self.services.add(name)
        if name == "invariants":
            for log in self.sessions.values():
                log.is_open = False
                for kind, _, value in log.events:
                    self._checked(log, kind, value)
                    log.is_open = model.moved(log.is_open, kind)
        return {}

    def _service_remove(self, name):
        if name not in self.services:
            raise Refused(f"service {name} is absent")
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
            raise Refused("service sessionProjections is absent")

    def _checked(self, log, kind, value):
        if not self._active() or "invariants" not in self.services:
            return
        try:
            model.check(log.is_open, kind, value)
        except model.Violated as violated:
            raise Refused(f'invariant violated by "{model.OWNER}": {violated.text}') from violated

    def _veto(self, when, kind, written):
        if "invariants" in self.services and (kind, written) in self.vetoes.get(when, ()):
            self.vetoes[when].remove((kind, written))
            raise Refused("vetoed by another checker")

    def _state(self, log):
        for kind, _, value in log.events[log.folded:]:
            try:
                log.state, _ = model.fold(log.state, kind, value)
            except model.Broken:
                pass
        log.folded = len(log.events)
        return log.state

    def _notify(self, session, before, kind, value, seq):
        try:
            state, told = model.fold(before, kind, value)
            seen = model.view(state)
        except model.Broken:
            return
        if told:
            change = {"session": session, "key": "todos", "value": seen, "seq": seq}
            self.notified += [change] * self.listeners


def _written(data):
    return data if isinstance(data, Raw) else js.stringify(data)
