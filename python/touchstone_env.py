"""Touchstone's items and verified rewards as an environment of verifiers (Prime Intellect).

    prime eval run touchstone-env -a '{"task": "recoglab/comparison", "preset": "feasibility"}'

Items and scores come from `touchstone serve`. Where no server answers on this machine, one is started by npx and ends with
this process. Needs nothing but the standard library, verifiers, and Node 24 to start a server.
"""
import asyncio
import atexit
import json
import os
import secrets
import shlex
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

DEFAULT_URL = "http://127.0.0.1:8000"
# What starts a server; the port is added. Set TOUCHSTONE_COMMAND for an installation of your own.
DEFAULT_COMMAND = "npx --yes @touchstone-eval/touchstone serve"
# Seconds: npx may have to download the package first.
START_LIMIT = 300
REQUEST_LIMIT = 120
# Items per request, and times that a request is sent where the server is busy or away.
BATCH = 256
ATTEMPTS = 5


class NotScored(RuntimeError):
    """The machinery failed, not the model."""


class Server:
    """Client of a server; `post` may be called from any thread."""

    def __init__(self, url):
        self.url = url.rstrip("/")

    def answers(self):
        try:
            with urllib.request.urlopen(self.url + "/health", timeout=5) as answer:
                return json.load(answer).get("status") == "healthy"
        except (OSError, ValueError):
            return False

    def post(self, path, body):
        headers = {"content-type": "application/json"}
        if os.environ.get("TOUCHSTONE_KEY"):
            headers["authorization"] = "Bearer " + os.environ["TOUCHSTONE_KEY"]
        data = json.dumps(body).encode()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                request = urllib.request.Request(self.url + path, data, headers)
                with urllib.request.urlopen(request, timeout=REQUEST_LIMIT) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                text = error.read().decode(errors="replace")[:500]
                if error.code != 503 or attempt == ATTEMPTS:
                    raise NotScored(f"{path}: HTTP {error.code} {text}") from error
            except (OSError, ValueError) as error:
                if attempt == ATTEMPTS:
                    raise NotScored(f"{path}: {error}") from error
            time.sleep(2 ** (attempt - 1))
        raise NotScored(path)


def server_at(url):
    """The server of an address; started if the address is of this machine and nobody answers there."""
    server = Server(url)
    if server.answers():
        return server
    parts = urlsplit(url)
    if parts.hostname not in ("127.0.0.1", "localhost"):
        raise NotScored(f"no server answers at {url}: start one with touchstone serve")
    command = [*shlex.split(os.environ.get("TOUCHSTONE_COMMAND", DEFAULT_COMMAND)), "--port", str(parts.port or 80)]
    environment = {"TOUCHSTONE_SECRET": secrets.token_hex(32), **os.environ}
    log = tempfile.TemporaryFile()
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True)
    except OSError as error:
        raise NotScored(f"{command[0]} could not be started: {error}. Install Node 24, or set TOUCHSTONE_COMMAND") from error
    atexit.register(stop, child)
    end = time.monotonic() + START_LIMIT
    while time.monotonic() < end:
        # Another process may have started a server at the same time: then this one ends, and that one answers.
        if server.answers():
            return server
        if child.poll() is not None:
            time.sleep(1)
            if server.answers():
                return server
            break
        time.sleep(0.2)
    stop(child)
    log.seek(0)
    raise NotScored(f"{shlex.join(command)} did not start: {log.read().decode(errors='replace')[-1000:]}")


def stop(child):
    """Ends a server and what started it: npx does not pass signals on."""
    try:
        os.killpg(child.pid, signal.SIGTERM) if hasattr(os, "killpg") else child.terminate()
    except ProcessLookupError:
        pass


def items_of(server, selection, count, first):
    """`count` items from an index on; indices that hold none are skipped."""
    rows = []
    while len(rows) < count:
        asked = min(BATCH, count - len(rows))
        items = server.post("/v1/items", {**selection, "index": first, "count": asked})["items"]
        first += asked
        for item in items:
            if "error" in item:
                raise NotScored(f"index {item['index']}: {item['error']}")
            if "messages" in item:
                rows.append({"prompt": item["messages"], "answer": "", "info": json.dumps({"token": item["token"]})})
            elif "empty" not in item:
                raise NotScored("this task scores log-probabilities and has no chat prompts")
        if not any("messages" in item for item in items):
            break
    return rows


def text_of(completion):
    """The text of the last message of the assistant. Any other shape is an error, not an empty answer."""
    if isinstance(completion, str):
        return completion
    messages = [one for one in completion or [] if field(one, "role") == "assistant"]
    if not messages:
        raise NotScored("the completion has no message of the assistant")
    content = field(messages[-1], "content")
    if isinstance(content, str):
        return content
    # A message that only calls tools or only reasons has no content: the model gave no answer.
    if content is None and (field(messages[-1], "tool_calls") or field(messages[-1], "reasoning_content")):
        return ""
    if isinstance(content, list) and content and all(isinstance(field(part, "text"), str) for part in content):
        return "".join(field(part, "text") for part in content)
    raise NotScored(f"expected text as content of the assistant, got {type(content).__name__}")


def field(message, name):
    return message.get(name) if isinstance(message, dict) else getattr(message, name, None)


def load_environment(
    task="relic/recognize",
    preset=None,
    config=None,
    split=None,
    seed="1",
    style=None,
    count=1000,
    first=0,
    eval_count=100,
    step_weight=0.0,
    parser="strict",
    url=None,
    **options,
):
    """A SingleTurnEnv of verifiers over items of a task.

    count, first: items for training and the index of the first; eval_count: items after them for evaluation.
    step_weight: weight of the step reward (that of the answer where every stated step is true and one gives it, else 0); the answer has the rest.
    A rollout that could not be scored has an error in its state: its reward of 0 is not the model's.
    """
    import verifiers as vf
    from datasets import Dataset

    if not 0 <= step_weight <= 1:
        raise ValueError(f"step_weight is a share from 0 to 1, got {step_weight}")
    server = server_at(url or os.environ.get("TOUCHSTONE_URL", DEFAULT_URL))
    chosen = {"task": task, "preset": preset, "config": config, "split": split, "seed": seed, "style": style}
    selection = {name: value for name, value in chosen.items() if value is not None}
    train = items_of(server, selection, count, first)
    evaluation = items_of(server, selection, eval_count, first + count) if eval_count > 0 else []
    if not train:
        raise ValueError(f"{task} has no items from index {first} on")

    async def answer_reward(completion, info, state) -> float:
        """Score of the answer."""
        state["touchstone"] = None
        try:
            token = (json.loads(info) if isinstance(info, str) else info)["token"]
            finish = "truncated" if state.get("is_truncated") else "unknown"
            item = {"token": token, "text": text_of(completion), "finish": finish}
            body = {"items": [item], "parser": parser, "trace": True}
            [scored] = (await asyncio.to_thread(server.post, "/v1/score", body))["scores"]
            if scored["reward"] is None:
                raise NotScored(str(scored["error"]))
        except NotScored as error:
            # A rubric turns what is raised here into a reward of 0; the error in the state keeps it from being learned.
            state["error"] = vf.InfraError(f"touchstone: {error}")
            return 0.0
        state["touchstone"] = scored
        return float(scored["reward"])

    def trace_of(state):
        return ((state.get("touchstone") or {}).get("trace")) or {}

    async def step_reward(state) -> float:
        """The reward of the answer where every stated step is true and one of them gives it, else 0."""
        return float(trace_of(state).get("reward", 0))

    async def true_share(state) -> float:
        """Share of the stated steps that are true."""
        return float(trace_of(state).get("trueShare") or 0)

    async def unparsed(state) -> float:
        return float((state.get("touchstone") or {}).get("status") == "unparsed")

    rubric = vf.Rubric(
        funcs=[answer_reward, step_reward, true_share, unparsed], weights=[1 - step_weight, step_weight, 0.0, 0.0]
    )
    datasets = {"dataset": Dataset.from_list(train)}
    if evaluation:
        datasets["eval_dataset"] = Dataset.from_list(evaluation)
    return vf.SingleTurnEnv(rubric=rubric, **datasets, **options)
