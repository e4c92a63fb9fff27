"""Keeps the processes of one machine running: starts them, watches them, restarts what dies or freezes, stops them.

Lean on purpose: the supervisor lives as long as everything else, so it imports no database and no web framework.
"""
