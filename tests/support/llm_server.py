"""Servers on loopback: a real one that speaks Chat Completions, and one that sends given bytes."""

import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.patience import PATIENCE


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class FakeLLM:
    """The fakellm package, served by itself in a process of its own until `stop`."""

    def __init__(self, folder: Path, rules: Sequence[dict[str, Any]]) -> None:
        config = folder / "fakellm.yaml"
        # JSON is YAML.
        config.write_text(json.dumps({"version": 1, "rules": list(rules)}))
        self.port = free_port()
        self.log = folder / "fakellm.log"
        command = [
            *(sys.executable, "-c", "from fakellm.cli import main; main()", "serve"),
            *("--port", str(self.port), "--config", str(config)),
        ]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        self._wait()

    @property
    def base_url(self) -> str:
        """For ``base_url`` of a model."""
        return f"http://127.0.0.1:{self.port}/v1"

    def stats(self) -> dict[str, Any]:
        """What the server itself says that it was asked."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_fakellm/stats") as answer:
            stats: dict[str, Any] = json.load(answer)
        return stats

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                self.stats()
            except OSError:
                time.sleep(0.05)
            else:
                return
        self.stop()
        raise RuntimeError(f"fakellm did not start: {self.log.read_text()}")

    def stop(self) -> None:
        """End the server; a second call changes nothing."""
        self._process.terminate()
        self._process.wait(PATIENCE)


@dataclass
class ByteServer:
    """Sends the same bytes to each client. ``asked`` is set once a client has posted all of its
    request, ``closed`` when one has hung up.
    """

    port: int
    requests: list[bytes] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def base_url(self) -> str:
        """For ``base_url`` of a model."""
        return f"http://127.0.0.1:{self.port}/v1"

    def body(self, number: int = -1) -> dict[str, Any]:
        """The JSON that a client posted."""
        body: dict[str, Any] = json.loads(self.requests[number].partition(b"\r\n\r\n")[2])
        return body


def http(
    body: bytes,
    *,
    status: str = "200 OK",
    kind: str = "text/event-stream",
    extra: str = "",
    length: int | None = None,
) -> bytes:
    """An HTTP answer that ends with the connection, or has a length."""
    size = "" if length is None else f"content-length: {length}\r\n"
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{extra}{size}connection: close\r\n\r\n"
    return head.encode() + body


@asynccontextmanager
async def byte_server(
    *pieces: bytes, hold: bool = False, one_by_one: bool = False
) -> AsyncIterator[ByteServer]:
    """Answers with ``pieces``, each in a packet of its own; ``hold`` keeps the connection open."""
    handlers: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        handlers.add(task)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
            server.requests.append(head + await reader.readexactly(size))
            server.asked.set()
            sending = [bytes([b]) for p in pieces for b in p] if one_by_one else pieces
            for piece in sending:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            if hold:
                await reader.read()
        except ConnectionError:
            pass
        finally:
            server.closed.set()
            writer.close()
            handlers.discard(task)

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    server = ByteServer(listener.sockets[0].getsockname()[1])
    try:
        yield server
    finally:
        listener.close()
        for task in list(handlers):
            task.cancel()
        await asyncio.gather(*handlers, return_exceptions=True)
        await listener.wait_closed()
