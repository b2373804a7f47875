"""What the Chunks pane is made of, beside its table and its filter."""
