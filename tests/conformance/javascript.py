"""What JavaScript does with texts, numbers and JSON, for the model to stand on.

A JavaScript value is held as Python's None, bool, float, str, list and dict. Every number is a float
(-0.0 and inf included); a str holds code points, with a surrogate where JavaScript has a lone one; a
dict keeps keys as JavaScript's Map would, so own_keys() gives the order in which an object lists them.

Nothing here recurses: nesting costs memory only.
"""
import math
import re

# Strings that JavaScript's trim() takes off: WhiteSpace and LineTerminator of ECMA-262.
SPACES = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_STRING_OR_SPACE = re.compile(f"({_STRING.pattern})|[ \t\n\r]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(.))')
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_WORDS = {"true": True, "false": False, "null": None}
_QUOTED = re.compile('["\\\\\x00-\x1f\ud800-\udfff]')
_QUOTES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")


class Raw(str):
    """A JSON text that stands for itself wherever a value is written."""


class NotJson(Exception):
    """JSON.parse would throw a SyntaxError."""


def trim(text):
    return text.strip(SPACES)


def joined(text):
    """The same code units with every surrogate pair as one code point."""
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def compact(text):
    """A JSON text without the white space between its tokens; nothing else changes."""
    return _STRING_OR_SPACE.sub(lambda part: part[1] or "", text)


def _unescape(match):
    return chr(int(match[1], 16)) if match[1] else _SHORT.get(match[2], match[2])


def _string(literal):
    inner = literal[1:-1]
    return joined(_ESCAPE.sub(_unescape, inner)) if "\\" in inner else inner


def parse(text):
    """JSON.parse. Raises NotJson."""
    root = []
    open_ones = [root]  # the containers around the place, the root's holder first
    keys = []           # for each open object, the key whose value comes next
    at = _SPACE.match(text).end()

    def put(value):
        if type(open_ones[-1]) is dict:
            open_ones[-1][keys[-1]] = value
        else:
            open_ones[-1].append(value)

    def key_at(place):
        literal = _STRING.match(text, place)
        if not literal:
            raise NotJson(place)
        colon = _SPACE.match(text, literal.end()).end()
        if text[colon:colon + 1] != ":":
            raise NotJson(colon)
        return _string(literal[0]), _SPACE.match(text, colon + 1).end()

    while True:
        sign = text[at:at + 1]
        if sign in ("{", "["):
            container = {} if sign == "{" else []
            put(container)
            at = _SPACE.match(text, at + 1).end()
            if text[at:at + 1] == ("}" if sign == "{" else "]"):
                at += 1
            else:
                open_ones.append(container)
                if sign == "{":
                    key, at = key_at(at)
                    keys.append(key)
                continue
        elif sign == '"':
            literal = _STRING.match(text, at)
            if not literal:
                raise NotJson(at)
            put(_string(literal[0]))
            at = literal.end()
        elif sign == "-" or "0" <= sign <= "9":
            number = _NUMBER.match(text, at)
            if not number:
                raise NotJson(at)
            put(float(number[0]))
            at = number.end()
        else:
            word = next((w for w in _WORDS if text.startswith(w, at)), None)
            if word is None:
                raise NotJson(at)
            put(_WORDS[word])
            at += len(word)
        while True:  # after a value
            at = _SPACE.match(text, at).end()
            inner = open_ones[-1]
            if inner is root:
                if at != len(text):
                    raise NotJson(at)
                return root[0]
            sign = text[at:at + 1]
            at += 1
            if sign == ",":
                at = _SPACE.match(text, at).end()
                if type(inner) is dict:
                    keys[-1], at = key_at(at)
                break
            if sign != ("}" if type(inner) is dict else "]"):
                raise NotJson(at - 1)
            open_ones.pop()
            if type(inner) is dict:
                keys.pop()


def lossless(value):
    """May the value go through JSON and come back the same? -0 and infinities may not."""
    left = [value]
    while left:
        value = left.pop()
        if type(value) is float:
            if math.isinf(value) or value == 0 and math.copysign(1, value) < 0:
                return False
        elif type(value) is list:
            left.extend(value)
        elif type(value) is dict:
            left.extend(value.values())
    return True


def is_index(key):
    """Does an object list this key among its integers, that is before the others?"""
    return bool(_INDEX.fullmatch(key)) and int(key) <= 4294967294


def own_keys(value):
    """The keys of an object as Object.keys lists them."""
    indexes = sorted((key for key in value if is_index(key)), key=int)
    return indexes + [key for key in value if not is_index(key)]


def number(value):
    """Number::toString of ECMA-262."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number(-value)
    # repr gives the shortest digits that read back as the same double, the closest among them.
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)  # value = 0.digits * 10^point
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    power = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return digits[0] + ("." + digits[1:] if digits[1:] else "") + power


def quote(text):
    """JSON.stringify of a string."""
    return '"' + _QUOTED.sub(lambda c: _QUOTES.get(c[0]) or f"\\u{ord(c[0]):04x}", text) + '"'


def stringify(value):
    """JSON.stringify, compact. Numbers may be int here, for values that a test wrote itself."""
    out = []
    left = [value]  # what is still to be written: values, and texts wrapped in a tuple
    while left:
        value = left.pop()
        if type(value) is tuple:
            out.append(value[0])
        elif type(value) is Raw:
            out.append(value)
        elif value is None or type(value) is bool:
            out.append("null" if value is None else "true" if value else "false")
        elif type(value) is str:
            out.append(quote(value))
        elif type(value) in (int, float):
            value = float(value)
            out.append(number(value) if math.isfinite(value) else "null")
        elif type(value) is list:
            out.append("[")
            left.append(("]",))
            for i in range(len(value) - 1, -1, -1):
                left.append(value[i])
                if i:
                    left.append((",",))
        else:
            keys = own_keys(value)
            out.append("{")
            left.append(("}",))
            for i in range(len(keys) - 1, -1, -1):
                left.append(value[keys[i]])
                left.append((("," if i else "") + quote(keys[i]) + ":",))
    return "".join(out)
