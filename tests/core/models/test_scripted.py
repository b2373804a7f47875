import pytest

from tripscope.chunks import Chunk, delta_text, text_delta
from tripscope.errors import APIError
from tripscope.models.base import ModelRequest, RawFrame
from tripscope.models.scripted import Delay, ScriptedModel


class RecordingClock:
    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> int:
        return 0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def ask(*, streaming: bool = True) -> ModelRequest:
    return ModelRequest(prompt=[{"role": "user", "content": []}], streaming=streaming)


async def parts_of(model: ScriptedModel, *, streaming: bool = True) -> list[Chunk | RawFrame]:
    response = await model.call(ask(streaming=streaming))
    return [part async for part in response.parts]


async def test_serves_responses_in_order_with_raw_frames() -> None:
    model = ScriptedModel([[RawFrame("f"), text_delta("a")], [text_delta("b")]])
    assert await parts_of(model) == [RawFrame("f"), text_delta("a")]
    assert await parts_of(model) == [text_delta("b")]
    assert len(model.requests) == 2


async def test_serves_copies_that_may_be_edited() -> None:
    chunk = text_delta("a")
    model = ScriptedModel([[chunk]])
    (served,) = await parts_of(model)
    assert isinstance(served, Chunk)
    served.payload.text = "edited"
    assert delta_text(chunk) == "a"


async def test_waits_through_the_clock() -> None:
    clock = RecordingClock()
    model = ScriptedModel([[Delay(0.5), text_delta("a"), Delay(90)]], clock=clock)
    assert await parts_of(model) == [text_delta("a")]
    assert clock.slept == [0.5, 90]


async def test_raises_the_error_of_the_script() -> None:
    error = APIError("busy", status_code=503, is_retryable=True)
    model = ScriptedModel([error, [text_delta("a")]])
    with pytest.raises(APIError) as raised:
        await model.call(ask())
    assert raised.value is error
    assert await parts_of(model) == [text_delta("a")]


async def test_a_call_beyond_the_script_says_how_many_responses_there_are() -> None:
    model = ScriptedModel([[text_delta("a")]])
    await parts_of(model)
    with pytest.raises(APIError, match=r"call 2 of model scripted/scripted.* has 1 response;") as e:
        await model.call(ask())
    assert not e.value.is_retryable


async def test_a_request_that_does_not_stream_gets_whole_blocks() -> None:
    script = [
        text_delta("a", id="1"),
        Delay(60),
        text_delta("b", id="1"),
        text_delta("c", id="2"),
        text_delta("think", id="2", type="reasoning-delta"),
    ]
    model = ScriptedModel([script])
    assert await parts_of(model, streaming=False) == [
        text_delta("ab", id="1"),
        text_delta("c", id="2"),
        text_delta("think", id="2", type="reasoning-delta"),
    ]
