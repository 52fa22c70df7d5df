"""A reward function for verl: `custom_reward_function.path=verl_reward.py`, `custom_reward_function.name=compute_score`.

Rows carry the token of an item as `reward_model.ground_truth`; the answer is not in them.
"""
from touchstone_client import score


class NotJudged(RuntimeError):
    """The machinery failed, not the model: no reward is a wrong answer."""


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    trace = bool((extra_info or {}).get("trace"))
    [one] = score([(ground_truth, solution_str)], trace=trace)
    if one["reward"] is None:
        raise NotJudged(f"{data_source}: {one['error']}")
    steps = one.get("trace")
    more = {"step_reward": steps["reward"], "true_share": steps["trueShare"] or 0.0} if steps else {}
    return {"score": one["reward"], "unparsed": one["status"] == "unparsed", **more, **one["subscores"]}


def row(item, data_source, index, trace=False):
    """A row of the Parquet file that verl trains on; with `trace` the steps of responses are checked too."""
    return {
        "data_source": data_source,
        "prompt": item["messages"],
        "ability": "reasoning",
        "reward_model": {"style": "rule", "ground_truth": item["token"]},
        "extra_info": {"index": index, "split": "train", "trace": trace},
    }
