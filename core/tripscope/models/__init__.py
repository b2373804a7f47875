"""Models: what answers a provider call. `resolve` makes one from ``provider/model``."""

from tripscope.models.registry import UnknownModel, resolve

__all__ = ["UnknownModel", "resolve"]
