"""The rule sets that come with Tripscope, as data.

The first three are those of Mastra's ``RegexFilterProcessor``, so that a chain
behaves here as where it is deployed; their patterns were taken from what the class (npm
``@mastra/core`` 1.71.0, Apache-2.0) shows of its rules, and are kept as they are, with their known
gaps.
"""

from __future__ import annotations

from typing import Final

from tripscope.rules.preset_rule import PresetRule
from tripscope.rules.rule import RegexRule
from tripscope.rules.strict_presets import STRICT_PII, STRICT_SECRETS

MASTRA: Final = "Mastra @mastra/core 1.71.0, RegexFilterProcessor"


PRESETS: Final[dict[str, tuple[PresetRule, ...]]] = {
    "pii": (
        PresetRule(
            "email", r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}", "g", "[EMAIL]", MASTRA
        ),
        PresetRule(
            "phone",
            r"(?:\+?1[-.\s]?)?\(?[0-9]{3}\)?[-.\s]?[0-9]{3}[-.\s]?[0-9]{4}",
            "g",
            "[PHONE]",
            MASTRA,
        ),
        PresetRule("ssn", r"\b\d{3}-\d{2}-\d{4}\b", "g", "[SSN]", MASTRA),
        PresetRule("credit-card", r"\b(?:\d{4}[-\s]?){3}\d{4}\b", "g", "[CREDIT_CARD]", MASTRA),
    ),
    "secrets": (
        PresetRule(
            "api-key",
            r"""(?:api[_-]?key|apikey|api[_-]?secret)\s*[:=]\s*["']?[a-zA-Z0-9_\-]{20,}["']?""",
            "gi",
            "[API_KEY]",
            MASTRA,
        ),
        PresetRule("bearer-token", r"Bearer\s+[a-zA-Z0-9_\-.]+", "gi", "[BEARER_TOKEN]", MASTRA),
        PresetRule("aws-key", r"(?:AKIA|ASIA)[A-Z0-9]{16}", "g", "[AWS_KEY]", MASTRA),
    ),
    "urls": (PresetRule("url", r"""https?:\/\/[^\s<>"{}|\\^`\[\]]+""", "gi", "[URL]", MASTRA),),
    "pii-strict": STRICT_PII,
    "secrets-strict": STRICT_SECRETS,
}


def preset_rules(names: list[str]) -> list[RegexRule]:
    """The rules of the presets in the order given; a name that is not known adds none."""
    return [row.rule() for name in names for row in PRESETS.get(name, ())]
