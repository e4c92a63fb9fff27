"""The rules of the games and the matches made of them.

Pure: no files, clocks, processes, network or globals. Imports nothing else of this project.
"""
