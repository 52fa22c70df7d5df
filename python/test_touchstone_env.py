"""Tests with the parts of verifiers and datasets that their documentation describes.

TOUCHSTONE_COMMAND has to start a server, e.g. `touchstone serve`.
"""
import asyncio
import http.server
import inspect
import json
import os
import socket
import sys
import threading
import types
import unittest


class Rubric:
    """Rubric of verifiers: functions get what they name, a weighted sum is the reward, what they raise becomes 0."""

    def __init__(self, funcs=None, weights=None, parser=None):
        self.funcs, self.weights = funcs or [], weights or [1.0] * len(funcs or [])
        assert len(self.funcs) == len(self.weights)

    async def score_rollout(self, state):
        known = {name: state.get(name) for name in ("prompt", "completion", "answer", "info")}
        state["reward"], state["metrics"] = 0.0, {}
        for function, weight in zip(self.funcs, self.weights):
            wanted = inspect.signature(function).parameters
            try:
                score = float(await function(**{k: v for k, v in {**known, "state": state}.items() if k in wanted}))
            except Exception:
                score = 0.0
            state["reward"] += weight * score
            state["metrics"][function.__name__] = score


class SingleTurnEnv:
    def __init__(self, dataset=None, eval_dataset=None, system_prompt=None, rubric=None, **kwargs):
        self.dataset, self.eval_dataset, self.rubric, self.options = dataset, eval_dataset, rubric, kwargs


class InfraError(Exception):
    pass


class Dataset(list):
    @classmethod
    def from_list(cls, rows):
        return cls(rows)


sys.modules["verifiers"] = types.SimpleNamespace(Rubric=Rubric, SingleTurnEnv=SingleTurnEnv, InfraError=InfraError)
sys.modules["datasets"] = types.SimpleNamespace(Dataset=Dataset)

from touchstone_env import NotScored, items_of, load_environment, server_at, text_of  # noqa: E402


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


URL = f"http://127.0.0.1:{free_port()}"
ANSWERS = ["Answer: Yes", "Answer: No", "Answer: Unknown"]


def score(environment, row, completion, **more):
    state = {"prompt": row["prompt"], "info": row["info"], "completion": completion, **more}
    asyncio.run(environment.rubric.score_rollout(state))
    return state


class Environment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Nobody answers there: the server is started.
        cls.environment = load_environment("recoglab/comparison", "feasibility", count=6, eval_count=3, url=URL, max_workers=4)

    def test_rows_hold_a_token_and_no_answer(self):
        self.assertEqual([len(self.environment.dataset), len(self.environment.eval_dataset)], [6, 3])
        self.assertEqual(self.environment.options, {"max_workers": 4})
        rows = self.environment.dataset + self.environment.eval_dataset
        self.assertEqual(len({row["info"] for row in rows}), 9)
        for row in rows:
            self.assertEqual(set(row), {"prompt", "answer", "info"})
            self.assertEqual([row["answer"], list(json.loads(row["info"]))], ["", ["token"]])
            self.assertEqual(row["prompt"][-1]["role"], "user")

    def test_one_answer_of_three_is_right(self):
        for row in self.environment.dataset:
            states = [score(self.environment, row, [{"role": "assistant", "content": text}]) for text in ANSWERS]
            self.assertEqual(sorted(state["reward"] for state in states), [0, 0, 1])
            self.assertFalse(any("error" in state for state in states))

    def test_info_may_be_a_dictionary_and_the_completion_text_or_an_object(self):
        row = {**self.environment.dataset[0], "info": json.loads(self.environment.dataset[0]["info"])}
        for text in ANSWERS:
            as_text = score(self.environment, row, text)["reward"]
            message = types.SimpleNamespace(role="assistant", content=[{"type": "text", "text": text}])
            self.assertEqual(score(self.environment, row, [message])["reward"], as_text)

    def test_a_truncated_rollout_earns_nothing(self):
        row = self.environment.dataset[0]
        rewards = [score(self.environment, row, text, is_truncated=True)["reward"] for text in ANSWERS]
        self.assertEqual(rewards, [0, 0, 0])

    def test_trouble_is_an_error_and_no_wrong_answer(self):
        row = self.environment.dataset[0]
        for bad_row, completion in [
            ({**row, "info": json.dumps({"token": "forged"})}, "Answer: Yes"),
            (row, [{"role": "user", "content": "Answer: Yes"}]),
            (row, [{"role": "assistant", "content": None}]),
            (row, [{"role": "assistant", "content": 5}]),
            (row, []),
        ]:
            state = score(self.environment, bad_row, completion)
            self.assertIsInstance(state["error"], InfraError)
            self.assertEqual(state["metrics"]["unparsed"], 0)

    def test_the_steps_are_rewarded_by_their_weight(self):
        environment = load_environment("recoglab/comparison", "feasibility", count=1, eval_count=0, step_weight=0.25, url=URL)
        self.assertIsNone(environment.eval_dataset)
        states = [score(environment, environment.dataset[0], text) for text in ANSWERS]
        self.assertEqual(sorted(state["reward"] for state in states), [0, 0, 0.75])
        self.assertEqual([state["metrics"]["step_reward"] for state in states], [0, 0, 0])
        with self.assertRaises(ValueError):
            load_environment(step_weight=2)

    def test_a_finite_preset_ends(self):
        server = server_at(URL)
        rows = items_of(server, {"task": "relic/recognize", "preset": "relic-demo"}, 20, 0)
        self.assertEqual(len(rows), 20)

    def test_a_server_that_is_away_is_not_started_elsewhere(self):
        with self.assertRaises(NotScored):
            server_at("http://192.0.2.1:1")

    def test_a_command_that_fails_is_shown(self):
        before = os.environ.get("TOUCHSTONE_COMMAND")
        os.environ["TOUCHSTONE_COMMAND"] = f"{sys.executable} -c \"import sys; sys.exit('no such thing')\""
        try:
            with self.assertRaisesRegex(NotScored, "no such thing"):
                server_at(f"http://127.0.0.1:{free_port()}")
        finally:
            if before is None:
                del os.environ["TOUCHSTONE_COMMAND"]
            else:
                os.environ["TOUCHSTONE_COMMAND"] = before

    def test_a_busy_server_is_asked_again(self):
        statuses = [503, 200]

        class Busy(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(statuses.pop(0))
                self.end_headers()
                self.wfile.write(b'{"ok": true}')

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Busy) as busy:
            threading.Thread(target=busy.serve_forever, daemon=True).start()
            from touchstone_env import Server

            self.assertEqual(Server(f"http://127.0.0.1:{busy.server_port}").post("/x", {}), {"ok": True})
            busy.shutdown()

    def test_the_last_message_of_the_assistant_counts(self):
        self.assertEqual(text_of([{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}]), "a")
        self.assertEqual(text_of([{"role": "assistant", "content": None, "reasoning_content": "x"}]), "")


if __name__ == "__main__":
    unittest.main()
