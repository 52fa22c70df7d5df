"""A reward function for TRL: `GRPOTrainer(reward_funcs=touchstone_reward, ...)` with a data set that has a column `token`."""
from touchstone_client import score


def text_of(completion):
    """None where a completion is neither text nor messages of which the last is the assistant's."""
    if isinstance(completion, str):
        return completion
    last = completion[-1] if completion else {}
    text = last.get("content") if last.get("role", "assistant") == "assistant" else None
    return text if isinstance(text, str) else None


def scores_of(completions, token, **options):
    """One batched call; None where nothing was judged."""
    texts = [text_of(completion) for completion in completions]
    scored = iter(score([(t, text) for t, text in zip(token, texts) if text is not None], **options))
    return [None if text is None else next(scored) for text in texts]


def touchstone_reward(prompts, completions, token, **_):
    """The score of the answer; None, which TRL leaves out, where nothing was judged."""
    return [one and one["reward"] for one in scores_of(completions, token)]


def touchstone_step_reward(prompts, completions, token, **_):
    """A second reward function: that of the answer where every stated step is true and one gives it, else 0. Weigh it by `reward_weights`."""
    scores = scores_of(completions, token, trace=True)
    return [one["trace"]["reward"] if one and one["reward"] is not None and "trace" in one else None for one in scores]


def rows(items):
    """Rows of the data set."""
    return [{"prompt": item["messages"], "token": item["token"]} for item in items]
