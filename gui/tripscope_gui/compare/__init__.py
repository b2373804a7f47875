"""Compare: another arrangement of the window, two runs side by side."""
