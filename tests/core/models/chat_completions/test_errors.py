from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tripscope.models.chat_completions.errors import error_from_object, error_from_response


@pytest.mark.parametrize(
    ("status", "retryable"),
    [(400, False), (401, False), (404, False), (408, True), (409, True), (429, True), (503, True)],
)
def test_what_may_be_tried_again(status: int, retryable: bool) -> None:
    error = error_from_response(status, {}, '{"error": {"message": "m", "code": "c"}}')
    assert (error.status_code, error.is_retryable, error.code) == (status, retryable, "c")
    assert error.message == f"the provider answered {status}: m"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"error": "busy"}', "busy"),
        ('{"message": "busy"}', "busy"),
        ('{"detail": "busy"}', "busy"),
        ('[{"error": {"message": "busy"}}]', "busy"),
        ('{"error": {"error": "busy"}}', "busy"),
        ("<h1>Bad\n gateway</h1>", "<h1>Bad gateway</h1>"),
        ("", "no text"),
        ("x" * 1000, "x" * 300 + "…"),
        ('{"error": {"weird": [1]}}', '{"error": {"weird": [1]}}'),
        ("null", "null"),
    ],
)
def test_the_providers_own_words(body: str, message: str) -> None:
    assert error_from_response(500, {}, body).message == f"the provider answered 500: {message}"


def test_a_redirect_says_where_to_look() -> None:
    assert "redirect" in error_from_response(302, {}, "").message


def test_retry_after_in_seconds_or_as_a_date() -> None:
    assert error_from_response(429, {"retry-after": "1.5"}, "").retry_after == 1.5
    assert error_from_response(429, {"retry-after": "soon"}, "").retry_after is None
    assert error_from_response(429, {}, "").retry_after is None
    for odd in ("nan", "inf", "Fri, 01 Jan 9999999999999 00:00:00 GMT"):
        assert error_from_response(429, {"retry-after": odd}, "").retry_after is None
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    seconds = error_from_response(429, {"retry-after": date}, "").retry_after
    assert seconds is not None
    assert 50 < seconds <= 60


def test_the_body_is_kept_up_to_a_limit() -> None:
    assert len(error_from_response(500, {}, "x" * 1_000_000).body or "") == 100_000


@pytest.mark.parametrize("code", [True, None, 0, "", []])
def test_a_code_that_is_none(code: object) -> None:
    assert error_from_object({"message": "m", "code": code}).code is None


@pytest.mark.parametrize("code", ["\u00b2\u00b2\u00b2", "4" * 5000, "\u0664\u0662\u0669", "42"])
def test_a_code_that_looks_like_a_status(code: str) -> None:
    error = error_from_object({"message": "m", "code": code})
    assert (error.code, error.status_code) == (code, None)
    assert error_from_object({"message": "m", "code": "429"}).status_code == 429
