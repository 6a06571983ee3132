"""What `abidw` says of the contract's types, and which of its changes the contract's policy allows.

abidiff tells that something changed, though not every change (a `const` lost in the parameter of a
function pointer passes) and not whether it is growth: its own rules for that, in release 2.2, let
breaks through. So the policy is judged here, member by member, over the same description.
"""
import xml.etree.ElementTree

# Structs that grow by members appended to them; all others are frozen.
GROWABLE = {f"dsh_{name}" for name in ("event", "session", "observer", "call", "tool", "invariant", "unit",
                                       "tools", "sessions", "invariants", "projections")}


class Description:
    """structs: name -> [(member, offset in bits, type)]; symbols: name -> type. Types are spelt in C's
    words; a struct by its name."""

    def __init__(self, file):
        root = xml.etree.ElementTree.parse(file).getroot()
        self._by_id = {node.get("id"): node for node in root.iter() if node.get("id")}
        self.structs = {}
        for node in root.iter("class-decl"):
            members = [(member.find("var-decl").get("name"), int(member.get("layout-offset-in-bits")),
                        self._spell(member.find("var-decl").get("type-id")))
                       for member in node.findall("data-member")]
            if members:
                self.structs[node.get("name")] = members
        self.symbols = {}
        for unit in root.iter("abi-instr"):
            for node in unit.findall("var-decl"):
                self.symbols[node.get("name")] = self._spell(node.get("type-id"))
            for node in unit.findall("function-decl"):
                if node.get("elf-symbol-id"):
                    self.symbols[node.get("name")] = self._function(node)

    def _function(self, node):
        parameters = ", ".join(self._spell(p.get("type-id")) for p in node.findall("parameter"))
        returned = node.find("return")
        return f"{self._spell(returned.get('type-id')) if returned is not None else 'void'}({parameters})"

    def _spell(self, type_id):
        node = self._by_id[type_id]
        if node.tag == "pointer-type-def":
            return self._spell(node.get("type-id")) + " *"
        if node.tag == "qualified-type-def":
            return self._spell(node.get("type-id")) + (" const" if node.get("const") == "yes" else " volatile")
        if node.tag == "function-type":
            return self._function(node)
        if node.tag == "array-type-def":
            return self._spell(node.get("type-id")) + "[]"
        return node.get("name")  # a basic type, a typedef, a struct


def breaks(old, new):
    """What changed from `old` to `new` that the contract's policy forbids: a list of sentences."""
    found = []
    for name, members in old.structs.items():
        now = new.structs.get(name)
        if now is None:
            found.append(f"struct {name} is gone")
            continue
        kept = now[:len(members)] if name in GROWABLE else now
        for before, after in zip(members, kept + [None] * len(members)):
            if before != after:
                found.append(f"struct {name}: {before} became {after}")
        if name not in GROWABLE and len(now) > len(members):
            found.append(f"struct {name} is frozen and has grown {now[len(members):]}")
    for name, spelling in old.symbols.items():
        if new.symbols.get(name) != spelling:
            found.append(f"symbol {name}: {spelling} became {new.symbols.get(name)}")
    return found
