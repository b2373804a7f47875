"""One start of a window, run as a script: `start.py bare | window | example`.

Prints `time.time()` once the window is painted, and ends. It imports nothing that the kind of start
does not need: `bare` is what any PySide6 program pays. The others go the way of the command line.
"""

import sys
import time
from typing import Any


def _done() -> None:
    import os

    sys.stdout.write(f"{time.time()}\n")
    sys.stdout.flush()
    os._exit(0)


def _bare() -> None:
    from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

    app = QApplication([])

    class Window(QMainWindow):
        def paintEvent(self, event: Any) -> None:
            super().paintEvent(event)
            _done()

    window = Window()
    window.setCentralWidget(QLabel("bare"))
    window.resize(1600, 1000)
    window.show()
    app.exec()


def _own(example: bool) -> None:
    from tripscope import cli
    from tripscope_gui import app

    really_live = app._live

    async def live(*args: Any) -> int:
        from PySide6.QtCore import QEvent, QObject, QTimer

        from tripscope_gui import window_state

        class Watch(QObject):
            def __init__(self, window: Any) -> None:
                super().__init__(window)
                self.window = window

            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint and self.there():
                    # when this is called the painting is over
                    QTimer.singleShot(0, _done)
                return False

            def there(self) -> bool:
                store = self.window.context.store
                return not example or (store is not None and len(store.rows) > 0)

        def restore(_settings: object, window: Any) -> None:
            window.resize(1600, 1000)
            window.watch = Watch(window)
            if example:
                window.context.store_changed.connect(lambda: look_at_chunks(window))
            else:
                window.pages.installEventFilter(window.watch)

        def look_at_chunks(window: Any) -> None:
            # the window has made its panes by now: it was told of the session before
            chunks = window.work.grid.pane("Chunks")
            chunks.view.viewport().installEventFilter(window.watch)

        setattr(window_state, "restore_window", restore)  # noqa: B010 - as above
        return await really_live(*args)

    setattr(app, "_live", live)  # noqa: B010 - the types differ
    if not example:
        cli.main([])
    from tripscope_resources import files

    cli.main(["open", "--run", str(files("examples", "support-agent.tripscope.json"))])


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        _bare()
    else:
        _own(sys.argv[1] == "example")
