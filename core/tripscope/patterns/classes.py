"""Character classes without flag v (ECMA-262 22.2.1 CharacterClass, Annex B 1.2)."""

from msgspec import Struct, field

from tripscope.patterns import native_class
from tripscope.patterns.charset import CharSet
from tripscope.patterns.properties import Property
from tripscope.patterns.scanner import Scanner
from tripscope.patterns.syntax import Char


class _Members(Struct):
    """What a class holds so far, as a set and as content of a ``regex`` class."""

    chars: list[tuple[int, int]] = field(default_factory=list)
    natives: list[str] = field(default_factory=list)
    has_property: bool = False

    def add(self, atom: "int | CharSet | Char") -> None:
        """Take in one ClassAtom."""
        if isinstance(atom, Char):
            self.has_property = True
            self.chars.extend(atom.chars.ranges)
            self.natives.append(atom.native or "")
            return
        self.add_set(CharSet.chars((atom,)) if isinstance(atom, int) else atom)

    def add_set(self, chars: CharSet) -> None:
        """Take in a range or the set of an escape."""
        self.chars.extend(chars.ranges)
        self.natives.append(native_class.ranges(chars))


def parse_class(scan: Scanner) -> Char:
    """The class whose ``[`` is just behind."""
    start = scan.at - 1
    negated = scan.eat("^")
    members = _Members()
    while not scan.eat("]"):
        place = scan.at
        low = _atom(scan, start)
        if scan.char != "-" or scan.ahead() in {"]", ""}:
            members.add(low)
            continue
        scan.at += 1
        high = _atom(scan, start)
        if isinstance(low, int) and isinstance(high, int):
            if low > high:
                scan.fail("Range out of order in character class", place)
            members.add_set(CharSet(((low, high),)))
            continue
        if scan.unicode:
            scan.fail("Invalid character class", place)
        for atom in (low, 0x2D, high):
            members.add(atom)
    native = None
    if members.has_property and not scan.ignore_case:
        native = ("^" if negated else "") + "".join(members.natives)
    chars = scan.close(CharSet.of(*members.chars))
    return Char(chars.complement() if negated else chars, native)


def property_char(scan: Scanner) -> Char:
    r"""``\p{...}`` of single characters under flag u, with the p here; not closed over case."""
    found, negated = property_at(scan)
    native = rf"\{'P' if negated else 'p'}{{{found.native}}}"
    return Char(found.chars.complement() if negated else found.chars, native)


def property_at(scan: Scanner) -> tuple[Property, bool]:
    r"""The property of ``\p`` or ``\P``, with the p here, and whether it is negated."""
    place = scan.at - 1
    name, negated = scan.property_escape()
    return scan.property_set(name, place), negated


def _atom(scan: Scanner, start: int) -> int | CharSet | Char:
    char = scan.char
    if not char:
        scan.fail("Unterminated character class", start)
    scan.at += 1
    if char != "\\":
        return ord(char)
    if scan.unicode and scan.char in {"p", "P"}:
        return property_char(scan)
    escaped = scan.class_escape()
    if escaped is not None:
        return escaped
    if scan.eat("b"):
        return 0x08
    if scan.unicode and scan.eat("-"):
        return 0x2D
    return scan.character_escape(in_class=True)
