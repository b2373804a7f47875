"""Bodies: the key is masked wherever they are cut, and no answer is read without end."""

import gzip
import zlib
from itertools import pairwise

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripscope.errors import APIError
from tripscope.models import body as body_module
from tripscope.models.body import bytes_of, text_of

KEY = "sk-aab"


def answer(*pieces: bytes, encoding: str = "identity") -> httpx.Response:
    async def stream():
        for piece in pieces:
            yield piece

    return httpx.Response(200, content=stream(), headers={"content-encoding": encoding})


class Endless(httpx.AsyncByteStream):
    """A connection that gives bytes until it is closed."""

    def __init__(self) -> None:
        self.read = 0
        self.closed = False

    async def __aiter__(self):
        while not self.closed:
            self.read += 1
            yield b"x" * 2**16

    async def aclose(self) -> None:
        self.closed = True


@given(
    text=st.text(alphabet="sk-ab", max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=6),
)
async def test_the_key_is_masked_wherever_the_bytes_are_cut(text: str, cuts: list[int]) -> None:
    data = text.encode()
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(places)]
    got = b"".join([piece async for piece in bytes_of(answer(*pieces), KEY)])
    assert got == data.replace(KEY.encode(), b"***")


async def test_without_a_key_the_bytes_pass_at_once() -> None:
    pieces = [b"data: s", b"k\n\n"]
    assert [piece async for piece in bytes_of(answer(*pieces), None) if piece] == pieces


async def test_a_body_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_module, "LONGEST", 2 * 2**20)
    endless = Endless()
    with pytest.raises(APIError, match="an answer of over 2 MiB; the rest was not read"):
        await text_of(httpx.Response(200, stream=endless), None)
    assert endless.read == 33


async def test_bytes_that_are_not_utf8_read_as_replacement_characters() -> None:
    assert await text_of(answer(b"a\xff", b"b"), None) == "a\ufffdb"


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize(
    ("encoding", "data", "text"),
    [
        ("gzip", gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two"), "one two"),
        ("gzip", gzip.compress(b"one") + b"\x1f?" + gzip.compress(b"two"), "one"),
        ("gzip", gzip.compress(b"one") + b"\0" * 3000, "one"),
        ("deflate", zlib.compress(b"one"), "one"),
        ("deflate", bare_deflate(b"one"), "one"),
        ("gzip", b"", ""),
    ],
)
async def test_what_is_packed_is_unpacked_to_its_end(
    encoding: str, data: bytes, text: str, size: int
) -> None:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert await text_of(answer(*pieces, encoding=encoding), None) == text


@pytest.mark.parametrize("missing", [1, 8, 9, 20])
@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("gzip", gzip.compress(b"some text")),
        ("gzip", gzip.compress(b"one") + gzip.compress(b"some text")),
        ("deflate", zlib.compress(b"some more text, not so short")),
        ("deflate", bare_deflate(b"some more text, not so short")),
    ],
)
async def test_a_packed_body_that_is_cut_off_is_told(
    encoding: str, data: bytes, missing: int
) -> None:
    with pytest.raises(APIError, match=f"cut off: its {encoding} data has no end") as told:
        await text_of(answer(data[:-missing], encoding=encoding), None)
    assert told.value.is_retryable
