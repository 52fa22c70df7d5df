"""As much of torch as examples/exec/transformers_model.py uses, on plain lists."""

import contextlib
import math
import os


class Tensor(list):
    def float(self):
        return self

    def to(self, _device):
        return self


class Row(Tensor):
    def __getitem__(self, at):
        return Row(self[i] for i in at) if isinstance(at, Tensor) else list.__getitem__(self, at)

    def exp(self):
        return Row(map(math.exp, self))

    def sum(self):
        return sum(self)


class cuda:
    @staticmethod
    def is_available():
        return False


@contextlib.contextmanager
def no_grad():
    yield


def tensor(value, device=None):
    return Tensor(value)


def log_softmax(rows, dim):
    out = []
    for row in rows:
        total = math.log(sum(math.exp(x) for x in row))
        # FAKE_LOSS: what a model says of every token, as one does whose numbers overflowed.
        out.append(Row(float(os.environ.get("FAKE_LOSS", x - total)) for x in row))
    return Tensor(out)
