import { describe, expect, it } from 'vitest'
import { playSteps, tasksWithSteps } from '../../bench/step-rewards.ts'
import { sample } from '../nightly.ts'

const TEXTS = sample({ nightly: 10_000, otherwise: 100 })

describe.each(tasksWithSteps().map((task) => [task.name, task] as const))('steps of %s', (_, task) => {
  it('earn nothing with a wrong answer, and no more without reasoning than the answer alone', () => {
    const { right, rewarded, rewardedWrong } = playSteps(task, TEXTS)
    expect(rewardedWrong).toBe(0)
    expect(rewarded).toBeLessThanOrEqual(right)
  }, 300_000)
})
