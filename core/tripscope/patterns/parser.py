"""Pattern text to syntax tree: ECMA-262 22.2.1 with Annex B 1.2, early errors as V8 11.3."""

from collections.abc import Callable

from msgspec import Struct, field

from tripscope.patterns.charset import ANY, LAST_UNIT, LINE_ENDS, UNITS, CharSet
from tripscope.patterns.classes import parse_class, property_char
from tripscope.patterns.errors import PatternError
from tripscope.patterns.quirks import (
    LOST_AT_END,
    MISCOMPILED,
    MISREAD,
    lost_at_end,
    miscompiled,
    solid,
)
from tripscope.patterns.scanner import DIGIT_CHARS, Scanner
from tripscope.patterns.sets import parse_set, property_set
from tripscope.patterns.syntax import (
    EMPTY_NODE,
    Anchor,
    BackRef,
    Char,
    Group,
    Look,
    Node,
    Repeat,
    Tree,
    alt,
    mapped,
    seq,
)
from tripscope.patterns.units import join_surrogates, spread, utf16_len

# V8 counts repetitions in 31 bits; more is no bound.
_UNBOUNDED = 0x7FFFFFFF
_MAX_DEPTH = 50
_MAX_UNITS = 1 << 16
_LOOKS = (("?=", False, False), ("?!", False, True), ("?<=", True, False), ("?<!", True, True))


def parse(pattern: str, flags: str) -> Tree:
    """The tree of a pattern, or ``PatternError``; ``flags`` are known to be valid."""
    return parser_of(pattern, flags).run()


def parser_of(pattern: str, flags: str) -> "Parser":
    """What parses that pattern; raises PatternError where it is too long."""
    if utf16_len(pattern) > _MAX_UNITS:
        raise PatternError(
            f"a pattern of more than {_MAX_UNITS} UTF-16 units is not carried", _MAX_UNITS
        )
    return Parser(pattern, frozenset(flags))


class Frame(Struct):
    """An open group: the options that are complete, and the terms of the one at hand."""

    start: int = 0
    number: int | None = None
    look: tuple[bool, bool] | None = None
    groups_before: int = 0
    options: list[Node] = field(default_factory=list)
    terms: list[Node] = field(default_factory=list)

    def body(self) -> Node:
        """What stands in it so far."""
        return alt([*self.options, seq(self.terms)])


class Parser:
    """Parses one pattern, once; afterwards `ends` and `stack` tell of its outermost sequence."""

    def __init__(self, pattern: str, flags: frozenset[str]) -> None:
        """Read nothing yet."""
        unicode = bool(flags & {"u", "v"})
        self.scan = Scanner(join_surrogates(pattern) if unicode else spread(pattern), flags)
        self.stack = [Frame()]
        self.count = 0
        self.names: dict[str, int] = {}
        self.references: list[tuple[int, int]] = []
        self.named_references: list[tuple[int, str]] = []
        self.total, named = _count_groups(self.scan.text, "v" in flags)
        self.scan.named = named or unicode
        self.sets = "v" in flags
        dot = ANY if "s" in flags else LINE_ENDS.complement()
        self.dot = Char(dot)
        self.many = "m" in flags
        self.ends: list[tuple[int, int]] = []
        """Where parts outside all groups end, and how many terms there are by then."""

    def run(self) -> Tree:
        """The tree; raises PatternError."""
        scan = self.scan
        while scan.char:
            groups_before = self.count
            term = self._term()
            if term is not None:
                self._quantified(term, groups_before)
            if len(self.stack) == 1:
                self.ends.append((scan.at, len(self.stack[0].terms)))
        frame = self.stack[-1]
        if len(self.stack) > 1:
            scan.fail("Unterminated group", frame.start)
        root = frame.body()
        if self.sets and lost_at_end(root):
            scan.fail(LOST_AT_END, 0)
        for place, number in self.references:
            if number > self.count:
                scan.fail("Invalid escape", place)
        return self.tree(root)

    def tree(self, root: Node) -> Tree:
        """What was parsed, or a part of it, as a whole pattern."""
        scan = self.scan
        if self.named_references:
            root = mapped(root, _resolved(self._numbers()))
        if not scan.unicode:
            root = mapped(root, _within_units)
        names = tuple(self.names.items())
        return Tree(root, self.count, names, scan.unicode, scan.ignore_case, scan.word)

    def _numbers(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for index, (place, name) in enumerate(self.named_references):
            if name not in self.names:
                self.scan.fail("Invalid named capture referenced", place)
            found[-1 - index] = self.names[name]
        return found

    def _add(self, node: Node) -> None:
        self.stack[-1].terms.append(node)

    def _term(self) -> Node | None:
        """The next quantifiable term, or None after anything else, which is already added."""
        scan = self.scan
        start = scan.at
        char = scan.char
        scan.at += 1
        match char:
            case "|":
                frame = self.stack[-1]
                frame.options.append(seq(frame.terms))
                frame.terms = []
                return None
            case "^" | "$":
                self._add(Anchor("start" if char == "^" else "end", self.many))
                return None
            case "(":
                self._open(start)
                return None
            case ")":
                return self._close_group(start)
            case "*" | "+" | "?":
                scan.fail("Nothing to repeat", start)
            case ".":
                return self.dot
            case "[":
                return parse_set(scan) if self.sets else parse_class(scan)
            case "\\":
                return self._escape(start)
            case "{" | "}" | "]":
                self._bracket(char, start)
        return Char(scan.close(CharSet.chars((ord(char),))))

    def _bracket(self, char: str, start: int) -> None:
        scan = self.scan
        if char == "{":
            scan.at = start
            if self._interval() is not None:
                scan.fail("Nothing to repeat", start)
            scan.at = start + 1
        if scan.unicode:
            scan.fail("Lone quantifier brackets", start)

    def _open(self, start: int) -> None:
        scan = self.scan
        if len(self.stack) > _MAX_DEPTH:
            scan.fail(f"more than {_MAX_DEPTH} groups nested are not carried", start)
        frame = Frame(start, groups_before=self.count)
        self.stack.append(frame)
        if scan.char != "?":
            self._number(frame)
            return
        if scan.eat("?:"):
            return
        for sign, behind, negative in _LOOKS:
            if scan.eat(sign):
                frame.look = behind, negative
                return
        if not scan.eat("?<"):
            scan.fail("Invalid group", start)
        place = scan.at
        self._number(frame)
        name = scan.group_name()
        if name in self.names:
            scan.fail("Duplicate capture group name", place)
        self.names[name] = self.count

    def _number(self, frame: Frame) -> None:
        self.count += 1
        frame.number = self.count

    def _close_group(self, start: int) -> Node | None:
        if len(self.stack) == 1:
            self.scan.fail("Unmatched ')'", start)
        frame = self.stack.pop()
        node = frame.body()
        if frame.number is not None:
            node = Group(frame.number, node)
        quantifiable = True
        if frame.look is not None:
            behind, negative = frame.look
            node = Look(node, behind, negative)
            quantifiable = not behind and not self.scan.unicode
        if quantifiable:
            self._quantified(node, frame.groups_before)
        else:
            self._add(node)
            if self.scan.char and self.scan.char in "*+?":
                self.scan.fail("Invalid quantifier")
        return None

    def _escape(self, start: int) -> Node | None:
        scan = self.scan
        char = scan.char
        if char in {"b", "B"} and char:
            scan.at += 1
            self._add(Anchor("boundary" if char == "b" else "not-boundary"))
            return None
        if char and char in DIGIT_CHARS:
            found = self._digits(start)
            if found is not None:
                return found
        if char == "k" and scan.named:
            return self._named_reference(start)
        if scan.unicode and char in {"p", "P"} and char:
            return self._property()
        escaped = scan.class_escape()
        if escaped is not None:
            if char.isupper() and scan.ignore_case and not self.sets:
                escaped = scan.close(escaped)
            return Char(escaped)
        return Char(scan.close(CharSet.chars((scan.character_escape(in_class=False),))))

    def _property(self) -> Char:
        if self.sets:
            return Char(self.scan.close(property_set(self.scan)))
        raw = property_char(self.scan)
        return Char(self.scan.close(raw.chars)) if self.scan.ignore_case else raw

    def _digits(self, start: int) -> Node | None:
        """A reference by number; None if the digits are an octal or identity escape."""
        scan = self.scan
        if scan.char == "0":
            return None
        end = scan.at
        while scan.text[end : end + 1] and scan.text[end] in DIGIT_CHARS:
            end += 1
        number = int(scan.text[scan.at : end][:10])
        if scan.unicode or number <= self.total:
            scan.at = end
            self.references.append((start, number))
            if scan.unicode and number > self.count and scan.char > "\uffff":
                scan.fail(MISREAD, start)
            return self._reference(number, number)
        return None

    def _named_reference(self, start: int) -> Node:
        scan = self.scan
        scan.at += 1
        if not scan.eat("<"):
            scan.fail("Invalid named reference", start)
        name = scan.group_name()
        self.named_references.append((start, name))
        return self._reference(-len(self.named_references), self.names.get(name))

    def _reference(self, number: int, group: int | None) -> Node:
        """Nothing inside the group itself, which is set only when it closes."""
        if group is not None and any(frame.number == group for frame in self.stack):
            return EMPTY_NODE
        return BackRef(number)

    def _quantified(self, term: Node, groups_before: int) -> None:
        scan = self.scan
        start = scan.at
        bounds = self._bounds()
        if bounds is None:
            self._add(term)
            return
        low, high = bounds
        if high is not None and high < low:
            scan.fail("numbers out of order in {} quantifier", start)
        greedy = not scan.eat("?")
        if self.sets and miscompiled(term, low, high, captures=groups_before < self.count):
            scan.fail(MISCOMPILED, start)
        if not solid(term):
            if low:
                self._add(term)
            return
        groups = (groups_before + 1, self.count)
        self._add(Repeat(term, low, high, greedy, groups))

    def _bounds(self) -> tuple[int, int | None] | None:
        scan = self.scan
        if scan.eat("*"):
            return 0, None
        if scan.eat("+"):
            return 1, None
        if scan.eat("?"):
            return 0, 1
        if scan.char != "{":
            return None
        start = scan.at
        bounds = self._interval()
        if bounds is None:
            if scan.unicode:
                scan.fail("Incomplete quantifier", start)
            scan.at = start
        return bounds

    def _interval(self) -> tuple[int, int | None] | None:
        """``{2}``, ``{2,}`` or ``{2,3}`` here; None, and moved, if it is not one."""
        scan = self.scan
        scan.at += 1
        low = self._number_here()
        if low is None:
            return None
        high: int | None = low
        if scan.eat(","):
            high = _UNBOUNDED if scan.char == "}" else self._number_here()
            if high is None:
                return None
        if not scan.eat("}"):
            return None
        return low, None if high == _UNBOUNDED else high

    def _number_here(self) -> int | None:
        scan = self.scan
        start = scan.at
        while scan.char and scan.char in DIGIT_CHARS:
            scan.at += 1
        digits = scan.text[start : scan.at].lstrip("0")
        if start == scan.at:
            return None
        return _UNBOUNDED if len(digits) > 10 else min(int(digits or "0"), _UNBOUNDED)


def _count_groups(text: str, sets: bool) -> tuple[int, bool]:
    """How many groups a pattern has, and whether one has a name."""
    count, named, depth, at = 0, False, 0, 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "[":
            depth = depth + 1 if sets or not depth else depth
        elif char == "]":
            depth = max(depth - 1, 0)
        elif char == "(" and not depth:
            name = text.startswith("?<", at + 1) and text[at + 3 : at + 4] not in {"=", "!"}
            named = named or name
            count += name or text[at + 1 : at + 2] != "?"
        at += 1
    return count, named


def _resolved(numbers: dict[int, int]) -> Callable[[Node], Node]:
    """Names by number: a named reference may come before its group."""

    def change(leaf: Node) -> Node:
        if isinstance(leaf, BackRef):
            return BackRef(numbers.get(leaf.number, leaf.number))
        return leaf

    return change


def _within_units(leaf: Node) -> Node:
    if isinstance(leaf, Char) and leaf.chars.ranges and leaf.chars.ranges[-1][1] > LAST_UNIT:
        return Char(leaf.chars & UNITS)
    return leaf
