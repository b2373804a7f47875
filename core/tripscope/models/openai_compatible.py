"""OpenAI and all servers that speak its Chat Completions, over HTTP with server-sent events."""

from __future__ import annotations

import json
import os
import ssl
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING, Final

from tripscope.chunks import Chunk, ErrorPayload
from tripscope.errors import APIError
from tripscope.models.base import Model, ModelRequest, ModelResponse, RawFrame
from tripscope.models.body import ENCODINGS, MASK, bytes_of, text_of
from tripscope.models.chat_completions.errors import error_from_response
from tripscope.models.chat_completions.request import request_body
from tripscope.models.chat_completions.stream import read_completion, read_stream
from tripscope.models.closing import ClosingParts, Parts
from tripscope.models.registry import Factory
from tripscope.wire import JSON

if TYPE_CHECKING:
    import httpx

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
TIMEOUT: Final = 300.0
CONNECT_TIMEOUT: Final = 15.0
_LAST_PORT: Final = 65535


class OpenAICompatible(Model):
    """Model ``model_id`` at ``base_url`` (``/chat/completions`` is put behind it).

    ``base_url`` falls back to OPENAI_BASE_URL, then to OpenAI; ``api_key`` to OPENAI_API_KEY;
    without one, any server but OpenAI's is asked with none. Both are read at each call. The key is
    in no error, no trace and no repr. ``timeout``: seconds without a byte after which a call fails;
    a model may think for minutes before the first.
    """

    def __init__(
        self,
        model_id: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        provider: str = "openai",
        transport: httpx.AsyncBaseTransport | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self.provider = provider
        self.model_id = model_id
        self._base_url = base_url
        self._api_key = api_key
        self._transport = transport
        self._timeout = timeout

    @property
    def base_url(self) -> str:
        """Where calls go now."""
        return (self._base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")

    def check(self) -> None:
        """See `Model.check`: the address and the key."""
        base_url = self.base_url
        url = _parsed(base_url)
        if url is None or not _is_address(url):
            where = "" if self._base_url else " of OPENAI_BASE_URL"
            raise APIError(
                f"{_shown(url)}{where} is no address of a server; it has the form"
                " http://HOST/PATH or https://HOST:PORT/PATH"
            )
        self._key(required=base_url == DEFAULT_BASE_URL)

    async def call(self, request: ModelRequest) -> ModelResponse:
        """Post the request; the answer's parts come as the server sends them.

        Raises:
            APIError: the request cannot be made, the server cannot be reached or refuses it, or its
                answer is neither an event stream nor a completion.
        """
        base_url = self.base_url
        at_openai = base_url == DEFAULT_BASE_URL
        body, warnings = request_body(
            self.model_id,
            request,
            provider=self.provider,
            # Newer models of OpenAI refuse the old name, and other servers know no other.
            max_tokens_key="max_completion_tokens" if at_openai else "max_tokens",
        )
        call = _Call(base_url, self._key(required=at_openai), self._timeout)
        parts = await call.open(body, request, self._transport, warnings)
        return ModelResponse(parts=parts, warnings=warnings, request={"body": body})

    def _key(self, *, required: bool) -> str | None:
        key = (self._api_key or os.environ.get("OPENAI_API_KEY") or "").strip()
        if not key and required:
            raise APIError(
                f"no API key for {DEFAULT_BASE_URL}: set OPENAI_API_KEY, "
                "or name a base URL that needs none"
            )
        if not (key.isascii() and key.isprintable()):
            raise APIError("the API key holds characters that no key has; it was not sent")
        return key or None


class _Call:
    """One call: its connection lives as long as its answer is read."""

    def __init__(self, base_url: str, key: str | None, timeout: float) -> None:
        self._base_url = base_url
        self._key = key
        self._timeout = timeout
        self._connect_timeout = min(CONNECT_TIMEOUT, timeout)

    async def open(
        self,
        body: dict[str, JSON],
        request: ModelRequest,
        transport: httpx.AsyncBaseTransport | None,
        warnings: list[JSON],
    ) -> Parts:
        import httpx

        url = _parsed(self._base_url)
        client = httpx.AsyncClient(
            transport=transport,
            # No certificates to check without TLS, and the context takes a while to make.
            verify=False if url is not None and url.scheme == "http" else _tls(),
            timeout=httpx.Timeout(self._timeout, connect=self._connect_timeout),
        )
        try:
            response = await self._send(client, body, request)
            parts = await self._parts(response, warnings)
        except APIError as error:
            await client.aclose()
            raise self._masked(error) from None
        except Exception as error:
            await client.aclose()
            raise self._connection_error(error) from None
        except BaseException:
            await client.aclose()
            raise
        return ClosingParts(parts, client.aclose)

    async def _send(
        self, client: httpx.AsyncClient, body: dict[str, JSON], request: ModelRequest
    ) -> httpx.Response:
        headers = {
            "content-type": "application/json",
            "accept": "text/event-stream" if request.streaming else "application/json",
            "accept-encoding": ENCODINGS,
        }
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        extra = request.model_settings.get("headers")
        if isinstance(extra, dict):
            headers |= {str(name).lower(): str(value) for name, value in extra.items()}
        # ASCII, since half a surrogate pair has an escape but no UTF-8.
        content = json.dumps(body).encode("ascii")
        url = f"{self._base_url}/chat/completions"
        made = client.build_request("POST", url, content=content, headers=headers)
        return await client.send(made, stream=True)

    async def _parts(self, response: httpx.Response, warnings: list[JSON]) -> Parts:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.is_success and kind == "text/event-stream":
            return self._stream(response, warnings)
        body = await text_of(response, self._key)
        parts = read_completion(body) if response.is_success else None
        if parts is None:
            raise error_from_response(response.status_code, response.headers, body)
        return _in_order(parts)

    async def _stream(self, response: httpx.Response, warnings: list[JSON]) -> Parts:
        import httpx

        body = bytes_of(response, self._key)
        try:
            async with aclosing(read_stream(body, response.headers, warnings)) as parts:
                async for part in parts:
                    yield part
        except APIError as error:
            yield Chunk("error", ErrorPayload(error=self._masked(error)))
        except httpx.HTTPError as error:
            yield Chunk("error", ErrorPayload(error=self._connection_error(error, begun=True)))

    def _masked(self, error: APIError) -> APIError:
        if self._key is None:
            return error
        body, code = error.body, error.code
        return APIError(
            error.message.replace(self._key, MASK),
            status_code=error.status_code,
            is_retryable=error.is_retryable,
            code=code and code.replace(self._key, MASK),
            body=body and body.replace(self._key, MASK),
            retry_after=error.retry_after,
        )

    def _connection_error(self, error: Exception, *, begun: bool = False) -> APIError:
        import httpx

        while isinstance(error, ExceptionGroup):  # an impossible port comes in one
            error = error.exceptions[0]
        if isinstance(error, httpx.ConnectTimeout):
            why = f"no connection within {self._connect_timeout:g} s"
        elif isinstance(error, httpx.TimeoutException):
            why = f"no answer in time ({self._timeout:g} s without a byte)"
        else:
            why = str(error) or type(error).__name__
        where = (
            "the connection broke in mid-answer"
            if begun
            else f"cannot ask {_shown(_parsed(self._base_url))}"
        )
        # A wrong address or header will not get better; anything on the way to a server may.
        lasting = isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError)
        passing = isinstance(error, httpx.HTTPError) and not lasting
        return self._masked(APIError(f"{where}: {why}", is_retryable=passing))


def _parsed(base_url: str) -> httpx.URL | None:
    """None: it is no URL at all."""
    import httpx

    try:
        return httpx.URL(base_url)
    except (httpx.InvalidURL, ValueError):
        return None


def _is_address(url: httpx.URL) -> bool:
    return url.scheme in ("http", "https") and bool(url.host) and (url.port or 0) <= _LAST_PORT


def _shown(url: httpx.URL | None) -> str:
    """The base URL without what may be a secret in it."""
    if url is None:
        return "the base URL"
    return str(url.copy_with(userinfo=b"", query=None, fragment=None))


async def _in_order(parts: list[Chunk | RawFrame]) -> Parts:
    for part in parts:
        yield part


@cache
def _tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


def _openai(model_id: str, *, base_url: str | None, api_key: str | None) -> Model:
    return OpenAICompatible(model_id, base_url=base_url, api_key=api_key)


PROVIDERS: Final[dict[str, Factory]] = {"openai": _openai}
