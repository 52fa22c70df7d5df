"""A training loop in the manner of GRPO, with a table instead of a network: it learns from rewards alone which answer to give.

TOUCHSTONE_URL=... python3 grpo_loop.py [ITEMS]
"""
import math
import random
import sys
import time

from touchstone_client import items, score

TASK, PRESET = "recoglab/comparison", "feasibility"
ANSWERS = ["Yes", "No", "Unknown", "Perhaps", "True", "Blue"]
GROUP, BATCH = 8, 128


def agree(judged):
    """One answer has one reward, and of answers that differ at most one is right."""
    pairs = set(judged)
    return len(pairs) == len({c for c, _ in pairs}) and sum(r == 1 for _, r in pairs) <= 1 and all(r in (0, 1) for _, r in pairs)


def main(total):
    policy, logits = random.Random(7), [0.0] * len(ANSWERS)
    start, drawn, scored, unjudged, disagreements, first = time.perf_counter(), 0, 0, 0, 0, None
    for index in range(0, total, BATCH):
        batch = items(TASK, PRESET, index, min(BATCH, total - index))
        drawn += len(batch)
        weights = [math.exp(value) for value in logits]
        choices = [policy.choices(range(len(ANSWERS)), weights, k=GROUP) for _ in batch]
        scores = score([(item["token"], "Answer: " + ANSWERS[c]) for item, group in zip(batch, choices) for c in group])
        scored += len(scores)
        mean_of_batch = []
        for g, group in enumerate(choices):
            rewards = [one["reward"] for one in scores[g * GROUP:(g + 1) * GROUP]]
            # Trouble is None, not 0: such a sample is left out, not learned from.
            judged = [(c, r) for c, r in zip(group, rewards) if r is not None]
            unjudged += len(group) - len(judged)
            disagreements += not agree(judged)
            if not judged:
                continue
            mean = sum(r for _, r in judged) / len(judged)
            deviation = math.sqrt(sum((r - mean) ** 2 for _, r in judged) / len(judged)) or 1.0
            for c, r in judged:
                logits[c] += 0.02 * (r - mean) / deviation
            mean_of_batch.append(mean)
        now = sum(mean_of_batch) / max(1, len(mean_of_batch))
        first = now if first is None else first
    seconds = time.perf_counter() - start
    print(f"{drawn} items, {scored} scores, {unjudged} not judged, {disagreements} disagreements; mean reward {first:.2f} -> {now:.2f}")
    print(f"{drawn / seconds:.0f} items/s and {scored / seconds:.0f} scores/s over the whole loop", file=sys.stderr)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 512)
