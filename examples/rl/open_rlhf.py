"""What OpenRLHF posts to `--reward.remote_url http://HOST/get_reward`: a data set whose label is the token, queries with all marks of a chat."""
from touchstone_client import items, post

TASK, PRESET = "recoglab/comparison", "feasibility"


def rows(count):
    """Rows of the data set: `--input_key input --label_key label --apply_chat_template`."""
    return [{"input": item["messages"], "label": item["token"]} for item in items(TASK, PRESET, 0, count)]


def chat(messages):
    """As a template of a tokenizer writes it."""
    return "".join(f"<|im_start|>{one['role']}\n{one['content']}<|im_end|>\n" for one in messages) + "<|im_start|>assistant\n"


if __name__ == "__main__":
    [row] = rows(1)
    for answer in ["Answer: Yes", "Answer: No", "Answer: Unknown"]:
        prompt = chat(row["input"])
        judged = post("/get_reward", {"query": [f"<s>{prompt}{answer}<|im_end|>"], "prompts": [prompt], "labels": [row["label"]]})
        print(judged["rewards"][0], judged["scores"] == judged["rewards"], sorted(judged["extra_logs"]))
