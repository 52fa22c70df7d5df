"""Items and rewards of `touchstone serve`, with nothing but the standard library."""
import json
import os
import urllib.request

URL = os.environ.get("TOUCHSTONE_URL", "http://127.0.0.1:8000")


def post(path, body, headers=None):
    headers = {"content-type": "application/json", **(headers or {})}
    if "TOUCHSTONE_KEY" in os.environ:
        headers["authorization"] = "Bearer " + os.environ["TOUCHSTONE_KEY"]
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def items(task, preset, index, count, seed="1"):
    """Items of the train split from `index` on; indices that hold none are left out."""
    body = {"task": task, "preset": preset, "seed": seed, "index": index, "count": count}
    return [item for item in post("/v1/items", body)["items"] if "token" in item]


def score(answers, parser="strict", trace=False):
    """One score for each of (token, text), in their order; `reward` is None where nothing was judged. With `trace` also the steps."""
    body = {"items": [{"token": token, "text": text} for token, text in answers], "parser": parser, "trace": trace}
    return post("/v1/score", body)["scores"]
