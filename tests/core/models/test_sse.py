import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripscope.models.sse import ServerSentEvent, SSEDecoder


def decode(*pieces: bytes) -> list[ServerSentEvent]:
    decoder = SSEDecoder()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    last = decoder.close()
    assert decoder.problems == []
    return events + ([last] if last else [])


def at_every_cut(stream: bytes) -> list[ServerSentEvent]:
    """What the stream holds; the same whole, byte by byte, and in two pieces cut anywhere."""
    whole = decode(stream)
    assert decode(*(bytes([byte]) for byte in stream)) == whole
    for cut in range(len(stream) + 1):
        assert decode(stream[:cut], stream[cut:]) == whole, cut
    return whole


def data(stream: bytes) -> list[str]:
    return [event.data for event in at_every_cut(stream)]


SEPARATORS = "\u2028\u2029\u0085\x0b\x0c\x1e"


def test_only_lf_cr_and_crlf_end_a_line() -> None:
    """P1: a line iterator for text would also cut at other separators."""
    frame = json.dumps({"content": f"a{SEPARATORS}b"}, ensure_ascii=False)
    frame = frame.replace("\\u000b", "\x0b").replace("\\f", "\x0c").replace("\\u001e", "\x1e")
    assert data(f"data: {frame}\n\n".encode()) == [frame]
    assert json.loads(frame, strict=False) == {"content": f"a{SEPARATORS}b"}


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_text_cut_inside_characters_and_line_ends(end: str) -> None:
    """P8: decoding per packet breaks characters; half a CR LF is not an empty line."""
    lines = ["data: héllo 世界 🦀", "", "data: one", "data: two", "", ""]
    assert data(end.join(lines).encode()) == ["héllo 世界 🦀", "one\ntwo"]


def test_mixed_line_ends() -> None:
    assert data(b"data: a\r\n\ndata: b\r\rdata: c\n\r\n") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("data:x", "x"),
        ("data: x", "x"),
        ("data:  x", " x"),
        ("data: x ", "x "),
        ("data:\tx", "\tx"),
        ("data", ""),
        ("data:", ""),
        ("data: a: b", "a: b"),
    ],
)
def test_one_leading_space_is_removed(line: str, text: str) -> None:
    """P2."""
    assert data(f"{line}\n\n".encode()) == [text]


def test_a_leading_byte_order_mark_is_skipped() -> None:
    """P2."""
    assert data(b"\xef\xbb\xbfdata: x\n\n") == ["x"]
    assert data(b"\xef\xbb\xbf\n\ndata: x\n\n") == ["x"]
    # A second one is part of a field's name, which is then not known.
    assert data(b"\xef\xbb\xbf\xef\xbb\xbfdata: x\n\ndata: y\n\n") == ["y"]


def test_fields_and_comments() -> None:
    stream = b": hello\nevent: error\nid: 7\ndata: x\n\ndata: y\nunknown: z\n\n:\n\nevent: lost\n\n"
    assert at_every_cut(stream) == [
        ServerSentEvent("x", "error", "7"),
        ServerSentEvent("y", "message", "7"),
    ]


def test_an_id_with_a_null_is_ignored() -> None:
    assert at_every_cut(b"id: 1\ndata: x\n\nid: 2\0\ndata: y\n\n")[1].id == "1"


def test_retry_takes_digits_only() -> None:
    decoder = SSEDecoder()
    decoder.feed("retry: 10\n\nretry: 1x\n\nretry: ٣\n\n".encode())
    assert decoder.retry == 10


def test_an_open_event_is_left_to_the_caller() -> None:
    decoder = SSEDecoder()
    assert decoder.feed(b"data: x\n\ndata: y\ndata: z") == [ServerSentEvent("x")]
    assert decoder.close() == ServerSentEvent("y\nz")
    assert decoder.close() is None


def test_bad_bytes_are_reported_and_the_rest_goes_on() -> None:
    """P8."""
    stream = b"data: a\n\ndata: b\xffc\n\ndata: d\n\n"
    for cut in range(len(stream) + 1):
        decoder = SSEDecoder()
        events = decoder.feed(stream[:cut]) + decoder.feed(stream[cut:])
        assert [event.data for event in events] == ["a", "b\ufffdc", "d"]
        (problem,) = decoder.problems
        assert "line 3 of the stream" in problem
        assert "ff at byte 7" in problem


def test_an_end_in_the_middle_of_a_character_is_reported() -> None:
    """P8."""
    decoder = SSEDecoder()
    assert decoder.feed("data: 🦀".encode()[:-1]) == []
    assert decoder.close() == ServerSentEvent("\ufffd")
    assert "not UTF-8" in decoder.problems[0]


@given(st.lists(st.binary(max_size=6)))
def test_cuts_never_matter(pieces: list[bytes]) -> None:
    apart, whole = SSEDecoder(), SSEDecoder()
    events = [event for piece in pieces for event in apart.feed(piece)]
    assert events == whole.feed(b"".join(pieces))
    assert apart.close() == whole.close()
    assert apart.problems == whole.problems


@given(st.text('da:t\n\r x\ufeff"', max_size=30), st.data())
def test_cuts_in_likely_streams_never_matter(text: str, draw: st.DataObject) -> None:
    stream = text.encode()
    cut = draw.draw(st.integers(0, len(stream)))
    assert decode(stream[:cut], stream[cut:]) == decode(stream)
