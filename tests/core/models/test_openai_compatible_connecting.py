"""What a call waits for, and whom it trusts."""

from typing import Any

import httpx
import pytest

from tripscope.errors import APIError
from tripscope.models.base import ModelRequest
from tripscope.models.openai_compatible import OpenAICompatible


async def refusal(model: OpenAICompatible) -> APIError:
    """The error of a call."""
    prompt = [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    with pytest.raises(APIError) as told:
        await model.call(ModelRequest(prompt=prompt))
    return told.value


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (httpx.ConnectTimeout(""), "no connection within 15 s"),
        (httpx.ReadTimeout(""), "no answer in time (300 s without a byte)"),
    ],
)
async def test_what_was_waited_for_and_how_long_is_told(raised: Exception, told: str) -> None:
    def fail(_request: httpx.Request) -> httpx.Response:
        raise raised

    model = OpenAICompatible("m", base_url="http://h/v1", transport=httpx.MockTransport(fail))
    assert (await refusal(model)).message == f"cannot ask http://h/v1: {told}"


@pytest.mark.parametrize(
    ("base_url", "checked"),
    [("http://h/v1", False), ("https://h/v1", True), ("HTTPS://h/v1", True), ("Http://h", False)],
)
async def test_certificates_are_checked_however_the_scheme_is_spelled(
    monkeypatch: pytest.MonkeyPatch, base_url: str, checked: bool
) -> None:
    given: list[Any] = []

    class Client(httpx.AsyncClient):
        def __init__(self, **options: Any) -> None:
            given.append(options["verify"])
            super().__init__(**options)

    monkeypatch.setattr(httpx, "AsyncClient", Client)
    refuse = httpx.MockTransport(lambda _request: httpx.Response(400))
    await refusal(OpenAICompatible("m", base_url=base_url, transport=refuse))
    assert [verify is not False for verify in given] == [checked]
