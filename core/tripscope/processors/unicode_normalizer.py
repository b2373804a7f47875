"""UnicodeNormalizer: input text in one spelling, without control characters."""

from __future__ import annotations

import re
import unicodedata
from typing import ClassVar, Final, Self

from tripscope.messages import Message
from tripscope.options import given_options
from tripscope.processor import ProcessInputArgs, Processor
from tripscope.rules.message_texts import rewritten
from tripscope.wire import JSON

DEFAULT_ID: Final = "unicode-normalizer"
# C0 but tab, line feed and carriage return; DEL; C1.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_OPTIONS: Final = {
    "stripControlChars": "strip_control_chars",
    "collapseWhitespace": "collapse_whitespace",
    "trim": "trim",
}


class UnicodeNormalizer(Processor):
    """Brings the text of input messages into NFKC.

    Args:
        strip_control_chars: remove control characters but tab and line breaks.
        collapse_whitespace: line breaks become one line feed, runs of blanks and tabs one blank.
        trim: remove white space at both ends of each text.
        id: the processor's id.

    Unlike Mastra's processor of this name it strips control characters and keeps white space unless
    told otherwise: layout means something in prompts that hold code.
    """

    TYPE: ClassVar[str] = "unicode-normalizer"
    scans = ()
    name = "Unicode Normalizer"

    def __init__(
        self,
        *,
        strip_control_chars: bool = True,
        collapse_whitespace: bool = False,
        trim: bool = False,
        id: str = DEFAULT_ID,
    ) -> None:
        self.id = id
        self.strip_control_chars = strip_control_chars
        self.collapse_whitespace = collapse_whitespace
        self.trim = trim

    @classmethod
    def from_options(cls, options: dict[str, JSON], *, id: str = DEFAULT_ID) -> Self:
        """Make one from its options as files spell them; null means the default.

        Raises:
            ValueError: an option is not known, or no truth value.
        """
        arguments: dict[str, bool] = {}
        for key, value in given_options(options, _OPTIONS, cls.TYPE).items():
            if not isinstance(value, bool):
                raise ValueError(f"{cls.TYPE}: {key} must be true or false, not {value!r:.60}")
            arguments[_OPTIONS[key]] = value
        return cls(**arguments, id=id)

    def describe(self) -> dict[str, JSON]:
        """Id, type and options."""
        options = {key: getattr(self, name) for key, name in _OPTIONS.items()}
        return {"id": self.id, "type": self.TYPE, **options}

    def process_input(self, args: ProcessInputArgs) -> list[Message]:
        """Normalize every text of the input messages; the caller's messages stay as they are."""
        return rewritten(args.messages, lambda place: self.normalize(place.text))

    def normalize(self, text: str) -> str:
        """One text, normalized."""
        text = unicodedata.normalize("NFKC", text)
        if self.strip_control_chars:
            text = _CONTROLS.sub("", text)
        if self.collapse_whitespace:
            text = re.sub(r"[\r\n]+", "\n", text)
            text = re.sub(r"[ \t]+", " ", text)
        return text.strip() if self.trim else text
