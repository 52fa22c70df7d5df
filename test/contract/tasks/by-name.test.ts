import { describe, expect, it } from 'vitest'
import { familiesWith } from '../../../src/lab/plugins.ts'
import { families } from '../../../src/tasks/index.ts'

const tasksOf = ({ tasks, judging = [] }: (typeof families)[number]): readonly string[] =>
  [...tasks, ...judging.map(({ task }) => task)].map(({ name }) => name)

describe('families by the names of their tasks', () => {
  it('are all there, in their order', async () => {
    expect(await familiesWith([], families.flatMap(tasksOf))).toEqual(families)
  })

  it.each(families.map((family) => [family.name, family] as const))(
    '%s is found by each of its tasks alone',
    async (_, family) => {
      for (const name of tasksOf(family)) expect(await familiesWith([], [name])).toEqual([family])
    },
  )

  it('are all looked at where a task is of none', async () => {
    expect(await familiesWith([], ['relic/recognize', 'toy/none'])).toEqual(families)
    expect(await familiesWith([], [])).toEqual([])
  })
})
