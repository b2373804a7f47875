"""``--vectors DIR``: run the golden vectors of another folder than the copies in this one."""

from __future__ import annotations

import pytest

from tests.conformance import vectors


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        metavar="DIR",
        default=str(vectors.COPIES),
        help="folder with regex-filter/ and lifecycle/ (default: the copies in tests/conformance)",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for fixture, folder in (("scenario", "lifecycle"), ("filter_case", "regex-filter")):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, vectors.load(metafunc.config, folder))
