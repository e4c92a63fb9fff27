"""The rules of the games and the matches made of them.

Pure: no files, clocks, processes, network or globals. Imports nothing else of this project.
"""

ENGINE_VERSION = "1"
"""Raised by every change that could make an old log replay differently. Logs name it; replay insists on it."""
