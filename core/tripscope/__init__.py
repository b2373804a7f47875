"""The engine of Tripscope: runs LLM processor chains and records what each processor did."""

__version__ = "0.1.0"

__all__ = ["__version__"]
