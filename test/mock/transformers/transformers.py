"""As much of Transformers as examples/exec/transformers_model.py uses: a byte-level model whose every word hangs on all before it."""

import os
import sys

from torch import Tensor

START = 256


class Cache:
    def __init__(self):
        self.seen = []


class Output:
    def __init__(self, logits, past):
        self.logits = [Tensor(logits)]
        self.past_key_values = past


class Config:
    max_position_embeddings = 64


class AutoModelForCausalLM:
    config = Config()

    @classmethod
    def from_pretrained(cls, name, revision=None):
        print(f"loaded {name} {revision}", file=sys.stderr)
        return cls()

    def to(self, _device):
        return self

    def float(self):
        return self

    def eval(self):
        return self

    def __call__(self, input_ids, past_key_values, use_cache):
        past = past_key_values or Cache()
        [ids] = input_ids
        if 0 in ids:
            raise RuntimeError("out of memory")
        with open(os.environ["FAKE_READ"], "a") as file:
            file.write(f"{len(ids)}\n")
        logits = []
        for token in ids:
            past.seen.append(token)
            mark = 7
            for seen in past.seen:
                mark = (mark * 31 + seen) % 10007
            logits.append([((mark + 13 * k) % 97) / 20 for k in range(257)])
        return Output(logits, past)


class Encoded:
    def __init__(self, ids):
        self.input_ids = ids


class AutoTokenizer:
    bos_token_id = START

    @classmethod
    def from_pretrained(cls, name, revision=None):
        return cls()

    def __call__(self, text, add_special_tokens=True):
        # "ab" is one token, as pairs are with real tokenizers, and any letter beyond ASCII is several.
        ids, given = [START] if add_special_tokens else [], text.encode()
        while given:
            pair = given.startswith(b"ab")
            ids.append(1 if pair else given[0])
            given = given[2 if pair else 1 :]
        return Encoded(ids)

    def decode(self, ids, skip_special_tokens, clean_up_tokenization_spaces):
        return b"".join(b"" if i == START else b"ab" if i == 1 else bytes([i]) for i in ids).decode(errors="replace")
