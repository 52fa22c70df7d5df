"""A training loop in the manner of GRPO with rewards for steps: of three ways to answer it learns the one that reasons.

TOUCHSTONE_URL=... python3 grpo_steps.py [ITEMS]

The policy is a table of three strategies instead of a network: guess; guess and invent a reason; follow the statements. The
reward is 3/4 for the answer and 1/4 for steps of which all are true and one gives the answer.
"""
import collections
import math
import random
import re
import sys

from touchstone_client import items, post

TASK, PRESET = "recoglab/comparison", "feasibility"
ANSWERS = ["Yes", "No", "Unknown"]
GROUP, BATCH, STEP_WEIGHT, RATE = 8, 32, 0.25, 0.1
STATEMENT = re.compile(r"^(\w+) is (\w+) than (\w+)\.$", re.M)
QUESTION = re.compile(r"^Is (\w+) (\w+) than (\w+)\?", re.M)


def guess(question, rng):
    return f"Answer: {rng.choice(ANSWERS)}"


def invent(question, rng):
    first, word, second = QUESTION.search(question).groups()
    return f"So {first} is {word} than {second}.\nAnswer: {rng.choice(ANSWERS)}"


def follow(question, rng):
    """The shortest chain of statements from one to the other; a statement in the other word is turned round."""
    first, word, second = QUESTION.search(question).groups()
    above = collections.defaultdict(list)
    for a, other, b in STATEMENT.findall(question):
        above[a if other == word else b].append(b if other == word else a)
    for start, end, answer in ((first, second, "Yes"), (second, first, "No")):
        chains, seen = collections.deque([[start]]), {start}
        while chains:
            chain = chains.popleft()
            if chain[-1] == end:
                steps = [f"{a} is {word} than {b}." for a, b in zip(chain, chain[1:])]
                return "\n".join([*steps, f"So {start} is {word} than {end}.", f"Answer: {answer}"])
            for following in above[chain[-1]]:
                if following not in seen:
                    seen.add(following)
                    chains.append([*chain, following])
    return "Answer: Unknown"


STRATEGIES = [guess, invent, follow]


def reward_of(score):
    """None where the response was not scored: such a sample is left out, not learned from."""
    if score["reward"] is None:
        return None
    return (1 - STEP_WEIGHT) * score["reward"] + STEP_WEIGHT * score["trace"]["reward"]


def main(total):
    rng, logits = random.Random(7), [0.0] * len(STRATEGIES)
    means = []
    for index in range(0, total, BATCH):
        batch = items(TASK, PRESET, index, min(BATCH, total - index))
        weights = [math.exp(value) for value in logits]
        groups = [rng.choices(range(len(STRATEGIES)), weights, k=GROUP) for _ in batch]
        sent = [
            {"token": item["token"], "text": STRATEGIES[choice](item["messages"][-1]["content"], rng)}
            for item, group in zip(batch, groups)
            for choice in group
        ]
        rewards = [reward_of(score) for score in post("/v1/score", {"items": sent, "trace": True})["scores"]]
        gradient = [0.0] * len(STRATEGIES)
        for g, group in enumerate(groups):
            scored = [(c, r) for c, r in zip(group, rewards[g * GROUP:(g + 1) * GROUP]) if r is not None]
            mean = sum(r for _, r in scored) / max(1, len(scored))
            deviation = math.sqrt(sum((r - mean) ** 2 for _, r in scored) / max(1, len(scored)))
            for choice, reward in scored:
                gradient[choice] += (reward - mean) / (deviation + 1e-6) / len(scored)
        logits = [value + RATE * change for value, change in zip(logits, gradient)]
        known = [reward for reward in rewards if reward is not None]
        means.append(sum(known) / max(1, len(known)))
    shares = [math.exp(value) / sum(map(math.exp, logits)) for value in logits]
    print(f"mean reward {means[0]:.2f} -> {means[-1]:.2f}; " + ", ".join(f"{s.__name__} {p:.2f}" for s, p in zip(STRATEGIES, shares)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 512)
