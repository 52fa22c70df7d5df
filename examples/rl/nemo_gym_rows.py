"""A data set for NeMo-Gym, verifiers and prime-rl: JSON lines with tokens, whose resources server is `touchstone serve` itself.

TOUCHSTONE_URL=... python3 nemo_gym_rows.py TASK PRESET COUNT > train.jsonl
"""
import json
import sys

from touchstone_client import items


def main(task, preset, count):
    for index in range(0, count, 256):
        for item in items(task, preset, index, min(256, count - index)):
            row = {"responses_create_params": {"input": item["messages"]}, "token": item["token"], "task": task}
            print(json.dumps(row))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
