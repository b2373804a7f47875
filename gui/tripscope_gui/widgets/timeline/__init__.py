"""The timeline: spans with levels of detail, scale, painting of lanes and head, the canvas."""
