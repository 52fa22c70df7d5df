import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Outcome } from '../../../src/core/index.ts'
import { clusteredShare } from '../../../src/libraries/statistics/index.ts'
import { type Progress, readLive } from '../../../src/runner/index.ts'
import { ModelMeter } from '../../../src/runner/progress/model-meter.ts'
import { waitsOf, waitText } from '../../../src/runner/progress/model-progress.ts'
import { LiveFile } from '../../../src/runner/progress/progress.ts'
import type { ModelQueue } from '../../../src/runner/schedule/model-queue.ts'
import { scratch } from '../../mock/context.ts'

const answer = (right: boolean): Outcome => ({
  kind: 'answered',
  finish: 'stop',
  results: { strict: { kind: 'graded', value: right ? 1 : 0, answer: 0, rule: 'r', span: [0, 1] } },
})
const resting = { inFlight: 0, retrying: 0, waits: [], most: null }
const counts = { waiting: 90, leased: 0, batched: 0, done: 10, failed: 0 }

it('a meter counts on from what happened before, with the accuracy over groups that a report has', () => {
  const meter = new ModelMeter('m', counts, 0.5, true)
  for (let i = 0; i < 10; i++) meter.addEarlier(`g${i % 5}`, answer(i < 4))
  meter.progress(0, resting)
  for (let i = 0; i < 30; i++) meter.answered(`g${i % 5}`, answer(i % 3 > 0))
  meter.failure('http-500', 'x'.repeat(5000), true)
  meter.spent(0.25)
  const seen = meter.progress(10_000, resting)
  expect(seen).toMatchObject({ total: 100, done: 40, failed: 1, rate: 3.1, usd: 0.75 })
  expect(seen.left).toBeCloseTo(59 / 3.1)
  const right = [...Array(10).keys()]
    .map((i) => Number(i < 4))
    .concat([...Array(30).keys()].map((i) => Number(i % 3 > 0)))
  const groups = [...Array(10).keys(), ...Array(30).keys()].map((i) => i % 5)
  const { value, low, high } = clusteredShare(right, groups) ?? {}
  expect(seen.accuracy).toEqual({ value, low, high, n: 40, groups: 5 })
  expect(seen.failures).toEqual([{ code: 'http-500', times: 1, message: 'x'.repeat(200) }])
})

it('a meter says the accuracy of all answers as soon as all have come', () => {
  const meter = new ModelMeter('m', { ...counts, waiting: 2, done: 0 }, 0, true)
  meter.answered('g', answer(true))
  expect(meter.progress(0, resting).accuracy).toMatchObject({ value: 1, n: 1 })
  meter.answered('h', answer(false))
  expect(meter.progress(1, resting).accuracy).toMatchObject({ value: 0.5, n: 2 })
})

it('a meter that was not told all says no accuracy, and one that is over is not late', () => {
  const meter = new ModelMeter('m', counts, 0, false)
  meter.answered('g', answer(true))
  expect(meter.progress(1000, resting).accuracy).toBe(null)
  expect(meter.progress(2000, { ...resting, most: 11 }).left).toBe(0)
  expect(meter.progress(3000, { ...resting, waits: [{ kind: 'turn', model: 'first' }] }).left).toBe(null)
  const given = [{ kind: 'broken', code: 'http-401', message: 'no' }] as const
  expect(meter.progress(4000, { ...resting, waits: given }).left).toBe(null)
})

it('what is said of a run is believed while it is fresh and whole', async () => {
  const { folder, remove } = await scratch()
  const path = join(folder, 'live.json')
  const live = { schema: 'touchstone/live/1', at: Date.now(), usd: 0, limit: null, rate: 1, left: null, models: [] }
  expect(await readLive(path)).toBe(null)
  await writeFile(path, JSON.stringify(live))
  expect(await readLive(path)).toEqual(live)
  for (const text of [
    JSON.stringify({ ...live, at: Date.now() - 60_000 }),
    '{',
    '[]',
    JSON.stringify({ ...live, models: [1] }),
  ]) {
    await writeFile(path, text)
    expect(await readLive(path)).toBe(null)
  }
  await remove()
})

it('waits are said in words', () => {
  expect(waitText({ kind: 'pause', ms: 12_000 })).toBe('rate-limited by the provider, 12 s')
  expect(waitText({ kind: 'back-off', calls: 1, ms: 500 })).toBe('1 failed call is retried in 1 s')
  expect(waitText({ kind: 'broken', code: 'http-401', message: 'no' })).toBe('stopped: http-401')
})

it('a model that has its turn after another of the same server of this machine says so, and not what the other waits for', () => {
  const server = { pause: 2000, slowed: true, limit: 4, free: () => 0 }
  const lane = (name: string, limiter: object, asked: object): ModelQueue =>
    ({
      isLocalServer: true,
      stopped: null,
      gate: null,
      delayed: new Map(),
      lastTurn: 0,
      limiter,
      spec: { name },
      ...asked,
    }) as unknown as ModelQueue
  const lanes = [
    lane('first', server, { ready: [], inFlight: 3 }),
    lane('second', server, { ready: [1, 2], inFlight: 0 }),
    lane('other', { ...server }, { ready: [1], inFlight: 0 }),
  ]
  const waits = lanes.map((one) => waitsOf(one, lanes, { slower: false, choosing: false }).map(waitText))
  expect(waits).toEqual([
    ['rate-limited by the provider, 2 s'],
    ['after first: a local server is called for one model at a time'],
    ['rate-limited by the provider, 2 s'],
  ])
})

it('what a run still says after its end leaves no file behind', async () => {
  const { folder, remove } = await scratch()
  const file = new LiveFile(
    join(folder, 'live.json'),
    (text) => text,
    () => true,
  )
  const said: Progress = {
    ...counts,
    planned: 100,
    elsewhere: [],
    retrying: 0,
    inFlight: 0,
    usd: 0,
    limit: null,
    rate: 0,
    left: null,
    routes: [],
    failures: {},
    models: [],
  }
  await file.remove()
  file.write(said)
  for (const name of ['a', 'b']) await writeFile(join(folder, name), '')
  expect(await readdir(folder)).toEqual(['a', 'b'])
  await remove()
})
