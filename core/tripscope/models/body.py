"""The body of an HTTP answer: bounded, and without the key where a server repeats it.

The key is taken out of the bytes before anyone reads them, so it is in no frame, no chunk and no
error. In JSON with escapes inside the key it would stand unnoticed; keys need none.

What is compressed is unpacked here: where that fails inside the library, the generators that it
nests below are out of reach, and end whenever the collector finds them.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final

from tripscope.errors import APIError

if TYPE_CHECKING:
    import httpx

LONGEST: Final = 64 * 2**20
"""Bytes of an answer that comes whole, or of one frame of a stream."""
ENCODINGS: Final = "gzip, deflate"
"""What a server may do to a body, as ``accept-encoding``."""
_SPOKEN: Final = frozenset(ENCODINGS.split(", "))
_GZIP_OR_ZLIB: Final = 32 + zlib.MAX_WBITS
_HEAD: Final = 2
"""Bytes that tell how a body is packed."""
_GZIP: Final = b"\x1f\x8b"
MASK: Final = "***"
"""What stands where the key stood."""


async def bytes_of(response: httpx.Response, secret: str | None) -> AsyncGenerator[bytes, None]:
    """The bytes of an answer as they come, ``secret`` masked also where it is cut.

    Closed early, the library leaves the generators that it nests to the collector, which ends them
    in tasks of their own. Once the response is closed, reading on makes them fail and so end here.

    Raises:
        APIError: it cannot be unpacked, or was cut off.
    """
    body, unpack, hide = response.aiter_raw(), _Unpacking(response), _Hiding(secret)
    try:
        async for data in body:
            yield hide.feed(unpack.feed(data))
        unpack.close()
        yield hide.close()
    finally:
        await response.aclose()
        with suppress(Exception):
            async for _ in body:
                pass


async def text_of(response: httpx.Response, secret: str | None) -> str:
    """The whole body as UTF-8 text; what is not reads as U+FFFD.

    Raises:
        APIError: it is longer than `LONGEST`.
    """
    read = bytearray()
    async with aclosing(bytes_of(response, secret)) as body:
        async for data in body:
            read += data
            if len(read) > LONGEST:
                raise too_long("an answer")
    return read.decode(errors="replace")


def too_long(what: str) -> APIError:
    """The error for what a server sends beyond `LONGEST`."""
    return APIError(f"the provider sent {what} of over {LONGEST >> 20} MiB; the rest was not read")


class _Unpacking:
    """Undoes the compression of a body that comes in pieces.

    A gzip body may have several members, one behind the other (RFC 1952, section 2.2); whatever
    else comes behind its end is passed over.
    """

    def __init__(self, response: httpx.Response) -> None:
        self._said = response.headers.get("content-encoding", "").strip().lower()
        packed = self._said not in ("", "identity")
        self._unpacker = zlib.decompressobj(_GZIP_OR_ZLIB) if packed else None
        self._head = b""
        self._behind = b""
        """Bytes behind the end, to tell whether a member begins there."""

    def feed(self, data: bytes) -> bytes:
        """The bytes that these stand for.

        Raises:
            APIError: they stand for none.
        """
        if self._unpacker is None:
            return data
        if len(self._head) < _HEAD and data:
            # deflate is zlib's, but some servers leave its head out
            self._head += data
            if len(self._head) < _HEAD:
                return b""
            data = self._head
            if self._said == "deflate" and not _is_zlib(data):
                self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            return self._members(self._unpacker, data)
        except zlib.error as error:
            known = self._said in _SPOKEN
            wrong = f"and it is not: {error}"
            why = wrong if known else f"which was not asked for: {ENCODINGS} was"
            raise APIError(
                f"the provider says that its answer is {self._said:.40}, {why}", is_retryable=known
            ) from error

    def _members(self, unpacker: zlib._Decompress, data: bytes) -> bytes:
        unpacked = b""
        if unpacker.eof:
            data = self._behind + data
        else:
            unpacked = unpacker.decompress(data)
            data = unpacker.unused_data
        while unpacker.eof and data.startswith(_GZIP):
            self._unpacker = unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
            unpacked += unpacker.decompress(data)
            data = unpacker.unused_data
        self._behind = data[: len(_GZIP)]
        return unpacked

    def close(self) -> None:
        """See to it that the body came to its end.

        Raises:
            APIError: it did not.
        """
        if self._unpacker is not None and self._head and not self._unpacker.eof:
            raise APIError(
                f"the provider's answer was cut off: its {self._said:.40} data has no end",
                is_retryable=True,
            )


def _is_zlib(data: bytes) -> bool:
    """Whether bytes begin as RFC 1950 says, section 2.2."""
    return data[0] & 15 == zlib.DEFLATED and int.from_bytes(data[:2], "big") % 31 == 0


class _Hiding:
    """Masks a secret in bytes that come in pieces."""

    def __init__(self, secret: str | None) -> None:
        self._secret = (secret or "").encode()
        self._kept = b""

    def feed(self, data: bytes) -> bytes:
        """What can be told apart from the secret; the start of one waits for more."""
        secret = self._secret
        if not secret:
            return data
        data = (self._kept + data).replace(secret, MASK.encode())
        longest = min(len(secret) - 1, len(data))
        kept = next((n for n in range(longest, 0, -1) if data.endswith(secret[:n])), 0)
        end = len(data) - kept
        self._kept = data[end:]
        return data[:end]

    def close(self) -> bytes:
        """What still waits."""
        kept, self._kept = self._kept, b""
        return kept
