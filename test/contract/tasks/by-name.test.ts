import { describe, expect, it } from 'vitest'
import { familiesOf } from '../../../src/tasks/by-name.ts'
import { families } from '../../../src/tasks/index.ts'

const tasksOf = ({ tasks, judging = [] }: (typeof families)[number]): readonly string[] =>
  [...tasks, ...judging.map(({ task }) => task)].map(({ name }) => name)

describe('families by the names of their tasks', () => {
  it('are all there, in their order', async () => {
    expect(await familiesOf(families.flatMap(tasksOf))).toEqual(families)
  })

  it.each(families.map((family) => [family.name, family] as const))(
    '%s is found by each of its tasks alone',
    async (_, family) => {
      for (const name of tasksOf(family)) expect(await familiesOf([name])).toEqual([family])
    },
  )

  it('are not found where a task is of none', async () => {
    expect(await familiesOf([...families.flatMap(tasksOf), 'toy/none'])).toBeNull()
    expect(await familiesOf([])).toEqual([])
  })
})
