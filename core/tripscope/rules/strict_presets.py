"""Presets of our own, stricter about what they take and fuller in what they take: off by default.

They close gaps of the ``pii`` and ``secrets`` presets: tokens go as a whole, quoted JSON keys are
seen and JSON stays JSON; numbers that do not add up and digits inside longer numbers or ids stay.
Parts of them (the checks) exist only here, not where a rule is deployed.
"""

from __future__ import annotations

from typing import Final

from tripscope.rules.checks import iban, ipv6, luhn
from tripscope.rules.preset_rule import PresetRule

_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_KEY_NAME: Final = (
    r"(?:api|access|secret|auth|client|private)[_-]?(?:api[_-]?)?(?:key|token|secret)|apikey"
)
_VENDOR: Final = "token formats in the vendor's public documentation: "

STRICT_PII: Final = (
    PresetRule(
        "email",
        r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}",
        "g",
        "[EMAIL]",
        "as in pii; a bound on the local part would miss padded addresses",
    ),
    PresetRule(
        "phone",
        r"(?<![\w.+-])(?:\+?1[-. ]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}"
        r"(?![-.]?\w)",
        "g",
        "[PHONE]",
        "North American Numbering Plan: separators required, no neighbours",
    ),
    PresetRule(
        "phone-international",
        r"(?<![\w+])\+[1-9](?:\d{0,2}(?:[ -]\(?\d{1,6}\)?){2,5}|\d{8,14})(?![\w.]*\d)",
        "g",
        "[PHONE]",
        "ITU-T E.123 notation",
    ),
    PresetRule(
        "ssn",
        r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])",
        "g",
        "[SSN]",
        "ranges that the Social Security Administration never issues are left out",
    ),
    PresetRule(
        "credit-card",
        r"(?<![\w-])(?=3[04-9]|4|5[0-8]|6|2[2-7])(?:\d[ -]?){12,18}\d(?![\w-])",
        "g",
        "[CREDIT_CARD]",
        "ISO/IEC 7812-1: leading digits of card issuers, and the check digit",
        luhn,
    ),
    PresetRule(
        "iban",
        r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])",
        "g",
        "[IBAN]",
        "ISO 13616, with its check digits",
        iban,
    ),
    PresetRule(
        "ipv4",
        rf"(?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?![\w.-]*\w)",
        "g",
        "[IP]",
        "dotted quads that are no part of a longer number, name or version",
    ),
    PresetRule(
        "ipv6",
        r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:.]*\w)",
        "g",
        "[IP]",
        "RFC 4291, read back by a parser",
        ipv6,
    ),
)

STRICT_SECRETS: Final = (
    PresetRule(
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
        r"-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
        "g",
        "[PRIVATE_KEY]",
        "RFC 7468, RFC 4880",
    ),
    PresetRule(
        "api-key-json",
        rf"""["'](?:{_KEY_NAME})["']\s*:\s*["'][^"'\s\\]{{16,}}["']""",
        "gi",
        '"api_key": "[API_KEY]"',
        "quoted keys, as JSON has them; what replaces them is JSON",
    ),
    PresetRule(
        "api-key",
        rf"""(?:{_KEY_NAME})\s*[:=]\s*["']?[A-Za-z0-9_\-+/=.~]{{16,}}["']?""",
        "gi",
        "[API_KEY]",
        "as in secrets, with more names and the base64 alphabets",
    ),
    PresetRule(
        "bearer-token",
        r"Bearer\s+[A-Za-z0-9_\-.~+/]+=*",
        "gi",
        "[BEARER_TOKEN]",
        "b64token of RFC 6750, section 2.1",
    ),
    PresetRule(
        "jwt",
        r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*",
        "g",
        "[JWT]",
        "RFC 7519: header and payload are JSON objects",
    ),
    PresetRule(
        "aws-key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}", "g", "[AWS_KEY]", _VENDOR + "AWS IAM"
    ),
    PresetRule(
        "github-token",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
        "g",
        "[GITHUB_TOKEN]",
        _VENDOR + "GitHub",
    ),
    PresetRule("gitlab-token", r"\bglpat-[\w.-]{20,}", "g", "[GITLAB_TOKEN]", _VENDOR + "GitLab"),
    PresetRule(
        "slack-token", r"\bxox[abeprs]-[0-9A-Za-z-]{10,}", "g", "[SLACK_TOKEN]", _VENDOR + "Slack"
    ),
    PresetRule(
        "stripe-key",
        r"\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}",
        "g",
        "[STRIPE_KEY]",
        _VENDOR + "Stripe",
    ),
    PresetRule(
        "llm-key",
        r"\bsk-(?:proj-|svcacct-|admin-|ant-[a-z0-9]+-)?[A-Za-z0-9_\-+/=]{20,}",
        "g",
        "[API_KEY]",
        _VENDOR + "OpenAI, Anthropic",
    ),
    PresetRule(
        "google-key", r"\bAIza[0-9A-Za-z_-]{35}", "g", "[GOOGLE_KEY]", _VENDOR + "Google Cloud"
    ),
    PresetRule("npm-token", r"\bnpm_[A-Za-z0-9]{36,}", "g", "[NPM_TOKEN]", _VENDOR + "npm"),
)
