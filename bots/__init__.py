"""House bots and starters: ordinary single-file programs that speak the bot protocol on stdin and stdout.

Each file must run alone under `python3 -s -S -B`; none imports anything of this project.
"""
