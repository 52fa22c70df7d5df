"""A model of Hugging Face Transformers behind `exec:`, on the protocol of JSON lines.

    touchstone run proficiency/discriminate --preset g1 --out runs/pythia \
      --model "exec:python3 examples/exec/transformers_model.py EleutherAI/pythia-70m --revision step1000"

Scored requests ({context, text}) are answered with the log-probability of each token of the text, in nats, and the
probability of all tokens of the prompt there. Items come in the order of
their contexts, and what was read of a context is kept: each context is read once, however many texts follow it. Requests with messages
are answered by greedy generation. Weights are computed with in single precision, whatever they are stored in: half of it would move
losses by more than many a comparison is about.
"""

import argparse
import copy
import json
import math
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


class Model:
    def __init__(self, name, revision, device, one_each=False):
        self.one_each = one_each
        self.tokenizer = AutoTokenizer.from_pretrained(name, revision=revision)
        self.model = AutoModelForCausalLM.from_pretrained(name, revision=revision).to(device).float().eval()
        self.most = getattr(self.model.config, "max_position_embeddings", None)
        self.device = device
        self.context = None
        self.prefix = []
        self.past = None
        self.last = None

    def forward(self, ids, past):
        """Reads tokens behind those of `past`. Returns the log-probabilities of what follows each, and what was read so far."""
        with torch.no_grad():
            out = self.model(input_ids=torch.tensor([ids], device=self.device), past_key_values=past, use_cache=True)
        return torch.log_softmax(out.logits[0].float(), dim=-1), out.past_key_values

    def fit(self, ids):
        if self.most is not None and len(ids) > self.most:
            raise ValueError(f"{len(ids)} tokens, and this model reads {self.most} at most")

    def read(self, context):
        if self.context == context:
            return
        self.context, self.past = None, None
        self.prefix = self.encode(context)
        if not self.prefix:
            start = self.tokenizer.bos_token_id
            if start is None:
                raise ValueError("the context has no tokens, and this tokenizer no beginning-of-text token")
            self.prefix = [start]
        self.fit(self.prefix)
        rows, self.past = self.forward(self.prefix, None)
        self.last, self.context = rows[-1], context

    def score(self, context, text):
        self.read(context)
        ids = self.encode(context + text)
        if context == "" and ids[: len(self.prefix)] != self.prefix:
            ids = self.prefix + ids
        if ids[: len(self.prefix)] != self.prefix or len(ids) == len(self.prefix):
            raise ValueError("a token straddles the start of the text: put a separator there")
        self.fit(ids)
        own = ids[len(self.prefix) :]
        rows = [self.last]
        if len(own) > 1:
            # On a copy, for the next text begins where this one does, and not every cache can be cut back.
            rows += list(self.forward(own[:-1], copy.deepcopy(self.past))[0])
        pieces, before = list(text) if self.one_each else [], self.spell(self.prefix)
        for i in range(0 if self.one_each else len(own)):
            spelled = self.spell(ids[: len(self.prefix) + i + 1])
            pieces.append(spelled[len(before) :])
            before = spelled
        if "".join(pieces) != text:
            raise ValueError("the tokens do not spell the text: this tokenizer changes it")
        losses = [float(row[token]) for row, token in zip(rows, own)]
        # JSON has no words for these, and min() takes NaN for 0: a checkpoint of half precision that overflows.
        if not all(map(math.isfinite, losses)):
            raise ValueError("the model gives probabilities that are no numbers: load it in a wider type")
        # How likely any of the tokens of the prompt is: the rest goes to tokens that the language has not.
        alphabet = torch.tensor(sorted(set(ids)), device=self.device)
        masses = [min(1.0, float(row[alphabet].exp().sum())) for row in rows]
        return [
            {"text": piece, "logprob": min(0.0, loss), "mass": mass} for piece, loss, mass in zip(pieces, losses, masses)
        ]

    def encode(self, text):
        if not self.one_each:
            return list(self.tokenizer(text).input_ids)
        start = self.tokenizer.bos_token_id
        start = self.tokenizer.eos_token_id if start is None else start
        return [start] + [self.tokenizer(one, add_special_tokens=False).input_ids[-1] for one in text]

    def spell(self, ids):
        """The text of tokens; a letter of which bytes are still to come belongs to the token that brings the last of them."""
        return self.tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False).rstrip("\ufffd")

    def chat(self, messages, settings):
        self.context, self.past = None, None
        asked = self.tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(self.device)
        ids = asked["input_ids"]
        most = settings.get("maxTokens", 1024)
        with torch.no_grad():
            out = self.model.generate(**asked, max_new_tokens=most, do_sample=False)[0][ids.shape[1] :]
        usage = {"inputTokens": int(ids.shape[1]), "outputTokens": len(out)}
        finish = "truncated" if len(out) >= most else "stop"
        return {"text": self.tokenizer.decode(out, skip_special_tokens=True), "finish": finish, "usage": usage}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--revision", default=None, help="branch, tag or commit: a checkpoint of a series")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--one-each", action="store_true", help="give the model one token for each character, even where its tokenizer would merge several")
    given = parser.parse_args()
    model = Model(given.model, given.revision, given.device, given.one_each)
    for line in sys.stdin:
        call = json.loads(line)
        try:
            if "messages" in call:
                reply = model.chat(call["messages"], call["settings"])
            else:
                reply = {"logprobs": model.score(call["context"], call["text"])}
        except ValueError as error:
            reply = {"error": str(error)}
        except Exception as error:  # One call that breaks must not take along those after it.
            model.context, model.past = None, None
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": call["id"], **reply}), flush=True)


main()
