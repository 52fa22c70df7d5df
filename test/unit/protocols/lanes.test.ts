import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { threadFor } from '../../../src/lab/serve-pool.ts'

const place = fc.record({ task: fc.string(), seed: fc.string() })

it('gives all items of a group to one lane, and groups in a row to the lanes in turn', () => {
  fc.assert(
    fc.property(
      place,
      fc.integer({ min: 1, max: 2000 }),
      fc.nat(1000),
      fc.integer({ min: 1, max: 8 }),
      (at, size, group, lanes) => {
        const laneAt = (index: number): number => threadFor({ ...at, index }, size, lanes)
        const own = laneAt(group * size)
        expect(own).toBeLessThan(lanes)
        expect(laneAt(group * size + size - 1)).toBe(own)
        expect(laneAt((group + 1) * size)).toBe((own + 1) % lanes)
      },
    ),
  )
})

it('keeps a few indices together where nothing is known of groups', () => {
  const lanes = Array.from({ length: 64 }, (_, index) => threadFor({ task: 'a/b', seed: '1', index }, null, 2))
  expect(new Set(lanes).size).toBe(2)
  expect(lanes.filter((lane, i) => i > 0 && lane !== lanes[i - 1])).toHaveLength(3)
})

it('lets nobody wait for a configuration that takes long to open, with one thread', async () => {
  const plugin = join(import.meta.dirname, '../../mock/heavy-plugin.ts')
  const lab = await openLab({ plugins: [plugin] })
  const server = await lab.serve({ port: 0, threads: 1, tasks: ['mock/parity', 'mock/heavy'] })
  const order: string[] = []
  const draw = async (task: string, seed: number): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ task, preset: 'endless', seed })
    const answer = await fetch(`${server.url}/v1/items`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    order.push(task)
  }
  try {
    await draw('mock/parity', 0)
    const heavy = [1, 2].map((seed) => draw('mock/heavy', seed))
    for (let seed = 1; seed <= 10; seed++) await draw('mock/parity', seed)
    await Promise.all(heavy)
    expect(order.slice(-2)).toEqual(['mock/heavy', 'mock/heavy'])
  } finally {
    await server.close()
  }
})
