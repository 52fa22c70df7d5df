"""A reward function for TRL: `GRPOTrainer(reward_funcs=touchstone_reward, ...)` with a data set that has a column `token`."""
from touchstone_client import score


def text_of(completion):
    return completion if isinstance(completion, str) else completion[-1]["content"]


def touchstone_reward(prompts, completions, token, **_):
    """One batched call; None, which TRL leaves out, where nothing was judged."""
    return [one["reward"] for one in score([(t, text_of(c)) for t, c in zip(token, completions)])]


def rows(items):
    """Rows of the data set."""
    return [{"prompt": item["messages"], "token": item["token"]} for item in items]
