"""A guard on sockets: loopback and local pipes pass, anything else is refused."""

import ipaddress
import socket
from typing import Any


class NetworkRefusedError(RuntimeError):
    """A test tried to reach beyond loopback. Not an OSError, so no client retries or hides it."""


def is_local(address: object) -> bool:
    """Tell whether a socket address or host name stays on this machine."""
    if not isinstance(address, tuple):
        return True  # AF_UNIX: a path
    host = address[0]
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


class NetworkGuard:
    """Patches the socket module while entered; `refused` lists what was asked for."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self._patch = _Patches()

    def _check(self, address: object) -> None:
        if not is_local(address):
            self.refused.append(repr(address))
            raise NetworkRefusedError(f"tests reach loopback only, not {address!r}")

    def __enter__(self) -> "NetworkGuard":
        connect, connect_ex = socket.socket.connect, socket.socket.connect_ex
        sendto, getaddrinfo = socket.socket.sendto, socket.getaddrinfo

        def guarded_connect(sock: socket.socket, address: Any) -> None:
            self._check(address)
            connect(sock, address)

        def guarded_connect_ex(sock: socket.socket, address: Any) -> int:
            self._check(address)
            return connect_ex(sock, address)

        def guarded_sendto(sock: socket.socket, data: Any, *rest: Any) -> int:
            self._check(rest[-1])
            return sendto(sock, data, *rest)

        def guarded_getaddrinfo(host: Any, *rest: Any, **named: Any) -> Any:
            self._check((host,))
            return getaddrinfo(host, *rest, **named)

        self._patch.set(socket.socket, "connect", guarded_connect)
        self._patch.set(socket.socket, "connect_ex", guarded_connect_ex)
        self._patch.set(socket.socket, "sendto", guarded_sendto)
        self._patch.set(socket, "getaddrinfo", guarded_getaddrinfo)
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.undo()


class _Patches:
    """Attributes to put back, newest first."""

    def __init__(self) -> None:
        self._undo: list[tuple[object, str, object, bool]] = []

    def set(self, owner: object, name: str, value: object) -> None:
        own = name in vars(owner)
        self._undo.append((owner, name, getattr(owner, name), own))
        setattr(owner, name, value)

    def undo(self) -> None:
        while self._undo:
            owner, name, value, own = self._undo.pop()
            if own:
                setattr(owner, name, value)
            else:
                delattr(owner, name)
