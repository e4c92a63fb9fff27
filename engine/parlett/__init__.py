"""Parlett's Spite & Malice (docs/rules/parlett.md). Imports `engine`, and of `engine.spite` cards, stock and view."""
