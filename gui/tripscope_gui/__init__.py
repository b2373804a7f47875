"""The window of Tripscope. The engine never imports this package."""
