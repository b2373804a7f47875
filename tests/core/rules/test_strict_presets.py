# ruff: noqa: E501 - the texts stand as they are
"""Presets of our own: what they take, what they leave, how often they are wrong."""

from __future__ import annotations

import json
import pydoc_data.topics
import re
from pathlib import Path

import hypothesis
import pytest

from tests.support.filters import filter_text
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.presets import PRESETS

STRICT = ["pii-strict", "secrets-strict"]


async def _redacted(text: str) -> str:
    made = RegexFilterProcessor(presets=STRICT, strategy="redact")
    return (await filter_text(made, text))[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("issue comment 4345955198, ts 1748503543012", "issue comment 4345955198, ts 1748503543012"),
        ("id call_4155550132, order 415-555-01327", "id call_4155550132, order 415-555-01327"),
        ("415-555-0132, (415) 555-0132, +1 415 555 0132", "[PHONE], [PHONE], [PHONE]"),
        ("Berlin +49 30 901820", "Berlin [PHONE]"),
        ("card 4111 1111 1111 1111 not 4111 1111 1111 1112", "card [CREDIT_CARD] not 4111 1111 1111 1112"),
        ("amex 378282246310005", "amex [CREDIT_CARD]"),
        ("IBAN DE89 3704 0044 0532 0130 00, GB82WEST12345698765432", "IBAN [IBAN], [IBAN]"),
        ("IBAN DE88 3704 0044 0532 0130 00", "IBAN DE88 3704 0044 0532 0130 00"),
        ("10.0.0.1 but 1.2.3.4.5 and v1.2.3.4", "[IP] but 1.2.3.4.5 and v1.2.3.4"),
        ("fe80::1 at 12:30:45, 2001:db8:0:0:0:0:0:7 in std::vector", "[IP] at 12:30:45, [IP] in std::vector"),
        ("ssn 123-45-6789, not 000-45-6789 or 123-45-67890", "ssn [SSN], not 000-45-6789 or 123-45-67890"),
        ("Z" * 61 + "ann@example.test", "[EMAIL]"),
    ],
)  # fmt: skip
async def test_personal_data(text: str, expected: str) -> None:
    assert await _redacted(text) == expected


@pytest.mark.parametrize(
    "secret",
    [
        "Bearer abcDEF0123+tail/more==",
        "sk-proj-" + "a" * 24 + "-",
        "sk-ant-api03-" + "b" * 24 + "/",
        "sk-" + "c" * 24 + "=",
        "ghp_" + "d" * 36,
        "github_pat_" + "e" * 30,
        "glpat-" + "f" * 20,
        "xoxb-123456789012-abcdef",
        "sk_live_" + "g" * 24,
        "AIza" + "h" * 35,
        "npm_" + "i" * 36,
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
        "client_secret: 'abcd+efgh/ijkl=mnop'",
    ],
)
async def test_no_character_of_a_secret_survives(secret: str) -> None:
    out = await _redacted(f"use {secret} end")
    assert re.fullmatch(r"use \[[A-Z_]+\] end", out)


async def test_json_stays_json() -> None:
    text = '{"api_key": "abcd1234abcd1234abcd1234", "n": 4155550132, "to": "ann@example.test"}'
    assert json.loads(await _redacted(text)) == {
        "api_key": "[API_KEY]",
        "n": 4155550132,
        "to": "[EMAIL]",
    }


def test_every_rule_names_where_it_comes_from() -> None:
    for rows in PRESETS.values():
        assert all(row.provenance and row.replacement.strip() for row in rows)


def test_false_hits_on_texts_without_such_data() -> None:
    """Python's own reference topics, and a list of names of top-level domains."""
    tlds = Path(hypothesis.__file__).parent / "vendor" / "tlds-alpha-by-domain.txt"
    text = "\n".join(pydoc_data.topics.topics.values()) + tlds.read_text("utf-8")
    assert len(text) > 400_000
    strict = RegexFilterProcessor(presets=STRICT).whole(text)
    assert [text[start:end] for _, start, end in strict.matches] == []
    upstream = RegexFilterProcessor(presets=["pii", "secrets"]).whole(text)
    assert len(upstream.matches) >= len(strict.matches)


def test_hits_on_texts_with_such_data() -> None:
    rows = {
        "email": "mail u{0}@host{0}.example.org",
        "phone": "call 415-555-{0:04d}",
        "ssn": "ssn 123-45-{0:04d}",
        "ipv4": "from 10.0.{0}.7 port",
        "github-token": "token ghp_{0:036d}",
    }
    made = RegexFilterProcessor(presets=STRICT)
    for rule, shape in rows.items():
        text = "\n".join(shape.format(number) for number in range(1, 201))
        assert [name for name, _, _ in made.whole(text).matches] == [rule] * 200
