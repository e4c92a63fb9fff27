"""House bots and starters: ordinary programs that speak the bot protocol on stdin and stdout.

Every program runs under `python3 -s -S -B` with nothing but the standard library and the modules that `house.toml`
packs beside it; none imports anything else of this project. `house.py` is no program: it reads that list.
"""
