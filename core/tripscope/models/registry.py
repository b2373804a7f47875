"""Which provider serves ``provider/model``.

A module of this package that has ``PROVIDERS: dict[str, Factory]`` is a provider: one new file adds
one. It must be cheap to import, so it loads its HTTP library when a model is made.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Protocol

from tripscope.errors import TripscopeError
from tripscope.models.base import Model


class Factory(Protocol):
    """Makes the model ``model_id`` of a provider; None: the provider's own default applies."""

    def __call__(self, model_id: str, *, base_url: str | None, api_key: str | None) -> Model:
        """Nothing is connected yet: a wrong address or key shows at the first call."""
        ...


class UnknownModel(TripscopeError, ValueError):
    """A model id that names no known provider, or is not ``provider/model``."""


@cache
def providers() -> dict[str, Factory]:
    """Every known provider's factory by its name, sorted by name."""
    package = importlib.import_module("tripscope.models")
    found: dict[str, Factory] = {}
    for module_info in pkgutil.iter_modules(package.__path__, "tripscope.models."):
        module = importlib.import_module(module_info.name)
        found.update(getattr(module, "PROVIDERS", {}))
    return dict(sorted(found.items()))


def resolve(id: str, *, base_url: str | None = None, api_key: str | None = None) -> Model:
    """The model that ``provider/model`` names; the model part may hold more slashes.

    Raises:
        UnknownModel: no such provider, or no model named.
    """
    provider, _, model_id = id.partition("/")
    known = ", ".join(providers())
    if not provider or not model_id:
        raise UnknownModel(f"a model is named provider/model, not {id!r}; known providers: {known}")
    factory = providers().get(provider)
    if factory is None:
        raise UnknownModel(f"unknown provider {provider!r} in {id!r}; known providers: {known}")
    return factory(model_id, base_url=base_url, api_key=api_key)
