import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../../src/extras/protocols/listen.ts'
import { openLab } from '../../../src/lab/index.ts'

const folder = join(import.meta.dirname, '../../../examples/rl')
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('python3 is not there: examples/rl is not run')

describe.skipIf(!hasPython)('examples/rl, by the python3 of this machine', () => {
  let server: Listening
  beforeAll(async () => {
    const lab = await openLab()
    server = await lab.serve({ port: 0, secret: 'a secret of the tests, long enough', threads: 1 })
  })
  afterAll(() => server.close())

  /** Runs Python beside the examples; what it prints. */
  const python = (args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, TOUCHSTONE_URL: server.url, PYTHONDONTWRITEBYTECODE: '1' }
      const child = spawn('python3', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      let out = ''
      let err = ''
      child.stdout.on('data', (data: Buffer) => {
        out += data.toString()
      })
      child.stderr.on('data', (data: Buffer) => {
        err += data.toString()
      })
      child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`python3 ended with ${code}: ${err}`))))
    })

  it('learns from rewards which answers are worth giving', async () => {
    const said = await python(['grpo_loop.py', '512'])
    const [, first, last] =
      /^512 items, 4096 scores, 0 not judged, 0 disagreements; mean reward ([\d.]+) -> ([\d.]+)$/mu.exec(said) ?? []
    expect(Number(last)).toBeGreaterThan(Number(first) + 0.05)
  }, 120_000)

  it('learns from rewards for steps to follow the statements', async () => {
    const said = await python(['grpo_steps.py', '512'])
    const [, first, last, followed] = /^mean reward ([\d.]+) -> ([\d.]+);.* follow ([\d.]+)$/mu.exec(said) ?? []
    expect(Number(last)).toBeGreaterThan(Number(first) + 0.2)
    expect(Number(followed)).toBeGreaterThan(0.9)
  }, 120_000)

  it('speaks OpenEnv: one of three answers is right', async () => {
    const lines = (await python(['open_env.py'])).trim().split('\n').slice(1)
    expect(lines.toSorted()).toEqual(['True 0 graded', 'True 0 graded', 'True 1 graded'])
  }, 60_000)

  it('speaks Open Reward Standard', async () => {
    expect(await python(['open_reward.py'])).toMatch(/^\S.+\n[01] True\n$/u)
  }, 60_000)

  it('speaks OpenRLHF: one of three answers is right', async () => {
    const lines = (await python(['open_rlhf.py'])).trim().split('\n')
    expect(lines.toSorted()).toEqual([0, 0, 1].map((reward) => `${reward} True ['lenient', 'unparsed']`))
  }, 60_000)

  it('makes rows for NeMo-Gym that its server verifies, all keys echoed', async () => {
    const rows = await python(['nemo_gym_rows.py', 'recoglab/comparison', 'feasibility', '2'])
    const row = JSON.parse(rows.split('\n')[0] ?? '') as { readonly [key: string]: unknown }
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Answer: Yes' }] },
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Answer: Blue', annotations: [] }],
      },
    ]
    const response = { id: 'resp_1', object: 'response', status: 'completed', output, tools: [] }
    const answer = await fetch(`${server.url}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...row, note: [1, { two: 2 }], response }),
    })
    expect(await answer.json()).toEqual({
      ...row,
      note: [1, { two: 2 }],
      response,
      parser: 'strict',
      reward: 0,
      status: 'unparsed',
      strict: 0,
      lenient: 0,
      unparsed: 1,
      truncated: 0,
      refused: 0,
    })
  }, 60_000)

  it('has reward functions for verl and TRL, which give no reward where nothing was judged', async () => {
    const said = await python([
      '-c',
      `
from touchstone_client import items
from trl_reward import rows, touchstone_reward
from verl_reward import NotJudged, compute_score, row
[item] = items("recoglab/comparison", "feasibility", 0, 1)
answers = ["Answer: Yes", "Answer: No", "Answer: Unknown"]
print(sum(compute_score("t", a, row(item, "t", 0)["reward_model"]["ground_truth"])["score"] for a in answers))
[column] = rows([item])
print(touchstone_reward(["q"] * 2, [[{"role": "assistant", "content": "Blue"}], "Blue"], [column["token"], "forged"]))
print(touchstone_reward(["q"], [[{"role": "assistant", "content": None}], [], "Blue"], [column["token"]] * 3))
from grpo_steps import follow
import random
[item] = items("recoglab/comparison", "feasibility", 2, 1)
text = follow(item["messages"][-1]["content"], random)
from trl_reward import touchstone_step_reward
print(touchstone_step_reward(["q"] * 3, [text, "Answer: Yes", None or []], [item["token"]] * 3))
print(compute_score("t", text, item["token"], row(item, "t", 0, trace=True)["extra_info"]))
try:
    compute_score("t", "Yes", "forged")
except NotJudged as error:
    print("not judged:", "bad-token" in str(error))
`,
    ])
    expect(said.split('\n')).toEqual([
      '1',
      '[0, None]',
      '[None, None, 0]',
      '[1, 0, None]',
      "{'score': 1, 'unparsed': False, 'step_reward': 1, 'true_share': 1}",
      'not judged: True',
      '',
    ])
  }, 60_000)
})
