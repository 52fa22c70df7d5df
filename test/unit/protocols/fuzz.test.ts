import { expect, it } from 'vitest'
import { protocols } from '../../../src/extras/protocols/protocols/index.ts'
import { sample } from '../../nightly.ts'
import { hostileRequest } from './hostile.ts'
import { appWith, draws, tasks } from './server.ts'

const REQUESTS = sample({ nightly: 10_000, otherwise: 1000 })

it('answers thousands of hostile requests, and fails at none', async () => {
  const faults: unknown[] = []
  // Whoever names no task is given the first: the last takes no time to plan.
  const app = appWith({ tasks: tasks.toReversed(), onError: (error) => faults.push(error) }, protocols)
  const stream = draws('fuzz')
  const statuses = new Map<number, number>()
  for (let i = 0; i < REQUESTS; i++) {
    const { path, init } = hostileRequest(stream)
    const response = await app.request(path, init)
    await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  }
  expect(faults).toEqual([])
  expect(statuses.get(500)).toBeUndefined()
  // The attack reaches past the first checks.
  for (const status of [200, 400, 404, 415, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(REQUESTS / 100)
}, 120_000)
