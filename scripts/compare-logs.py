"""Compares published evaluation logs pairwise with independent statistics, and reports whether `touchstone compare` agrees.

    python3 scripts/compare-logs.py LOG LOG ... [--touchstone "npx touchstone"]

Reads logs of Inspect (.json, .eval with deflate), lm-evaluation-harness (samples_*.jsonl), promptfoo (results.json) and Every Eval
Ever (lines of instances) by their documented fields. Standard library only; it shares nothing with the package. Systems
are compared on the samples that both have, each sample by itself. Exit code 1: a figure differs.
"""

import argparse, itertools, json, math, pathlib, random, re, shlex, subprocess, sys, tempfile, zipfile

DRAWS = 200_000
WORDS = {"C": 1, "P": 0.5, "I": 0, "N": 0, True: 1, False: 0}


def number(value):
    if isinstance(value, (str, bool)):
        return WORDS.get(value) if value in WORDS else None
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def inspect(path):
    if path.suffix == ".eval":
        with zipfile.ZipFile(path) as archive:
            log = json.loads(archive.read("header.json"))
            log["samples"] = [json.loads(archive.read(n)) for n in archive.namelist() if n.startswith("samples/")]
    else:
        log = json.loads(path.read_text())
    names = [one["name"] for one in log["eval"].get("scorers") or []]
    names += [name for sample in log.get("samples") or [] for name in sample.get("scores") or {}]
    for sample in log.get("samples") or []:
        score = (sample.get("scores") or {}).get(names[0] if names else "")
        value = None if score is None or sample.get("error") else number(score["value"])
        yield log["eval"]["model"], "", json.dumps([sample["id"], sample["input"]]), value


def lm_eval(path):
    stamp = re.search(r"\d{4}-\d\d-\d\dT[\d.-]+(?=\.jsonl$)", path.name)
    about = [one for one in path.parent.glob("results*.json") if stamp and stamp[0] in one.name]
    model = json.loads(about[0].read_text()).get("model_name") if about else None
    seen = set()
    for line in path.read_text().splitlines():
        row = json.loads(line)
        if row["doc_id"] in seen:  # a line for each filter: the first counts
            continue
        seen.add(row["doc_id"])
        key = json.dumps([row["doc_id"], row.get("doc_hash") or row["doc"]], sort_keys=True)
        # Until November 2024 no list named the metrics.
        metrics = row.get("metrics") or [k for k, v in row.items() if k != "doc_id" and isinstance(v, (int, float))]
        yield model or path.parent.name.replace("__", "/"), "", key, number(row[metrics[0]])


def promptfoo(path):
    table = json.loads(path.read_text())["results"]
    for row in table["results"] if isinstance(table, dict) else table:
        provider, prompt = row["provider"], row["prompt"]
        model = provider if isinstance(provider, str) else provider.get("label") or provider["id"]
        failed = row.get("failureReason") == 2 or (row.get("response") or {}).get("output") is None
        key = json.dumps(row.get("vars") or row["testCase"].get("vars") or {}, sort_keys=True)
        yield model, prompt.get("label", "")[:60], key, None if failed else number(row.get("score", row.get("success")))


def every_eval_ever(path):
    for line in path.read_text().splitlines():
        row = json.loads(line)
        value = row["evaluation"].get("score")
        value = row["evaluation"].get("is_correct") if value is None else value
        key = json.dumps([str(row["sample_id"]), row.get("sample_hash") or row["input"]["raw"]])
        yield row["model_id"], "", key, number(value)


def program_of(path):
    if path.suffix == ".eval":
        return "inspect", inspect
    text = path.read_text()
    first = json.loads(text.split("\n", 1)[0] if path.suffix == ".jsonl" else text)
    for field, name, read in (
        ("eval", "inspect", inspect),
        ("doc_id", "lm-eval", lm_eval),
        ("evaluation_id", "every-eval-ever", every_eval_ever),
        ("results", "promptfoo", promptfoo),
    ):
        if field in first:
            return name, read
    sys.exit(f"{path}: expected a log of Inspect, lm-eval, promptfoo or Every Eval Ever")


def systems_of(path):
    """Mean score of each sample (over its epochs), by (model, prompt)."""
    systems = {}
    for model, prompt, key, value in program_of(path)[1](path):
        if value is not None:
            systems.setdefault((model, prompt), {}).setdefault(key, []).append(value)
    return {name: {key: sum(v) / len(v) for key, v in scores.items()} for name, scores in systems.items()}


def mid_p(only_a, only_b):
    """McNemar: twice the binomial tail, the observed count by half."""
    n, k = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return 1.0
    tail = sum(math.comb(n, i) for i in range(k + 1)) - math.comb(n, k) / 2
    return min(1.0, 2 * tail / 2**n)


def drawn_interval(only_a, only_b, items):
    """Share of differing samples ~ Beta(k + 1/2, n - k + 1/2), A's share of them ~ Beta(a + 1, b + 1); the difference by drawing."""
    draw, k = random.Random(1), only_a + only_b
    found = sorted(
        draw.betavariate(k + 0.5, items - k + 0.5) * (2 * draw.betavariate(only_a + 1, only_b + 1) - 1)
        for _ in range(DRAWS)
    )
    return found[round(DRAWS * 0.025)], found[round(DRAWS * 0.975)]


def t_limit(df):
    """97.5 % quantile of Student's t: the area of cos^(df - 1) over angles, by Simpson's rule, until it is 95 %."""

    def share(top, steps=2000):
        area = sum((1 if i in (0, steps) else 4 if i % 2 else 2) * math.cos(top * i / steps) ** (df - 1) for i in range(steps + 1))
        return 2 * area * top / (3 * steps) * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)

    low, high = 0, math.pi / 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < 0.95 else (low, middle)
    return math.tan(low) * math.sqrt(df)


def compared(a, b, measured):
    keys = sorted(a.keys() & b.keys())
    n = len(keys)
    gaps = [a[key] - b[key] for key in keys]
    found = {"items": n}
    if n == 0:
        return found
    found["accuracyA"] = sum(a[key] for key in keys) / n
    found["accuracyB"] = sum(b[key] for key in keys) / n
    found["difference"] = sum(gaps) / n
    if not measured:
        found["onlyA"], found["onlyB"] = gaps.count(1), gaps.count(-1)
        found["p"] = mid_p(found["onlyA"], found["onlyB"])
        found["low"], found["high"] = drawn_interval(found["onlyA"], found["onlyB"], n)
    elif n > 11:  # Student's t; few samples are compared otherwise
        error = math.sqrt(sum((gap - found["difference"]) ** 2 for gap in gaps) / (n - 1) / n)
        found["low"], found["high"] = (found["difference"] + sign * t_limit(n - 1) * error for sign in (-1, 1))
    return found


def touchstone(command, arguments):
    done = subprocess.run([*shlex.split(command), *arguments, "--json"], capture_output=True, text=True)
    if done.stdout.strip() == "":
        return done.stderr.strip().splitlines()[-1]
    return json.loads(done.stdout)


def disagreements(own, document):
    # Scores in between are compared by their means.
    overall = document["overall"] if "overall" in document else document["effects"][0]
    theirs = overall | overall["difference"] | {"difference": overall["difference"]["value"]}
    theirs |= {"accuracyA": overall.get("accuracyA", overall.get("meanA"))}
    theirs |= {"accuracyB": overall.get("accuracyB", overall.get("meanB")), "items": theirs["n"]}
    # Limits by drawing are known to their sampling error; the package's are by numerical integration on a grid.
    near = {"low": 0.005, "high": 0.005}
    return [
        f"{name} {theirs.get(name)}, here {value}"
        for name, value in own.items()
        if theirs.get(name) is None or abs(theirs[name] - value) > near.get(name, 1e-6)
    ]


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("logs", nargs="+", type=pathlib.Path)
    flags.add_argument("--touchstone", help="command of the package; its figures must equal ours")
    given = flags.parse_args()
    columns = [(path, name, scores) for path in given.logs for name, scores in systems_of(path).items()]
    pairs = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for (path_a, a, scores_a), (path_b, b, scores_b) in itertools.combinations(columns, 2):
            if path_a == path_b and a[0] != b[0] and a[1] != b[1]:
                continue  # of a run, models or prompts are compared, not both at once
            logs = [scores for path, _, scores in columns if path in (path_a, path_b)]
            measured = any(score not in (0, 1) for scores in logs for score in scores.values())
            own = compared(scores_a, scores_b, measured)
            if own["items"] == 0:
                continue
            pairs += 1
            line = {"a": [path_a.name, *a], "b": [path_b.name, *b], **own}
            if given.touchstone:
                arguments = [str(path_a), str(path_b)]
                if path_a == path_b:
                    run = pathlib.Path(folder, f"run-{given.logs.index(path_a)}")
                    if not run.exists():
                        touchstone(given.touchstone, ["import", program_of(path_a)[0], str(path_a), "--out", str(run)])
                    arguments = [str(run), *(["--metric", "score"] if measured else ["--unadjusted"])]
                    for flag, one, other in zip(("--model", "--style"), a, b):
                        arguments += [flag, one] + ([flag, other] if one != other else [])
                document = touchstone(given.touchstone, ["compare", *arguments])
                wrong = [document] if isinstance(document, str) else disagreements(own, document)
                differing += wrong != []
                line["touchstone"] = wrong or "equal"
            print(json.dumps(line), flush=True)
    print(f"{pairs} pairs" + (f", {differing} with a difference" if given.touchstone else ""), file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
