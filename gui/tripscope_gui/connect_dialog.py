"""Where live runs go: the address of an OpenAI-compatible server and, for it, a key.

The key is kept in the system's keychain, never in a session, a trace or the settings.
"""

from __future__ import annotations

import asyncio
from typing import Final

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui import dialogs
from tripscope_gui.context import PaneContext
from tripscope_gui.widgets.labels import PlainLabel

SERVICE: Final = "tripscope"
_USER: Final = "openai"
_HINT: Final = "Without a key here, the one in OPENAI_API_KEY is used."


class ConnectDialog(QDialog):
    """Two fields."""

    def __init__(self, address: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Connect a model")
        self.setMinimumWidth(440)
        self.address = QLineEdit(address)
        self.address.setPlaceholderText("http://127.0.0.1:8080/v1")
        self.address.setAccessibleName("address")
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("unchanged")
        self.key.setAccessibleName("key")
        form = QFormLayout()
        form.addRow("Address", self.address)
        form.addRow("Key", self.key)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(PlainLabel(_HINT, "t3"))
        column.addWidget(buttons)


async def connect_model(context: PaneContext, window: QWidget) -> None:
    """Ask for address and key, and keep them."""
    dialog = ConnectDialog(context.settings.base_url, window)
    result = await dialogs.wait_for(dialog)
    if result != QDialog.DialogCode.Accepted:
        return
    address, key = dialog.address.text().strip(), dialog.key.text().strip()
    context.settings.base_url = address
    if key:
        try:
            await asyncio.to_thread(_keep_key, key)
        except Exception as error:  # keyring's back ends raise what they like
            await dialogs.tell(
                window,
                "The key could not be kept.",
                f"The system's keychain says {type(error).__name__}. Set OPENAI_API_KEY instead.",
            )
            return
    context.say(f"Live runs go to {address}" if address else "Live runs go to the default address")


async def stored_key() -> str | None:
    """The key from the keychain; None if there is none or no keychain."""
    return await asyncio.to_thread(_read_key)


def _keep_key(key: str) -> None:
    import keyring

    keyring.set_password(SERVICE, _USER, key)


def _read_key() -> str | None:
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, _USER)
    except KeyringError:
        return None
