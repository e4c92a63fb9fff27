"""The Spite & Malice family (docs/rules/common.md). Imports only the rest of `engine`."""
