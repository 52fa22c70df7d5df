"""A rollout of Open Reward Standard: a session, its prompt, one call of its tool, whose result comes as server-sent events."""
import json
import urllib.request

from touchstone_client import URL, post

ENV = "recoglab-comparison.feasibility"


def events(path, body, session=None):
    headers = {"content-type": "application/json", **({"x-session-id": session} if session else {})}
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        blocks = answer.read().decode().strip("\n").split("\n\n")
    return [(lines[0][7:], lines[1][6:]) for lines in (block.split("\n") for block in blocks)]


task = post(f"/{ENV}/task", {"split": "train", "index": 3})["task"]
session = dict(events("/create_session", {}))["task_id"]
post("/create", {"env_name": ENV, "task_spec": task}, {"x-session-id": session})
asked = urllib.request.Request(f"{URL}/{ENV}/prompt", headers={"x-session-id": session})
print(json.load(urllib.request.urlopen(asked))[0]["text"][:60].replace("\n", " "))
pieces = events(f"/{ENV}/call", {"name": "answer", "input": {"answer": "Answer: Yes"}}, session)
result = json.loads("".join(data for event, data in pieces if event in ("chunk", "end")))
print(result["output"]["reward"], result["output"]["finished"])
post("/delete", {}, {"x-session-id": session})
