"""The engine: rules, matches, fixtures, logs."""
