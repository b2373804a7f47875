"""Canonicalize of ECMA-262 22.2.2.7.3: which characters are one under flag ``i``."""

from collections import defaultdict
from functools import lru_cache

from tripscope.patterns.charset import CharSet

# No character above these has case.
_LAST_CASED = 0x1EFFF
_LAST_UNIT = 0xFFFF
_FIRST_NON_ASCII = 0x80

# Status S of CaseFolding.txt where status F folds to more than one character and lower() doesn't
# show the simple folding; in Unicode from 15.1.
_SIMPLE_ONLY = {0x1FD3: 0x0390, 0x1FE3: 0x03B0, 0xFB05: 0xFB06}


def canonical_unit(code: int) -> int:
    """Without u and v: the upper case of a UTF-16 unit, where that is one unit."""
    upper = chr(code).upper()
    if len(upper) != 1:
        return code
    found = ord(upper)
    if found > _LAST_UNIT or (code >= _FIRST_NON_ASCII and found < _FIRST_NON_ASCII):
        return code
    return found


def canonical_point(code: int) -> int:
    """With u or v: the simple case folding of a code point (statuses C and S)."""
    char = chr(code)
    folded = char.casefold()
    if len(folded) == 1:
        return ord(folded)
    lower = char.lower()
    if len(lower) == 1 and lower != char and lower.casefold() == folded:
        return ord(lower)
    return _SIMPLE_ONLY.get(code, code)


@lru_cache(maxsize=2)
def _classes(unicode: bool) -> dict[int, tuple[int, ...]]:
    """Every character that is one with another, with all of them."""
    canonical = canonical_point if unicode else canonical_unit
    by_form: defaultdict[int, list[int]] = defaultdict(list)
    for code in range(_LAST_CASED if unicode else _LAST_UNIT + 1):
        form = canonical(code)
        if form != code:
            by_form[form].append(code)
    return {code: (form, *others) for form, others in by_form.items() for code in (form, *others)}


def has_case(chars: CharSet, unicode: bool, above: int = 0) -> bool:
    """Whether a character of the set, at ``above`` or higher, is one with another."""
    return any(code >= above and code in chars for code in _classes(unicode))


@lru_cache(maxsize=64)
def close_over(chars: CharSet, unicode: bool) -> CharSet:
    """The set with every character that is one with a character in it.

    A set such as all letters takes milliseconds, and comes several times in a pattern.
    """
    if not unicode and (not chars.ranges or chars.ranges[-1][1] < _FIRST_NON_ASCII):
        # without u and v only ASCII is one with ASCII: most rules need no table of all there is
        return chars | CharSet.chars(ord(chr(code).swapcase()) for code in chars)
    classes = _classes(unicode)
    if len(chars) <= len(classes):
        extra = [code for member in chars for code in classes.get(member, ())]
    else:
        extra = [code for member, form in classes.items() if member in chars for code in form]
    return chars | CharSet.chars(extra) if extra else chars
