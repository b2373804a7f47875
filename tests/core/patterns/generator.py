"""Random patterns, flags and texts, biased to where regex engines part from one another."""

from random import Random

from tests.core.patterns.sampler import sample
from tests.core.patterns.v8 import Case
from tripscope.patterns import PatternError
from tripscope.patterns.parser import parse

_LETTERS = "aAbBkKsSxz"
_ODD = (
    "\u017f\u212a\xdf\u1e9e\xe9\xc9\xb5\u03bc\u03c3\u03c2\u03a3\u0130\u0131\u01c5\u01c6\u0345\u1fb3"
    "\ufb06\xff\u0178\u2126\u03c9\u1e9b\u1e61\u0390\u1fd3"
)
_BLANK = " \t\n\r\u2028\u2029\xa0\ufeff\u180e\x0b\x85"
_ASTRAL = ("\U0001f600", "\U0001f601", "\U00010400", "\U00010428", "\U0001d400")
_HALVES = ("\ud83d", "\ude00", "\ud801", "\udc00", "\udc28")
_SIGNS = "-_.,:;@#&!~=<>%`'\"/"
_SYNTAX = "^$\\.*+?()[]{}|/"
_PROPERTIES = (
    "L", "Lu", "Ll", "Nd", "gc=Sc", "P", "General_Category=Uppercase_Letter", "Script=Greek",
    "sc=Latn", "scx=Grek", "Alphabetic", "ASCII", "Any", "White_Space", "Emoji", "Uppercase",
    "Lowercase", "Cased", "Assigned", "EPres", "LC",
)  # fmt: skip
_BAD_PROPERTIES = ("l", "greek", "Greek", "gc=l", "Script=Nope", "", "L=Lu", "^L", "IsL", "Block=A")
_REPLACEMENTS = (
    "<$&>", "[$1|$2]", "$10$01$0$00", "$`-$'", "$$$<n>$<m>$<", "\\$1${1}", "$3$4$11", "",
    "\U0001f600$&\ud83d", "$1\ude00", "$<nope>$&",
)  # fmt: skip
_FLAG_SETS = ("", "i", "m", "s", "g", "gi", "gm", "gs", "y", "gy", "gim", "gis", "d", "dgimsy")


class Generator:
    """Draws cases from one source of randomness.

    ``newer`` leaves out flag v, of which V8 11.3 makes something else than later versions do.
    """

    def __init__(self, random: Random, newer: bool = False) -> None:
        self.random = random
        self.newer = newer

    def case(self) -> Case:
        random = self.random
        mode = random.choice(("", "", "", "u", "u", "v"))
        flags = random.choice(_FLAG_SETS) + mode
        if self.newer and mode == "v":
            flags = flags.replace("v", "u")
            mode = "u"
        self.unicode = bool(mode)
        self.sets = mode == "v"
        self.groups = 0
        self.names: list[str] = []
        self.seen: list[str] = []
        self.plain = random.random() < 0.4
        pattern = self._disjunction(random.choice((1, 2, 2, 3, 3)))
        if random.random() < 0.05:
            pattern = self._spoil(pattern)
        text = self._text()
        if random.random() < 0.35:
            text = self._likely_text(pattern, flags) or text
        last = random.randrange(len(text) + 2)
        return Case(pattern, flags, text, random.choice(_REPLACEMENTS), last)

    def _spoil(self, pattern: str) -> str:
        at = self.random.randrange(len(pattern) + 1)
        extra = self.random.choice(_SYNTAX + "1k,-&") if self.random.random() < 0.7 else ""
        return pattern[:at] + extra + pattern[at + self.random.choice((0, 0, 1)) :]

    def _text(self) -> str:
        random = self.random
        own = self.seen or ["a"]
        length = random.choice((0, 1, 2, 3, 4, 5, 6, 8, 8, 12, 20))
        parts = [
            random.choice(own) if random.random() < 0.75 else self._letter() for _ in range(length)
        ]
        return "".join(parts)

    def _likely_text(self, pattern: str, flags: str) -> str:
        random = self.random
        try:
            tree = parse(pattern, flags)
        except PatternError:
            return ""
        parts = [self._text()[:3] if random.random() < 0.4 else sample(tree, random)[:40]]
        for _ in range(random.randrange(3)):
            parts.append(sample(tree, random)[:40])
        text = list("".join(parts))
        for _ in range(random.choice((0, 0, 0, 1, 2))):
            at = random.randrange(len(text) + 1)
            text[at : at + random.randrange(2)] = [self._letter()] if random.random() < 0.6 else []
        return "".join(text)

    def _letter(self) -> str:
        random = self.random
        if self.plain:
            return random.choice("abcaabbk012 -\n")
        kind = random.random()
        if kind < 0.45:
            return random.choice(_LETTERS)
        if kind < 0.6:
            return random.choice(_ODD)
        if kind < 0.7:
            return random.choice(_BLANK)
        if kind < 0.78:
            return random.choice("0123789")
        if kind < 0.86:
            return random.choice(_SIGNS)
        return random.choice(_ASTRAL) if kind < 0.95 else random.choice(_HALVES)

    def _disjunction(self, depth: int) -> str:
        count = self.random.choice((1, 1, 1, 1, 2, 2, 3))
        return "|".join(self._alternative(depth) for _ in range(count))

    def _alternative(self, depth: int) -> str:
        count = self.random.choice((0, 1, 1, 2, 2, 3, 4))
        return "".join(self._term(depth) for _ in range(count))

    def _term(self, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.12:
            return self.random.choice(("^", "$", r"\b", r"\B", "^", "$"))
        if kind < 0.2 and depth:
            look = self.random.choice(("(?=", "(?!", "(?<=", "(?<!"))
            body = look + self._disjunction(depth - 1) + ")"
            if not self.unicode and look in ("(?=", "(?!") and self.random.random() < 0.2:
                return body + self._quantifier()
            return body
        atom = self._atom(depth)
        return atom + self._quantifier() if self.random.random() < 0.4 else atom

    def _quantifier(self) -> str:
        random = self.random
        low, more = random.randrange(4), random.randrange(3)
        sign = random.choice(
            ("*", "+", "?", "*", "+", "?", f"{{{low}}}", f"{{{low},}}", f"{{{low},{low + more}}}")
        )
        return sign + random.choice(("", "", "?"))

    def _atom(self, depth: int) -> str:
        random = self.random
        kind = random.random()
        if kind < 0.32 and depth:
            return self._group(depth)
        if kind < 0.42:
            return self._set(2) if self.sets else self._class()
        if kind < 0.5:
            return random.choice((r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", ".", ".", "[^]", "[]"))
        if kind < 0.6:
            return self._reference()
        if kind < 0.66 and self.unicode:
            return self._property()
        if kind < 0.74:
            return self._escape()
        if kind < 0.76 and not self.unicode:
            return random.choice(
                ("{", "}", "]", "{,3}", "{a}", "x{", "{1", r"\c", r"\u{2}", r"\x4")
            )
        return self._literal()

    def _group(self, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.35:
            return "(?:" + self._disjunction(depth - 1) + ")"
        self.groups += 1
        if kind < 0.5:
            name = "nm\u03c0\U0001d49cqrtuvw"[len(self.names) % 10]
            if name not in self.names:
                self.names.append(name)
                return f"(?<{name}>" + self._disjunction(depth - 1) + ")"
        return "(" + self._disjunction(depth - 1) + ")"

    def _reference(self) -> str:
        random = self.random
        if self.names and random.random() < 0.4:
            return rf"\k<{random.choice(self.names)}>"
        if not self.unicode and random.random() < 0.15:
            return random.choice((r"\8", r"\9", r"\12", r"\101", r"\08", r"\377", r"\400", r"\k"))
        return rf"\{random.randint(1, max(1, self.groups + random.choice((0, 0, 0, 1))))}"

    def _literal(self) -> str:
        char = self._letter()
        self.seen.append(char)
        if char in _SYNTAX:
            return "\\" + char
        return char

    def _property(self) -> str:
        names = _BAD_PROPERTIES if self.random.random() < 0.03 else _PROPERTIES
        return rf"\{self.random.choice('ppP')}{{{self.random.choice(names)}}}"

    def _escape(self) -> str:
        random = self.random
        char = self._letter()
        self.seen.append(char)
        units = char.encode("utf-16-le", "surrogatepass")
        codes = [units[at] | units[at + 1] << 8 for at in range(0, len(units), 2)]
        if len(codes) == 1 and codes[0] < 256 and random.random() < 0.4:
            return f"\\x{codes[0]:02x}"
        if self.unicode and random.random() < 0.5:
            return f"\\u{{{ord(char):x}}}"
        if random.random() < 0.7:
            return "".join(f"\\u{code:04x}" for code in codes)
        if self.unicode:
            return "\\" + random.choice(_SYNTAX + "fnrtv0")
        return "\\" + random.choice(_SYNTAX + "fnrtv0aegzAZGhRXKQEN-_ cCpP")

    def _class_char(self) -> str:
        random = self.random
        kind = random.random()
        if kind < 0.65:
            char = self._letter()
            self.seen.append(char)
            if char in "-^]\\[/" or (self.sets and char in _SYNTAX + _SIGNS):
                return "\\" + char if char in _SYNTAX + "-" or self.sets else char
            return char
        if kind < 0.8:
            return self._escape()
        return random.choice((r"\b", r"\n", r"\-" if self.unicode else "-", r"\0"))

    def _class(self) -> str:
        random = self.random
        parts = [random.choice(("[", "[", "[^"))]
        for _ in range(random.choice((0, 1, 2, 2, 3, 4))):
            kind = random.random()
            if kind < 0.2:
                parts.append(random.choice((r"\d", r"\D", r"\w", r"\W", r"\s", r"\S")))
            elif kind < 0.3 and self.unicode:
                parts.append(self._property())
            elif kind < 0.5:
                ends = sorted((self._letter(), self._letter()), key=self._order)
                if not any(end in "-^]\\[" for end in ends):
                    self.seen.extend(ends)
                    parts.append("-".join(ends))
            elif kind < 0.55 and not self.unicode:
                parts.append(random.choice((r"\1", r"\101", r"\c1", r"\c_", r"\c", r"\8", "a-\\d")))
            else:
                parts.append(self._class_char())
        if random.random() < 0.1:
            parts.append("-")
        return "".join(parts) + "]"

    def _order(self, char: str) -> int:
        return ord(char) if self.unicode else char.encode("utf-16-be", "surrogatepass")[0]

    def _set(self, depth: int) -> str:
        random = self.random
        head = random.choice(("[", "[", "[^"))
        kind = random.random()
        if kind < 0.5 or not depth:
            return head + "".join(self._member(depth) for _ in range(random.randrange(4))) + "]"
        sign = random.choice(("--", "&&"))
        count = random.choice((2, 2, 3))
        return head + sign.join(self._operand(depth) for _ in range(count)) + "]"

    def _member(self, depth: int) -> str:
        if self.random.random() < 0.25:
            ends = sorted((self._letter(), self._letter()), key=ord)
            if not any(end in _SYNTAX + _SIGNS for end in ends):
                self.seen.extend(ends)
                return "-".join(ends)
        return self._operand(depth)

    def _operand(self, depth: int) -> str:
        random = self.random
        kind = random.random()
        if kind < 0.3 and depth:
            return self._set(depth - 1)
        if kind < 0.45:
            return self._property()
        if kind < 0.6:
            return random.choice((r"\d", r"\D", r"\w", r"\W", r"\s", r"\S"))
        if kind < 0.7:
            words = []
            for _ in range(random.randint(1, 3)):
                word = "".join(random.choice(_LETTERS) for _ in range(random.randrange(4)))
                self.seen.append(word)
                words.append(word)
            return r"\q{" + "|".join(words) + "}"
        return self._class_char()
