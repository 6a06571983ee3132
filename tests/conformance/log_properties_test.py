"""The invariant and the projection as properties: random logs and lives, where plugin and model must agree to the byte.

Each test draws from a seed of its own (see generators.py); a failure prints the line that shows it.
"""
import unittest

import generators as gen
import javascript as js
from argument_texts import item
from compared import Compared
from hosts import Raw


class Invariant(unittest.TestCase):
    """Random logs under the invariant: live, found at its coming, and as seeds."""

    TYPES = ("turn/start", "turn/end", "todo/write", "todo/write", "todo/write", "zoo/fed", "Turn/start", "todo/Write", "turn/started")

    def _event(self, r):
        kind = r.choice(self.TYPES)
        data = gen.event_data(r) if kind.lower() == "todo/write" else gen.on_one_line(gen.written(r, gen.value(r)))
        if r.random() < 0.5 and kind.startswith("turn"):
            data = f'{{"turn":{r.randint(0, 3)}}}'
        return kind, data

    def test_live(self):
        r = gen.rng("invariant live")
        with Compared(without=()) as host:
            for at in range(gen.count(80)):
                sessions = [f"{at}a", f"{at}b"]
                for session in sessions:
                    host.op("session/create", session=session)
                for _ in range(25):
                    host.append(r.choice(sessions), *self._event(r))
                for session in sessions:
                    host.op("session/events", session=session)
                    host.op("session/dispose", session=session)

    def test_late(self):
        """The invariant comes to logs that grew without it."""
        r = gen.rng("invariant late")
        with Compared() as host:
            for at in range(gen.count(150)):
                sessions = [f"{at}{name}" for name in "abc"[:r.randint(1, 3)]]
                for session in sessions:
                    host.op("session/create", session=session)
                    for _ in range(r.randint(0, 3)):
                        kind, data = self._event(r) if r.random() < 0.4 else ("turn/start", "{}")
                        host.append(session, kind, data)
                if host.op("service/add", name="invariants").ok:
                    for _ in range(5):
                        host.append(r.choice(sessions), *self._event(r))
                host.op("service/remove", name="invariants")
                for session in sessions:
                    host.op("session/dispose", session=session)

    def test_seeds(self):
        r = gen.rng("invariant seeds")
        with Compared(without=()) as host:
            for at in range(gen.count(300)):
                seed = []
                for _ in range(r.randint(0, 4)):
                    kind, data = self._event(r) if r.random() < 0.6 else ("turn/start", "{}")
                    if js.lossless(js.parse(js.joined(data))):
                        seed.append(f'{{"type":{js.quote(kind)},"data":{data}}}')
                if r.random() < 0.2:
                    seed.append('{"type":"session/end-seed","data":{}}')
                session = f"s{at}"
                created = host.op("session/create", session=session, seed=Raw(f"[{','.join(seed)}]"))
                if not created.ok:  # the id stays free
                    host.op("session/create", session=session)
                host.append(session, *self._event(r))
                host.op("session/events", session=session)

    def test_inside_a_call(self):
        """A refusal reaches the model as the call's error, and commits nothing."""
        r = gen.rng("invariant call")
        with Compared(without=()) as host:
            host.op("session/create", session="s")
            for _ in range(gen.count(200)):
                if r.random() < 0.3:
                    host.append("s", r.choice(("turn/start", "turn/end")), "{}")
                host.call(gen.arguments(r), "s")


class Projection(unittest.TestCase):
    """Random lives of the projection: events, listeners, and services and plugin that come and go."""

    PLUGIN = "@deepseek-ai/dsh-tool-todo"

    def test_random_lives(self):
        r = gen.rng("projection")
        for _ in range(gen.count(25)):
            with Compared() as host:
                self._live(r, host, sessions=["a", "b"])

    def _live(self, r, host, sessions):
        for session in sessions:
            host.op("session/create", session=session)
        there, loaded, listeners = True, True, 0
        for _ in range(80):
            session = r.choice(sessions)
            step = r.random()
            if step < 0.6:
                kind = r.choice(("todo/write", "todo/write", "turn/start", "turn/end", "zoo/fed"))
                host.append(session, kind, self._data(r) if kind == "todo/write" else "{}")
            elif step < 0.75:
                host.op("projection/read", session=session)
            elif step < 0.82:
                host.op("projection/checkpoint", session=session)
            elif step < 0.87 and there:
                listeners += 1
                host.op("projection/subscribe")
            elif step < 0.9 and listeners and there:
                listeners -= 1
                host.op("projection/unsubscribe")
            elif step < 0.94:
                loaded = not loaded
                host.op("plugin/load" if loaded else "plugin/unload", id=self.PLUGIN)
            elif step < 0.97 and not listeners:
                there = not there
                host.op("service/add" if there else "service/remove", name="sessionProjections")
            elif there:
                host.call(gen.arguments(r), session)

    @staticmethod
    def _data(r):
        """Data in JavaScript's own spelling: a state is compared as it is written."""
        if r.random() < 0.1:
            return r.choice(("null", "7", '"s"', "[]", "{}", '{"todos":null}', '{"todos":"x"}', '{"todos":[null]}', '{"todos":{}}'))
        items = [{"content": gen.text(r), "status": r.choice(gen.STATUSES)} for _ in range(r.randint(0, 3))]
        for one in items:
            if r.random() < 0.2:
                one[r.choice(("id", "note"))] = r.choice((1.0, "x", None, [True]))
            if r.random() < 0.05:
                one["status"] = r.choice(("done", 1.0, None))
        return js.stringify({"todos": items})

    def test_restore(self):
        r = gen.rng("restore")
        with Compared() as host:
            for _ in range(gen.count(400)):
                base = r.choice((0, 0, 0, 1, 3))
                events = []
                for at in range(r.randint(0, 5)):
                    kind = r.choice(("todo/write", "turn/start", "turn/end"))
                    data = js.parse(self._data(r)) if kind == "todo/write" else {}
                    events.append({"type": kind, "seq": base + at, "time": 0, "data": data})
                value = r.choice((None, [], [item("a")], [{**item("a"), "id": 1}], [item("b", "done")], "x", True, [None]))
                row = {"ver": r.choice((1, 2, 2, 2, 3)), "seq": r.randint(-1, 7), "val": value}
                checkpoint = {"todos": row} if r.random() < 0.85 else {}
                if r.random() < 0.2:
                    checkpoint["zoo"] = {"ver": 1, "seq": 2, "val": 7}
                host.op("projection/restoreFloor", checkpoint=Raw(js.stringify(checkpoint)))
                host.op("projection/viewCheckpoint", checkpoint=Raw(js.stringify(checkpoint)))
                host.op("projection/restore", checkpoint=Raw(js.stringify(checkpoint)), events=Raw(js.stringify(events)),
                        baseSeq=base)


if __name__ == "__main__":
    unittest.main()
