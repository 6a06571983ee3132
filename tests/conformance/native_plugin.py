"""The plugin's library, called through its ABI from Python: no sample host in between.

Good for what script mode cannot say (bytes that are no UTF-8, an argument text at the edge of a page)
and to tell a fault of the plugin from one of the host. PluginRules makes the library the rules of
a ModelHost.
"""
import ctypes as c
import json
import pathlib

import build
import javascript as js
import todo_model as model
from hosts import Raw

OK, ERROR, NO_MEMORY, NONE, VIOLATED = range(5)


class Str(c.Structure):
    _fields_ = [("data", c.c_void_p), ("size", c.c_size_t)]

    def bytes(self):
        return c.string_at(self.data, self.size) if self.size else b""


Write = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.c_size_t)
SetError = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_size_t, c.c_char_p, c.c_char_p)


class Out(c.Structure):
    _fields_ = [("ctx", c.c_void_p), ("write", Write)]


class Error(c.Structure):
    _fields_ = [("ctx", c.c_void_p), ("set", SetError)]


class Event(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("seq", c.c_int64), ("time", c.c_int64),
                ("type", Str), ("data", Str)]


Append = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(Str), c.c_void_p, c.c_size_t, c.POINTER(c.c_int64), c.POINTER(Error))


class Session(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("impl", c.c_void_p), ("id", Str),
                ("append", Append), ("read", c.c_void_p)]


class Call(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32), ("arguments", Str), ("call_id", Str),
                ("session", c.POINTER(Session))]


class Tool(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("mode", c.c_int32), ("user", c.c_void_p), ("name", Str), ("description", Str),
                ("parameters", Str), ("output", Str),
                ("execute", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(Call), c.POINTER(Out), c.POINTER(Out), c.POINTER(Error))),
                ("render", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(Str), c.POINTER(Str), c.POINTER(Out), c.POINTER(Error))),
                ("present", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(Str), c.POINTER(Out), c.POINTER(Error)))]


class Invariant(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("trace_size", c.c_uint32), ("user", c.c_void_p), ("owner", Str),
                ("types", c.POINTER(Str)), ("type_count", c.c_size_t),
                ("check", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p, c.POINTER(Event), c.POINTER(Error))),
                ("committed", c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.POINTER(Event)))]


class Unit(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("flags", c.c_uint32), ("user", c.c_void_p), ("key", Str),
                ("state_version", c.c_uint32), ("reserved", c.c_uint32), ("types", c.POINTER(Str)), ("type_count", c.c_size_t),
                ("init", Str),
                ("apply", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(Str), c.POINTER(Event), c.POINTER(Out), c.POINTER(Error))),
                ("view", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(Str), c.POINTER(Out), c.POINTER(Error))),
                ("restore", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(Str), c.POINTER(Out), c.POINTER(Error)))]


class Host(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("revision", c.c_uint32), ("name", Str), ("version", Str), ("impl", c.c_void_p),
                ("service", c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p)),
                ("on_dispose", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.CFUNCTYPE(None, c.c_void_p), c.c_void_p)),
                ("log", c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_void_p, c.c_size_t))]


def _table(descriptor):
    """A service's table, whose `add` takes a descriptor of this type."""
    class Table(c.Structure):
        _fields_ = [("struct_size", c.c_uint32), ("reserved", c.c_uint32),
                    ("add", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(descriptor), c.POINTER(Error)))]
    return Table


class Failure(Exception):
    """A function of the plugin failed: its status, and what it told the error sink."""

    def __init__(self, status, text, name, code):
        super().__init__(f"status {status}: {text}")
        self.status, self.text, self.name, self.code = status, text, name, code


class _Sinks:
    """An error sink, and output sinks by the number asked for."""

    def __init__(self, outputs=0):
        self.pieces = [[] for _ in range(outputs)]
        self._text = self._name = self._code = None
        self._set = SetError(self._take)
        self.error = Error(None, self._set)
        self._writes = [Write(self._taker(pieces)) for pieces in self.pieces]
        self.outs = [Out(None, write) for write in self._writes]

    def _take(self, _, text, size, name, code):
        self._text, self._name, self._code = c.string_at(text, size) if size else b"", name, code

    @staticmethod
    def _taker(pieces):
        def take(_, data, size):
            pieces.append(c.string_at(data, size))
            return OK
        return take

    def written(self, at):
        return b"".join(self.pieces[at])

    def fail(self, status):
        raise Failure(status, self._text, *(part and part.decode("ascii") for part in (self._name, self._code)))


def _str(data):
    """A view of bytes, and what keeps them alive. The bytes end where the buffer does: no NUL follows."""
    buffer = (c.c_char * len(data)).from_buffer_copy(data) if data else None
    return Str(c.cast(buffer, c.c_void_p) if buffer else None, len(data)), buffer


class Plugin:
    """One instance of the library, applied to a config (bytes of JSON). Raises Failure."""

    def __init__(self, config=b'{"allowParallelInProgress":true}', library=None):
        self.library = c.CDLL(str(library or pathlib.Path(build.PLUGINS) / "dsh-tool-todo.so"))
        self.tool = self.invariant = self.unit = None
        self._disposers = []
        tables = {b"tools": (Tool, "tool"), b"invariants": (Invariant, "invariant"), b"sessionProjections": (Unit, "unit")}
        self._kept = {}
        for service, (descriptor, attribute) in tables.items():
            table = _table(descriptor)
            add = dict(table._fields_)["add"](self._adder(descriptor, attribute))
            self._kept[service] = table(c.sizeof(table), 0, add)
        name, self._name = _str(b"python")
        fields = dict(Host._fields_)
        self._host = Host(c.sizeof(Host), 1, name, name, None, fields["service"](self._service),
                          fields["on_dispose"](self._on_dispose), fields["log"](lambda *_: None))
        sinks = _Sinks()
        text, kept = _str(config)
        apply = self.library.apply
        apply.restype = c.c_int32
        status = apply(c.byref(self._host), text.data and c.c_void_p(text.data), c.c_size_t(text.size), c.byref(sinks.error))
        if status != OK:
            self.dispose()
            sinks.fail(status)

    def _adder(self, descriptor, attribute):
        def add(_, given, __):
            mine = descriptor()
            c.memmove(c.byref(mine), given, min(c.sizeof(mine), given.contents.struct_size))
            setattr(self, attribute, mine)
            return OK
        return add

    def _service(self, _, name):
        table = self._kept.get(name)
        return c.addressof(table) if table else None

    def _on_dispose(self, _, function, user):
        self._disposers.append((function, user))
        return OK

    def dispose(self):
        while self._disposers:
            function, user = self._disposers.pop()
            function(user)

    def text(self, field):
        return getattr(self.tool, field).bytes().decode("utf-8")

    def execute(self, arguments, append=None):
        """(value, text) of a call with this argument text (bytes). append(type, data) stands for the
        session and may raise Failure; None: nobody owns the call."""
        def take(_, kind, data, size, seq, error):
            try:
                append(kind.contents.bytes(), c.string_at(data, size))
            except Failure as failure:
                text = failure.text
                error.contents.set(error.contents.ctx, c.cast(c.c_char_p(text), c.c_void_p), len(text), None, None)
                return failure.status
            return OK
        view, kept = _str(arguments)
        empty, _ = _str(b"")
        session = Session(c.sizeof(Session), 0, None, empty, Append(take), None)
        call = Call(c.sizeof(Call), 0, view, empty, c.pointer(session) if append else None)
        sinks = _Sinks(2)
        status = self.tool.execute(self.tool.user, c.byref(call), *map(c.byref, sinks.outs), c.byref(sinks.error))
        if status != OK:
            sinks.fail(status)
        return sinks.written(0), sinks.written(1)

    def present(self, arguments):
        """The card (bytes), or None."""
        view, kept = _str(arguments)
        return self._one_out(lambda out, error: self.tool.present(self.tool.user, c.byref(view), out, error))

    def check(self, trace, kind, data):
        """`trace`: a bytearray of trace_size. Raises Failure."""
        event, kept = self._event(kind, data)
        sinks = _Sinks()
        memory = (c.c_char * len(trace)).from_buffer(trace)
        status = self.invariant.check(self.invariant.user, memory, c.byref(event), c.byref(sinks.error))
        if status != OK:
            sinks.fail(status)

    def committed(self, trace, kind, data):
        event, kept = self._event(kind, data)
        self.invariant.committed(self.invariant.user, (c.c_char * len(trace)).from_buffer(trace), c.byref(event))

    def fold(self, state, kind, data):
        """The next state (bytes), or None where it stays."""
        event, kept = self._event(kind, data)
        view, kept_state = _str(state)
        return self._one_out(lambda out, error: self.unit.apply(self.unit.user, c.byref(view), c.byref(event), out, error))

    def view(self, state):
        view, kept = _str(state)
        return self._one_out(lambda out, error: self.unit.view(self.unit.user, c.byref(view), out, error))

    def restore(self, stored):
        view, kept = _str(stored)
        return self._one_out(lambda out, error: self.unit.restore(self.unit.user, c.byref(view), out, error))

    def event_types(self, descriptor):
        return [descriptor.types[at].bytes().decode("ascii") for at in range(descriptor.type_count)]

    @staticmethod
    def _event(kind, data):
        kind_view, kind_kept = _str(kind)
        data_view, data_kept = _str(data)
        return Event(c.sizeof(Event), 0, 0, 0, kind_view, data_view), (kind_kept, data_kept)

    @staticmethod
    def _one_out(function):
        sinks = _Sinks(1)
        status = function(c.byref(sinks.outs[0]), c.byref(sinks.error))
        if status == NONE:
            return None
        if status != OK:
            sinks.fail(status)
        return sinks.written(0)


def wtf8(text):
    return text.encode("utf-8", "surrogatepass")


def text_of(data):
    return data.decode("utf-8", "surrogatepass")


class PluginRules:
    """The library as the rules of a ModelHost."""

    def __init__(self, parallel, library=None):
        self.plugin = Plugin(json.dumps({"allowParallelInProgress": parallel}).encode(), library)
        self._folds = self.plugin.event_types(self.plugin.unit)
        self._checks = self.plugin.event_types(self.plugin.invariant)

    def execute(self, arguments, append):
        def take(kind, data):
            assert kind == b"todo/write"
            try:
                append(text_of(data))
            except model.Failed as failed:
                raise Failure(ERROR, wtf8(failed.text), None, None) from failed
        try:
            value, text = self.plugin.execute(wtf8(js.joined(arguments)), take if append else None)
        except Failure as failure:
            info = {"errorInfo": {"name": failure.name, "code": failure.code}} if failure.name else {}
            return {"isError": True, "text": "Error: " + text_of(failure.text), **info}
        return {"isError": False, "text": text_of(text), "value": Raw(value.decode("utf-8"))}

    def card(self, arguments):
        card = self.plugin.present(wtf8(js.joined(arguments)))
        return None if card is None else Raw(card.decode("utf-8"))

    def trace(self):
        return bytearray(self.plugin.invariant.trace_size)

    def check(self, trace, kind, written):
        if kind in self._checks:
            before = bytes(trace)
            try:
                self.plugin.check(trace, kind.encode(), wtf8(js.joined(written)))
            except Failure as failure:
                error = model.Violated if failure.status == VIOLATED else model.Broken
                raise error(text_of(failure.text)) from failure
            finally:
                assert trace == before, "check moved the trace"

    def committed(self, trace, kind, written):
        if kind in self._checks:
            self.plugin.committed(trace, kind.encode(), wtf8(js.joined(written)))
        return trace

    def fold(self, state, kind, written):
        if kind not in self._folds:
            return state, False
        after = self._unit(self.plugin.fold, self._text(state), kind.encode(), wtf8(js.joined(written)))
        return (state, False) if after is None else (self._value(after), True)

    def view(self, state):
        return Raw(self._unit(self.plugin.view, self._text(state)).decode("utf-8"))

    def admit(self, value):
        return self._value(self._unit(self.plugin.restore, self._text(value)))

    @staticmethod
    def _unit(function, *arguments):
        try:
            return function(*arguments)
        except Failure as failure:
            raise model.Broken(text_of(failure.text)) from failure

    @staticmethod
    def _text(state):
        return b"" if state is model.UNDEFINED else wtf8(js.stringify(state))

    @staticmethod
    def _value(state):
        return model.UNDEFINED if state == b"" else js.parse(state.decode("utf-8"))
