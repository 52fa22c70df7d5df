#!/usr/bin/env python3
"""series.py OUT.json REF.json SIZE=DIR:step,step,..  -> checkpoints of models of several sizes as half floats.

OUT.json holds, by size, the shape, the tensors' names and lengths in order, and by step the bytes read, the held-out loss and the
weights (little-endian float16, base64). REF.json holds torch's log-probabilities of one text with the weights so rounded."""
import base64, json, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch, train

TEXT = '\n' + '3126549873126459872\n' * 3

def checkpoint(path):
    ck = torch.load(path, map_location='cpu')
    halves = {k: v.half() for k, v in ck['sd'].items()}
    m = train.LM(**ck['cfg']); m.load_state_dict({k: v.float() for k, v in halves.items()}); m.eval()
    ids = torch.tensor([list(TEXT.encode())])
    with torch.no_grad(): logp = torch.log_softmax(m(ids), -1)[:, :-1].gather(2, ids[:, 1:].unsqueeze(2)).squeeze()
    raw = b''.join(v.contiguous().numpy().astype('<f2').tobytes() for v in halves.values())
    tensors = [[k, v.numel()] for k, v in halves.items()]
    kept = dict(bytes=ck['tok'], loss=round(ck['val'][0], 4), weights=base64.b64encode(raw).decode())
    return ck['cfg'], tensors, kept, [round(x, 5) for x in logp.tolist()]

out, ref, *sizes = sys.argv[1:]
series, references = {}, {}
for size in sizes:
    name, rest = size.split('='); folder, steps = rest.rsplit(':', 1); kept = {}
    for step in steps.split(','):
        cfg, tensors, kept[step], references[f'{name}@{step}'] = checkpoint(f'{folder}/step{step}.pt')
    shape = {k: cfg[k] for k in ('d', 'H', 'L', 'f', 'V')}
    series[name] = dict(shape=shape, parameters=sum(n for _, n in tensors), tensors=tensors, checkpoints=kept)
json.dump(series, open(out, 'w'), indent=1); json.dump(dict(text=TEXT, logp=references), open(ref, 'w'))
print({k: (v['parameters'], list(v['checkpoints'])) for k, v in series.items()}, os.path.getsize(out))
