"""``tripscope shot FILE OUT.png``: run a session, or load a trace, and save a picture of it."""

from __future__ import annotations

import argparse
import re

from tripscope.cli import gui


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,6})x(\d{1,6})", text, re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(f"a size is WIDTHxHEIGHT, such as 1600x1000, not {text!r}")
    return int(match[1]), int(match[2])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    parser.add_argument("session", metavar="FILE", help="a session, which is run, or a trace")
    parser.add_argument("out", metavar="OUT.png", help="where the picture is saved")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument(
        "--size",
        type=_size,
        default=(1600, 1000),
        metavar="WxH",
        help="of the window in pixels, 960x600 to 7680x4320; 1600x1000 if not given",
    )
    parser.add_argument("--pane", metavar="NAME", help="bring this pane to the front")


def execute(options: argparse.Namespace) -> int:
    """Save the picture."""
    return gui.call_window(
        "shot",
        options.session,
        options.out,
        theme=options.theme,
        size=options.size,
        pane=options.pane,
    )
