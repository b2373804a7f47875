"""The guards that every test runs under catch what they are there for."""

import asyncio
import socket
import threading

import pytest
from pytestqt.qtbot import QtBot

from tests.support import leaks
from tests.support.network import NetworkGuard, NetworkRefusedError, is_local


@pytest.mark.parametrize(
    "address",
    [("127.0.0.1", 1), ("127.9.9.9", 1), ("::1", 1, 0, 0), ("localhost", 1), ("", 0), "/run/x"],
)
def test_local_addresses(address: object) -> None:
    assert is_local(address)


@pytest.mark.parametrize(
    "address", [("192.0.2.1", 80), ("10.0.0.1", 80), ("example.com", 443), ("2001:db8::1", 1, 0, 0)]
)
def test_addresses_beyond(address: object) -> None:
    assert not is_local(address)


def test_network_guard_refuses_and_remembers() -> None:
    with NetworkGuard() as guard, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        with pytest.raises(NetworkRefusedError):
            sock.connect(("192.0.2.1", 80))
        with pytest.raises(NetworkRefusedError):
            sock.connect_ex(("192.0.2.2", 80))
        with pytest.raises(NetworkRefusedError):
            sock.sendto(b"", ("192.0.2.3", 80))
        with pytest.raises(NetworkRefusedError):
            socket.getaddrinfo("example.com", 443)
    assert len(guard.refused) == 4


def test_network_guard_lets_loopback_through() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    with server, socket.create_connection(server.getsockname(), timeout=5) as client:
        assert client.getpeername() == server.getsockname()


def test_network_guard_puts_everything_back() -> None:
    before = (socket.socket.connect, socket.socket.sendto, socket.getaddrinfo)
    with NetworkGuard():
        assert socket.getaddrinfo is not before[2]
    assert (socket.socket.connect, socket.socket.sendto, socket.getaddrinfo) == before


async def forever() -> None:
    await asyncio.Event().wait()


def test_task_left_to_the_runner_is_found() -> None:
    before = leaks.snapshot()

    async def main() -> None:
        asyncio.get_running_loop().create_task(forever(), name="left")
        await asyncio.sleep(0)

    asyncio.run(main())
    assert leaks.find(before, qt=False) == ["task left running forever"]
    leaks.snapshot()  # forgets it, so that this test passes its own guard


def test_task_on_a_loop_nobody_closed_is_found() -> None:
    before = leaks.snapshot()
    loop = asyncio.new_event_loop()
    task = loop.create_task(forever(), name="pending")
    assert leaks.find(before, qt=False) == ["task pending running forever"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(task)
    loop.close()
    assert leaks.find(before, qt=False) == []


def test_finished_tasks_are_no_leak() -> None:
    before = leaks.snapshot()

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(0))

    asyncio.run(main())
    assert leaks.find(before, qt=False) == []


def test_thread_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "JOIN_SECONDS", 0.01)
    before = leaks.snapshot()
    done = threading.Event()
    thread = threading.Thread(target=done.wait, name="busy")
    thread.start()
    assert leaks.find(before, qt=False) == ["thread busy"]
    done.set()
    thread.join()
    assert leaks.find(before, qt=False) == []


def test_a_question_that_is_still_open_is_found(qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QDialog, QWidget

    parent = QWidget()
    qtbot.addWidget(parent)
    before = leaks.snapshot()
    question = QDialog(parent)
    question.open()
    assert leaks.find(before, qt=True) == ["widget QDialog '', modal"]
    question.close()
    assert leaks.find(before, qt=True) == []


def test_widget_is_found(qapp: object) -> None:
    from PySide6.QtWidgets import QWidget

    before = leaks.snapshot()
    widget = QWidget()
    widget.setObjectName("stray")
    assert leaks.find(before, qt=True) == ["widget QWidget 'stray'"]
    widget.deleteLater()
    del widget
    assert leaks.find(before, qt=True) == []
