"""The rules of the todo plugin, written once more: the tool, the projection, the invariant, the config.

Pure functions over JavaScript values (see javascript.py). model_test.py shows that they agree with
every recorded case; the other tests compare the real plugin with them.
"""
import javascript as js

STATUSES = ("pending", "in_progress", "completed")
OWNER = "@deepseek-ai/dsh-tool-todo"
INVALID_ARGUMENTS = {"name": "ToolArgsError", "code": "INVALID_ARGS"}
STATE_VERSION = 2


class Undefined:
    """JavaScript's undefined, where a value can be told from null."""

    def __repr__(self):
        return "undefined"


UNDEFINED = Undefined()


class Failed(Exception):
    """The call fails: the text behind "Error: ", and the error info where it has one."""

    def __init__(self, text, info=None):
        super().__init__(text)
        self.text = text
        self.info = info


class Violated(Exception):
    """The invariant refuses an event. `text` is the reason without the owner's prefix."""

    def __init__(self, text):
        super().__init__(text)
        self.text = text


class Broken(Exception):
    """A function has no answer to this: the reference fails with a text of JavaScript's or its
    libraries' here, the plugin with one of its own."""


# --- the tool -----------------------------------------------------------------------------------

def violations(arguments):
    """What a tool call's arguments (an object) break of the schema, in order."""
    if "todos" not in arguments:
        return ['missing required property "todos"']
    if type(arguments["todos"]) is not list:
        return ['"todos" must be an array']
    found = []
    for i, item in enumerate(arguments["todos"]):
        path = f"todos[{i}]"
        if type(item) is not dict:
            found.append(f'"{path}" must be an object')
            continue
        found += [f'missing required property "{path}.{key}"' for key in ("content", "status") if key not in item]
        for key in ("content", "status"):
            if key in item and type(item[key]) is not str:
                found.append(f'"{path}.{key}" must be a string')
            elif key == "status" and key in item and item[key] not in STATUSES:
                found.append(f'"{path}.status" must be one of ["pending","in_progress","completed"]')
        found += [f'"{path}.{key}" is not a declared property (additionalProperties: false)'
                  for key in js.own_keys(item) if key not in ("content", "status")]
    return found


def arguments_of(text):
    """The arguments in the raw text of a call; a text that is not JSON stands for itself."""
    try:
        return js.parse(text) if text else {}
    except js.NotJson:
        return text


def accepted(text, parallel):
    """The list that a call asks to be written. Raises Failed."""
    arguments = arguments_of(text)
    if not js.lossless(arguments):
        raise Failed("tool execution arguments must be losslessly JSON-serializable")
    if type(arguments) is not dict:
        raise Failed('invalid arguments: "arguments" must be an object', INVALID_ARGUMENTS)
    found = violations(arguments)
    if found:
        raise Failed("invalid arguments: " + "; ".join(found), INVALID_ARGUMENTS)
    todos = []
    seen = set()
    for item in arguments["todos"]:
        content = js.trim(item["content"])
        if not content:
            raise Failed("invalid todo: `content` must be a non-empty string")
        if content in seen:
            raise Failed(f"invalid todos: duplicate content {js.quote(content)}")
        seen.add(content)
        todos.append({"content": content, "status": item["status"]})
    active = sum(item["status"] == "in_progress" for item in todos)
    if active > 1 and not parallel:
        raise Failed(f"invalid todos: at most one task may be in_progress (got {active})")
    return todos


def execute(text, parallel, append):
    """Runs a call. `append(data)` puts the event into the owner's log, and raises Failed where the
    host refuses it; None: nobody owns the call. Returns the answer of script mode."""
    try:
        todos = accepted(text, parallel)
        if append is None:
            raise Failed("todo_write requires an owning agent session")
        append({"todos": todos})
    except Failed as failed:
        info = {} if failed.info is None else {"errorInfo": failed.info}
        return {"isError": True, "text": "Error: " + failed.text, **info}
    counts = [sum(item["status"] == status for item in todos) for status in STATUSES]
    return {"isError": False,
            "text": "Updated todo list: {} pending, {} in progress, {} completed.".format(*counts),
            "value": {"todos": todos, "counts": dict(zip(("pending", "inProgress", "completed"), counts))}}


def card(text):
    """How a UI shows the call, or None. Only the schema decides: nothing else is lost on a person."""
    arguments = arguments_of(text)
    if type(arguments) is not dict or violations(arguments):
        return None
    return {"card": "generic", "title": "Update todo list", "kind": "other", "rawInput": arguments["todos"]}


# --- the projection -----------------------------------------------------------------------------

def fold(state, kind, data):
    """(next state, is it told to readers?). Raises Broken where the fold fails: nothing changes."""
    if kind == "turn/start":
        return None, state is not None
    if kind != "todo/write":
        return state, False
    if data is None:
        raise Broken("todos of null")
    todos = data.get("todos", UNDEFINED) if type(data) is dict else UNDEFINED
    # Objects and arrays are told from one another by identity, and every event brings new ones.
    return todos, type(todos) in (dict, list) or type(todos) is not type(state) or todos != state


def view(state):
    """What readers see of a state. Raises Broken where the state is no list of sound items."""
    if state is None:
        return None
    if type(state) is not list or not all(
            type(item) is dict and type(item.get("content")) is str and item.get("status") in STATUSES
            for item in state):
        raise Broken("todos")
    return [{"content": item["content"], "status": item["status"]} for item in state]


def restore(rows, events, base, rules):
    """{snapshot, checkpoint} of a log that ends with `events`, the first of them at `base`. Which states
    there are is for `rules` to say (see model_host.py)."""
    last = events[-1]["seq"] if events else base - 1
    row = rows.get("todos")
    state, done = None, -1
    if row and row["ver"] == STATE_VERSION and base - 1 <= row["seq"] <= last:
        state, done = rules.admit(row["val"]), row["seq"]
    elif base > 0:
        raise Failed(f'session projection "todos" cannot restore from seq {base:.0f}: its checkpoint row is missing, '
                     "version-mismatched, or beyond the supplied log end; re-read from seq 0")
    for event in events:
        if event["seq"] > done:
            try:
                state, _ = rules.fold(state, event["type"], js.stringify(event["data"]))
            except Broken:
                pass  # logged; the state before it stays
    return {"snapshot": {"asOfSeq": last, "values": {"todos": rules.view(state)}},
            "checkpoint": {"todos": {"ver": STATE_VERSION, "seq": last, "val": state}}}


def restore_floor(rows):
    row = rows.get("todos")
    return max(0, row["seq"] if row and row["ver"] == STATE_VERSION else 0)


def view_checkpoint(rows, rules):
    row = rows.get("todos")
    try:
        return {"todos": rules.view(row["val"])} if row and row["ver"] == STATE_VERSION else {}
    except Broken:
        return {}


# --- the invariant ------------------------------------------------------------------------------

def check(is_open, kind, data):
    """May this event be appended, where `is_open` tells whether a turn is? Raises Violated, or Broken."""
    if kind != "todo/write":
        return
    if data is None:
        raise Broken("todos of null")
    todos = data.get("todos") if type(data) is dict else None
    if type(todos) is not list:
        raise Violated("todo/write todos must be an array")
    seen = set()
    for item in todos:
        if type(item) not in (dict, list):
            raise Violated("todo/write entries must be objects")
        fields = item if type(item) is dict else {}
        content = fields.get("content")
        if type(content) is not str or not content or js.trim(content) != content:
            raise Violated("todo/write content must be non-empty and already trimmed")
        if content in seen:
            raise Violated(f"todo/write repeats content {js.quote(content)}")
        seen.add(content)
        status = fields.get("status", UNDEFINED)
        if type(status) is not str or status not in STATUSES:
            text = "undefined" if status is UNDEFINED else js.stringify(status)
            raise Violated(f"todo/write carries unknown status {text}")
    if not is_open:
        raise Violated("todo/write appended outside any open turn")


def moved(is_open, kind):
    """Is a turn open after this event?"""
    return {"turn/start": True, "turn/end": False}.get(kind, is_open)


# --- the config ---------------------------------------------------------------------------------

def string(value):
    """String() of a JSON value."""
    if type(value) is str:
        return value
    if value is None or type(value) is bool:
        return "null" if value is None else "true" if value else "false"
    if type(value) in (int, float):
        return js.number(float(value))
    if type(value) is list:
        return ",".join("" if element is None else string(element) for element in value)
    return "[object Object]"


def config_problem(config):
    """Why an entry's config (None: absent) is refused, or None."""
    field = "allowParallelInProgress"
    if config is not None and type(config) is not dict:
        return f"invalid config:\n  - expected object but got {string(config)}"
    value = (config or {}).get(field)
    if value is None:
        return f"invalid config:\n  - $.{field} missing required value (at {field})"
    if type(value) is not bool:
        return f"invalid config:\n  - $.{field} expected boolean but got {string(value)} (at {field})"
    return None
