"""Character classes under flag v (ECMA-262 22.2.1 ClassSetExpression).

Under flags v and i ECMA-262 folds every operand before an operation (22.2.2.9). V8 11.3, which is
followed here, closes over case only what stands in a union and the result of the whole class; a
character or string that is itself an operand of ``--`` or ``&&`` is taken as it is written.
"""

from msgspec import Struct

from tripscope.patterns.casing import canonical_point
from tripscope.patterns.charset import EMPTY, CharSet
from tripscope.patterns.classes import property_at
from tripscope.patterns.quirks import DISORDERED
from tripscope.patterns.scanner import Scanner
from tripscope.patterns.syntax import EMPTY_NODE, Char, Node, alt, seq

_SET_SYNTAX = frozenset("()[]{}/-\\|")
_RESERVED = frozenset("&-!#%,:;<=>@`~")
_DOUBLED = frozenset("&!#$%*+,.:;<=>?@^`~")
_MAX_DEPTH = 50
_INVALID = "Invalid character in character class"
_INVALID_OPERATION = "Invalid set operation in character class"

Word = tuple[int, ...]


class _Set(Struct, frozen=True):
    """Single characters and strings of another length (folded under i).

    ``solid`` is V8's idea of whether it can match more than nothing: an operand holds something
    before any operation or negation. ``closes`` marks what a union closes over case.
    """

    chars: CharSet = EMPTY
    words: frozenset[Word] = frozenset()
    may_hold_words: bool = False
    solid: bool = False
    closes: bool = False
    negated: bool = False
    disordered: bool = False


def _leaf(chars: CharSet, escape: bool = False) -> _Set:
    return _Set(chars, solid=bool(chars.ranges), closes=escape)


def parse_set(scan: Scanner) -> Node:
    """The class whose ``[`` is just behind; a choice if it holds strings."""
    found = _class(scan, 0)
    chars = scan.close(found.chars)
    if not found.words:
        return Char(chars, phantom=not found.solid, negated_set=found.negated)
    options: list[Node] = [
        _word_node(scan, word) for word in sorted(found.words, key=len, reverse=True) if word
    ]
    if chars.ranges:
        options.append(Char(chars))
    if () in found.words:
        options.append(EMPTY_NODE)
    return alt(options)


def _word_node(scan: Scanner, word: Word) -> Node:
    return seq([Char(scan.close(CharSet.chars((code,)))) for code in word])


def _class(scan: Scanner, depth: int) -> _Set:
    start = scan.at - 1
    if depth > _MAX_DEPTH:
        scan.fail(f"more than {_MAX_DEPTH} character classes nested are not carried", start)
    negated = scan.eat("^")
    found = _contents(scan, start, depth)
    if not negated:
        return found
    if found.may_hold_words:
        scan.fail("Negated character class may contain strings", start)
    return _Set(found.chars.complement(), solid=found.solid, negated=True)


def _contents(scan: Scanner, start: int, depth: int) -> _Set:
    if scan.eat("]"):
        return _Set()
    first = _operand(scan, start, depth)
    if scan.text.startswith("--", scan.at):
        return _operation(scan, start, depth, _as_set(first), "--")
    if scan.text.startswith("&&", scan.at):
        return _operation(scan, start, depth, _as_set(first), "&&")
    return _union(scan, start, depth, first)


def _union(scan: Scanner, start: int, depth: int, first: int | _Set) -> _Set:
    ranges: list[tuple[int, int]] = []
    words: frozenset[Word] = frozenset()
    may = solid = False
    operand = first
    while True:
        if scan.text.startswith(("--", "&&"), scan.at):
            scan.fail(_INVALID_OPERATION)
        if scan.char == "-":
            place = scan.at
            scan.at += 1
            high = _operand(scan, start, depth)
            if not isinstance(operand, int) or not isinstance(high, int):
                scan.fail("Invalid character class", place)
            if operand > high:
                scan.fail("Range out of order in character class", place)
            operand = _leaf(scan.close(CharSet(((operand, high),))))
            if scan.text.startswith(("--", "&&"), scan.at):
                scan.fail(_INVALID_OPERATION)
        part = _as_set(operand)
        closed = isinstance(operand, int) or part.closes
        ranges.extend((scan.close(part.chars) if closed else part.chars).ranges)
        words |= part.words
        may = may or part.may_hold_words
        solid = solid or part.solid
        if scan.eat("]"):
            return _Set(CharSet.of(*ranges), words, may, solid)
        operand = _operand(scan, start, depth)


def _operation(scan: Scanner, start: int, depth: int, left: _Set, sign: str) -> _Set:
    while not scan.eat("]"):
        if not scan.eat(sign):
            scan.fail(
                _INVALID_OPERATION if scan.char else "Unterminated character class",
                None if scan.char else start,
            )
        if sign == "&&" and scan.char == "&":
            scan.fail(_INVALID)
        right = _as_set(_operand(scan, start, depth))
        if left.disordered or right.disordered:
            scan.fail(DISORDERED, start)
        solid = left.solid or right.solid
        may = left.may_hold_words and (sign == "--" or right.may_hold_words)
        if sign == "--":
            left = _Set(left.chars - right.chars, left.words - right.words, may, solid)
        else:
            left = _Set(left.chars & right.chars, left.words & right.words, may, solid)
    return left


def _as_set(operand: int | _Set) -> _Set:
    if isinstance(operand, int):
        return _leaf(CharSet.chars((operand,)))
    return operand


def _operand(scan: Scanner, start: int, depth: int) -> int | _Set:
    """A ClassSetCharacter as its code, any other ClassSetOperand as a set."""
    if not scan.char:
        scan.fail("Unterminated character class", start)
    if scan.eat("["):
        return _class(scan, depth + 1)
    if scan.char != "\\" or scan.ahead() not in set("pPqdDsSwW") or not scan.ahead():
        return _character(scan)
    scan.at += 1
    if scan.char in {"p", "P"}:
        return _leaf(property_set(scan), escape=True)
    if scan.char == "q":
        return _strings(scan)
    escaped = scan.class_escape()
    return _leaf(escaped or EMPTY, escape=True)


def property_set(scan: Scanner) -> CharSet:
    r"""``\p`` or ``\P`` under flag v, with the p here.

    Under i the set is closed over case before it is negated (22.2.2.9 CharacterComplement); V8
    does so for properties with a value, negates binary ones first, and closes ASCII and Any not
    at all.
    """
    found, negated = property_at(scan)
    if found.native in {"ASCII", "Any"}:
        return found.chars.complement() if negated else found.chars
    if found.binary:
        return scan.close(found.chars.complement() if negated else found.chars)
    inside = scan.close(found.chars)
    return inside.complement() if negated else inside


def _character(scan: Scanner) -> int:
    char = scan.char
    if char and char in _DOUBLED and scan.ahead() == char:
        scan.fail(_INVALID_OPERATION if char == "&" else _INVALID)
    if char in _SET_SYNTAX and char != "\\":
        scan.fail(_INVALID)
    scan.at += 1
    if char != "\\":
        return ord(char)
    if scan.char and scan.char in _RESERVED:
        scan.at += 1
        return ord(scan.text[scan.at - 1])
    if scan.eat("b"):
        return 0x08
    return scan.character_escape(in_class=True)


def _strings(scan: Scanner) -> _Set:
    start = scan.at - 1
    scan.at += 1
    if not scan.eat("{"):
        scan.fail("Invalid escape", start)
    words: set[Word] = set()
    singles: list[int] = []
    may = False
    while True:
        word: list[int] = []
        while scan.char and scan.char not in "|}":
            word.append(_character(scan))
        if not scan.char:
            scan.fail("Invalid character class", start)
        if scan.ignore_case:
            word = list(map(canonical_point, word))
        if len(word) == 1:
            singles.append(word[0])
        else:
            may = True
            words.add(tuple(word))
        scan.at += 1
        if scan.text[scan.at - 1] == "}":
            solid = bool(singles) or any(words)
            return _Set(
                CharSet.chars(singles),
                frozenset(words),
                may,
                solid,
                closes=True,
                disordered=singles != sorted(singles),
            )
