"""What the window knows of a run, worked out from its events; free of Qt.

`tripscope_gui.run_store.RunStore` eats events in order, live ones and loaded ones alike, and keeps
the indexes that are defined here. Each event costs a constant time; what a pane shows of a row is
worked out when it is painted.
"""
