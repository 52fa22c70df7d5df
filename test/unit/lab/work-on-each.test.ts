import { expect, it } from 'vitest'
import { UsageError } from '../../../src/core/index.ts'
import type { WorkResult } from '../../../src/lab/index.ts'
import { workOnEach } from '../../../src/lab/shared.ts'

const result = (status: WorkResult['status'], batched = 0): Pick<WorkResult, 'status' | 'counts'> => ({
  status,
  counts: { pending: 0, inFlight: 0, batched, done: 1, errors: 0 },
})

it('a run that waits for batches holds no other up, and two that wait do so together', async () => {
  const order: string[] = []
  let waiting = 0
  const { runs: worked } = await workOnEach(['a', 'b', 'c'], true, async (run, wait) => {
    order.push(`${run} ${wait}`)
    if (run === 'b') return result('completed')
    if (!wait) return result('batches-pending', 5)
    waiting++
    // Ends when the other waits too.
    while (waiting < 2) await new Promise((resolve) => setImmediate(resolve))
    return result('completed')
  })
  expect(order).toEqual(['a false', 'b false', 'c false', 'a true', 'c true'])
  expect(worked.map(({ run, status }) => [run, status])).toEqual(['a', 'b', 'c'].map((run) => [run, 'completed']))
})

it('one run is waited for at once, none where that is not wanted, and nothing is begun after an interruption', async () => {
  const asked: boolean[] = []
  const note = async (_run: string, wait: boolean) => {
    asked.push(wait)
    return result(wait ? 'completed' : 'interrupted', 5)
  }
  await workOnEach(['a'], true, note)
  await workOnEach(['a'], false, note)
  expect((await workOnEach(['a', 'b'], true, note)).runs).toHaveLength(1)
  expect(asked).toEqual([true, false, false])
})

it('a run that is refused is left out and named, and all of them are an error', async () => {
  const only = (good: string) => async (run: string) => {
    if (run !== good) throw new UsageError(`not ${run}`)
    return result('completed')
  }
  const { runs, skipped } = await workOnEach(['a', 'b', 'c'], true, only('b'))
  expect([runs.map(({ run }) => run), skipped]).toEqual([
    ['b'],
    [
      { run: 'a', message: 'not a' },
      { run: 'c', message: 'not c' },
    ],
  ])
  await expect(workOnEach(['a', 'c'], true, only('b'))).rejects.toThrow('not c')
  await expect(workOnEach(['a'], true, only('b'))).rejects.toThrow('not a')
  const broken = () => Promise.reject(new Error('no database'))
  await expect(workOnEach(['a', 'b'], true, broken)).rejects.toThrow('no database')
})
