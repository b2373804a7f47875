"""Instructions of the exact matcher: plain numbers, since it compares one a step."""

from typing import Final

CHAR: Final = 0
CHAR_BACK: Final = 1
SPLIT: Final = 2
JUMP: Final = 3
OPEN: Final = 4
CLOSE: Final = 5
CLOSE_BACK: Final = 6
LOOP_INIT: Final = 7
LOOP: Final = 8
ENTER: Final = 9
LOOP_END: Final = 10
RUN: Final = 11
RUN_BACK: Final = 12
LOOK: Final = 13
LOOK_END: Final = 14
NOT_LOOK: Final = 15
NOT_LOOK_END: Final = 16
START: Final = 17
END: Final = 18
BOUNDARY: Final = 19
BACKREF: Final = 20
BACKREF_BACK: Final = 21
MATCH: Final = 22
