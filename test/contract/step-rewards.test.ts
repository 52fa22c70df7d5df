import { describe, expect, it } from 'vitest'
import { playSteps, tasksWithSteps } from '../../bench/step-rewards.ts'
import { type Json, solutionText } from '../../src/core/index.ts'
import { engineOf } from '../../src/extras/protocols/engine.ts'
import { sample } from '../nightly.ts'

const TEXTS = sample({ nightly: 10_000, otherwise: 100 })

describe.each(tasksWithSteps().map((task) => [task.name, task] as const))('steps of %s', (_, task) => {
  it('earn nothing with a wrong answer, and no more without reasoning than the answer alone', () => {
    const { right, rewarded, rewardedWrong } = playSteps(task, TEXTS)
    expect(rewardedWrong).toBe(0)
    expect(rewarded).toBeLessThanOrEqual(right)
  }, 300_000)
})

it('true steps to laws that explain little earn no more than these laws', () => {
  const [task] = tasksWithSteps().filter(({ name }) => name === 'pbebench/sound-change')
  if (task === undefined) throw new Error('no task')
  const origin = {
    task: task.name,
    content: { kind: 'preset', preset: 'sound-change-lite' },
    split: 'train',
    seed: '1',
  } as const
  const item = task.source(task.preset('sound-change-lite').config, origin).item(0)
  if (item.kind !== 'item') throw new Error('no item')
  const { languages } = item.given as { readonly languages: readonly string[] }
  const answer: Json = { laws: languages.map(() => []) }
  const text = solutionText(task.solution?.({ ...item, answer }) ?? [], 'full')
  const job = {
    item: { ...origin, index: 0 },
    text,
    finish: 'stop',
    logprobs: null,
    parser: 'strict',
    trace: true,
  } as const
  const { reward, trace } = engineOf([task]).scorer()(job)
  expect(trace).toMatchObject({ firstFalse: null, supportsAnswer: true })
  expect(reward).toBeLessThan(1)
  expect(trace?.reward).toBe(reward)
})
