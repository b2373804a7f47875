"""What the first line of a trace file says."""

from typing import Final

FORMAT: Final = "tripscope-trace"
VERSION: Final = 1
OFFSET_UNIT: Final = "utf-16"
