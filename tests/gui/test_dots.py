"""Screens of more dots than logical pixels: everything is drawn for them, not stretched."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.support.window import write_session


@pytest.mark.parametrize("factor", ["1", "1.5", "2"])
def test_the_window_has_the_dots_of_its_screen(tmp_path: Path, factor: str) -> None:
    picture = tmp_path / "window.png"
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from tripscope.cli import main; sys.exit(main())",
         "shot", str(write_session(tmp_path)), str(picture), "--size", "1000x700"],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": factor,
                          "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    image = QImage(str(picture))
    dots = (image.width(), image.height())
    assert dots == (1000 * float(factor), 700 * float(factor))
    # stretched pixels come in equal pairs
    pairs = range(0, image.width() - 1, 2)
    equal = sum(
        image.pixel(x, y) == image.pixel(x + 1, y)
        for y in range(0, image.height(), 7)
        for x in pairs
    )
    assert equal < len(pairs) * len(range(0, image.height(), 7))
