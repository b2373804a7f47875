"""The timeline: spans and what shows of them, scale, painting of lanes and head, the canvas."""
