import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    if request["type"] == "act":
        plays = [move for move in request["legal"] if ">c" in move]
        print(json.dumps({"act": (plays or request["legal"])[0]}), flush=True)
