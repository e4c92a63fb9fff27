"""Parlett's Spite & Malice (docs/rules/parlett.md). Imports only `engine` and, from `engine.spite`, stock and view."""
