"""Measurements: `make bench` prints them as one table, each beside a floor measured in the same run.

One file per area; each has `measure(repeats)`, which yields its figures. Nothing here is imported by the product.
"""
