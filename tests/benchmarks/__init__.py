"""That the measurements measure, compare and report; the figures themselves are `make bench`'s business."""
