"""Small controls that every pane is built from; each takes the theme it draws with."""
