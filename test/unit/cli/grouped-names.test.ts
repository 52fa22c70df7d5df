import { describe, expect, it } from 'vitest'
import { groupedNames } from '../../../src/cli/commands/list.ts'
import { families as ours } from '../../../src/tasks/index.ts'

describe('families of names', () => {
  it('put together what differs in its last part only', () => {
    expect(groupedNames(['ppm', 'oracle', 'oracle:g1', 'markov:1', 'markov:2', 'x:a:1', 'x:b:1'])).toEqual([
      'ppm',
      'oracle',
      'oracle:g1',
      'markov:{1, 2}',
      'x:a:1',
      'x:b:1',
    ])
    expect(groupedNames(Array.from({ length: 11 }, (_, i) => `trained:ppm:${2 ** i}`))).toEqual([
      'trained:ppm:{1, 2, .., 1024}',
    ])
    expect(groupedNames([])).toEqual([])
  })

  it('keep the baselines of every task within a few lines', () => {
    for (const task of ours.flatMap((family) => family.tasks))
      expect(groupedNames(Object.keys(task.baselines ?? {})).join(', ').length).toBeLessThan(640)
  })
})
