"""The reference implementation under node, so that both sides are measured in one run."""

import contextlib
import functools
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "node"
BUILD = Path(__file__).parents[2] / "build" / "node"
_MARK = ".installed"


@functools.cache
def reference() -> Path | None:
    """Return a folder in which node finds @mastra/core, installed once from the pinned lock.

    None, with the reason printed, where node, npm or the packages are not to be had; the rows
    then stand without a reference.
    """
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            print(f"no reference: {tool} is not installed")
            return None
    wanted = (HERE / "package-lock.json").read_text()
    mark = BUILD / _MARK
    if mark.is_file() and mark.read_text() == wanted:
        return BUILD
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / name, BUILD / name)
    # No install scripts: the library is plain JavaScript.
    done = subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=BUILD,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(f"no reference: npm ci failed: {done.stderr.strip()[-500:]}")
        return None
    mark.write_text(wanted)
    return BUILD


@contextlib.contextmanager
def talk(script: Path, first: str) -> Iterator[Callable[[str], str] | None]:
    """Run a module script of ours beside the reference and talk to it line by line.

    Args:
        script: As for `run`; it ends when its standard input does.
        first: A line that it gets first and does not answer.

    Yields:
        A function that sends a line and returns the line that the script prints in answer. None
        (reason printed) where there is no reference.
    """
    folder = reference()
    if folder is None:
        yield None
        return
    copy = folder / script.name
    shutil.copyfile(script, copy)
    command = ["node", "--no-warnings", str(copy)]
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        stdin, stdout = node.stdin, node.stdout
        stdin.write(first + "\n")

        def ask(line: str) -> str:
            stdin.write(line + "\n")
            stdin.flush()
            return stdout.readline()

        yield ask
        stdin.close()


def run(script: Path, *args: str, stdin: str = "", seconds: float = 600) -> Any:
    """Run a module script of ours beside the reference and return the JSON it prints last.

    Args:
        script: An `.mjs` file; it is copied beside node_modules, so that its imports resolve.
        *args: Handed to the script as they are.
        stdin: Text for its standard input.
        seconds: After this long `subprocess.TimeoutExpired` is raised.

    Returns:
        The value, or None (reason printed) where there is no reference. A script that fails
        raises `subprocess.CalledProcessError`, with its own words on standard error.
    """
    folder = reference()
    if folder is None:
        return None
    copy = folder / script.name
    shutil.copyfile(script, copy)
    done = subprocess.run(
        ["node", "--no-warnings", str(copy), *args],
        cwd=folder,
        input=stdin,
        stdout=subprocess.PIPE,
        text=True,
        timeout=seconds,
        check=True,
    )
    return json.loads(done.stdout.strip().splitlines()[-1])
