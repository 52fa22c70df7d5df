"""An episode of OpenEnv over HTTP; clients with a WebSocket speak to /ws in the same words without the token."""
from touchstone_client import post

TASK, PRESET = "recoglab/comparison", "feasibility"

question = post("/reset", {"task": TASK, "preset": PRESET, "index": 5})["observation"]
print(question["question"][:60].replace("\n", " "))
for answer in ["Answer: Yes", "Answer: No", "Answer: Unknown"]:
    end = post("/step", {"action": {"answer": answer, "token": question["token"]}})
    print(end["done"], end["reward"], end["observation"]["status"])
