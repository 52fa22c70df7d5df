"""A reward function for verl: `custom_reward_function.path=verl_reward.py`, `custom_reward_function.name=compute_score`.

Rows carry the token of an item as `reward_model.ground_truth`; the answer is not in them.
"""
from touchstone_client import score


class NotJudged(RuntimeError):
    """The machinery failed, not the model: no reward is a wrong answer."""


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    [one] = score([(ground_truth, solution_str)])
    if one["reward"] is None:
        raise NotJudged(f"{data_source}: {one['error']}")
    return {"score": one["reward"], "unparsed": one["status"] == "unparsed", **one["subscores"]}


def row(item, data_source, index):
    """A row of the Parquet file that verl trains on."""
    return {
        "data_source": data_source,
        "prompt": item["messages"],
        "ability": "reasoning",
        "reward_model": {"style": "rule", "ground_truth": item["token"]},
        "extra_info": {"index": index, "split": "train"},
    }
