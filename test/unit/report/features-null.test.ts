import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Task } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { factors } from '../../../src/report/analyses/features.ts'

describe('features', () => {
  it('are called as a person would write them, unless they have a label', () => {
    const features = z.object({
      firstNamed: z.string().meta({ role: 'difficulty' }),
      slack: z.string().meta({ role: 'difficulty', label: 'Room to spare' }),
    })
    const frame = memoryFrame({ feature_firstNamed: ['a', 'b'], feature_slack: ['a', 'b'] })
    const found = factors({ features } as unknown as Task, frame)
    expect(found.map(({ name, label }) => [name, label])).toEqual([
      ['firstNamed', 'first named'],
      ['slack', 'Room to spare'],
    ])
  })
})

describe('features declared as text or null', () => {
  it('are levels in the order of their numbers where all are numbers', () => {
    const features = z.object({ label: z.string().nullable().meta({ role: 'truth' }) })
    const frame = memoryFrame({ feature_label: ['10', '2', null, '1'] })
    const [factor] = factors({ features } as unknown as Task, frame)
    expect(factor?.levels.map(({ label }) => label)).toEqual(['1', '2', '10'])
    expect([...(factor?.codes ?? [])]).toEqual([2, 1, -1, 0])
  })
})
