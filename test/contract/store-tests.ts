import { expect, it } from 'vitest'
import type { Outcome } from '../../src/core/index.ts'
import type { LeasedCall, PlanBatch, RunEvent, RunStore, StoredItem } from '../../src/store/index.ts'

/** Opens a store; `owner` B is a second worker on the same run, null where the store allows only one. */
export interface StoreUnderTest {
  readonly a: RunStore
  /** Ends the process without any goodbye and opens what is left. */
  crash(): Promise<RunStore>
  /** Changes what `a` holds behind its back. */
  tamper(sql: string): Promise<void>
}

/** The last link of a chain of six odd answers: of the format, so that it never changes. */
const HEAD = '77640afea516df0e82fa4a88e054db5fa487d3135b91645111bc8374a1f26d3c'

const item = (i: number): StoredItem => ({
  id: `t/x@1/test/abc/${i}`,
  position: i,
  source: 0,
  index: i,
  stratum: i % 2,
  task: 't/x',
  version: 1,
  config: 'demo',
  draw: `d${i}`,
  group: `0/${i % 3}`,
  given: { text: `give\u0000n "${i}" \u{1f600}` },
  answer: i % 2 === 0,
  features: { length: i / 4, label: i % 2 === 0, kind: 'k', none: null },
  itemHash: 'f'.repeat(64),
})

export const batch = (n: number, model = 'm'): PlanBatch => ({
  groups: [0, 1, 2].map((g) => ({ id: `0/${g}`, shared: { rules: [`g${g}`] } })),
  items: Array.from({ length: n }, (_, i) => item(i)),
  calls: Array.from({ length: n }, (_, i) => ({
    item: item(i).id,
    style: 'plain',
    model,
    settings: '{}',
    sample: 0,
    priority: (i * 7) % n,
  })),
})

const outcome: Outcome = {
  kind: 'answered',
  finish: 'stop',
  results: { strict: { kind: 'graded', value: 1, answer: true, rule: 'r', span: [0, 3] } },
}

export const response = (cell: LeasedCall, text = 'Yes'): RunEvent => ({
  kind: 'response',
  call: cell.id,
  attempt: cell.attempt,
  started: 1000,
  ended: 1500,
  http: 200,
  requestId: 'r',
  response: { finish: 'stop', text, reasoning: null, logprobs: null, usage: { inputTokens: 3 }, raw: '{}' },
  scored: { scorer: 1, outcome },
})

const failure = (cell: LeasedCall, final: boolean, code = 'http-500'): RunEvent => ({
  kind: 'failure',
  call: cell.id,
  attempt: cell.attempt,
  started: 1,
  ended: 2,
  http: 500,
  requestId: null,
  final,
  source: 'provider',
  code,
  message: 'went wrong',
  free: false,
  body: null,
})

async function texts(store: RunStore): Promise<Map<string, string>> {
  const out = new Map<string, string>()
  for await (const page of store.responses()) for (const one of page) out.set(one.item.id, one.response.text)
  return out
}

/** What every store must do. */
export function storeTests(open: () => Promise<StoreUnderTest>): void {
  it('hands out each cell once, in its turn, with its item and what its group shares', async () => {
    const { a } = await open()
    await a.plan(batch(10))
    const first = await a.lease(4, 'A', 60_000, 'm')
    const second = await a.lease(100, 'B', 60_000, 'm')
    expect(first.map((cell) => (cell.item.index * 7) % 10)).toEqual([0, 1, 2, 3])
    expect(new Set([...first, ...second].map((cell) => cell.id)).size).toBe(10)
    expect(await a.lease(1, 'A', 60_000, 'm')).toEqual([])
    expect(await a.lease(1, 'A', 60_000, 'other')).toEqual([])
    const one = first[0] as LeasedCall
    expect(one).toMatchObject({ attempt: 1, style: 'plain', model: 'm', settings: '{}', sample: 0 })
    expect(one.item).toEqual(item(one.item.index))
    expect(one.shared).toEqual({ rules: [`g${one.item.index % 3}`] })
  })

  it('gives the same shared object to items of one group', async () => {
    const { a } = await open()
    await a.plan(batch(6))
    const cells = await a.lease(6, 'A', 60_000, 'm')
    const ofGroup = cells.filter((cell) => cell.item.group === '0/1')
    expect(ofGroup.length).toBe(2)
    expect(ofGroup[0]?.shared).toBe(ofGroup[1]?.shared)
  })

  it('plans the same cells twice without doubling them', async () => {
    const { a } = await open()
    await a.plan(batch(10))
    await a.plan(batch(10))
    expect(await a.counts()).toEqual({ waiting: 10, leased: 0, batched: 0, done: 0, failed: 0 })
  })

  it('keeps the first response of a cell', async () => {
    const { a } = await open()
    await a.plan(batch(1))
    const [cell] = (await a.lease(1, 'A', 60_000, 'm')) as [LeasedCall]
    await a.commit([response(cell, 'first')])
    await a.commit([response({ ...cell, attempt: 2 }, 'second'), failure(cell, true)])
    expect([...(await texts(a)).values()]).toEqual(['first'])
    expect(await a.counts()).toMatchObject({ done: 1, failed: 0 })
  })

  it('keeps any text as it is', async () => {
    const { a } = await open()
    await a.plan(batch(3))
    const odd = ['a\u0000b', '\u{1f600}\n\r\t"\\', `${'x'.repeat(200_000)}é`]
    const cells = await a.lease(3, 'A', 60_000, 'm')
    await a.commit(cells.map((cell, i) => response(cell, odd[i] as string)))
    expect(new Set((await texts(a)).values())).toEqual(new Set(odd))
  })

  it('has on disk what it said it had when the process dies', async () => {
    const { a, crash } = await open()
    await a.plan(batch(10))
    const cells = await a.lease(6, 'A', 60_000, 'm')
    await Promise.all(cells.slice(0, 3).map((cell) => a.commit([response(cell, `said ${cell.id}`)])))
    const b = await crash()
    expect(await texts(b)).toEqual(new Map(cells.slice(0, 3).map((cell) => [cell.item.id, `said ${cell.id}`])))
    expect((await b.counts()).done).toBe(3)
    // What was in flight is handed out again, as a further attempt; what was done is not.
    const again = await b.lease(100, 'B', 60_000, 'm')
    expect(again.length).toBe(7)
    expect(again.filter((cell) => cells.some((one) => one.id === cell.id)).every((cell) => cell.attempt === 2)).toBe(
      true,
    )
  })

  it('hands out again what another owner let run out, never what its own owner holds', async () => {
    const { a } = await open()
    await a.plan(batch(2))
    await a.lease(2, 'A', -1, 'm')
    expect(await a.lease(2, 'A', -1, 'm')).toEqual([])
    expect((await a.lease(2, 'B', 60_000, 'm')).map((cell) => cell.attempt)).toEqual([2, 2])
  })

  it('puts a released cell back, and a failed one when asked', async () => {
    const { a } = await open()
    await a.plan(batch(3))
    const [x, y, z] = (await a.lease(3, 'A', 60_000, 'm')) as [LeasedCall, LeasedCall, LeasedCall]
    await a.commit([
      { kind: 'release', call: x.id, attempt: 1, sent: true },
      failure(y, true, 'http-500'),
      failure(z, true, 'too-large'),
    ])
    expect(await a.counts()).toMatchObject({ waiting: 1, leased: 0, failed: 2 })
    expect(await a.retry(['too-large'])).toBe(1)
    expect(await a.retry()).toBe(1)
    expect((await a.lease(9, 'A', 60_000, 'm')).map((cell) => cell.attempt)).toEqual([2, 2, 2])
  })

  it('leaves a cell leased after a failure that is not final', async () => {
    const { a } = await open()
    await a.plan(batch(1))
    const [cell] = (await a.lease(1, 'A', 60_000, 'm')) as [LeasedCall]
    await a.commit([failure(cell, false), { kind: 'attempt', call: cell.id, attempt: 2, started: 5 }])
    expect(await a.counts()).toMatchObject({ leased: 1 })
    await a.commit([response({ ...cell, attempt: 2 })])
    expect(await a.counts()).toMatchObject({ done: 1 })
  })

  it('keeps a batch over the death of the process: its cells wait for it, and are handed out to nobody', async () => {
    const { a, crash } = await open()
    await a.plan(batch(5))
    const cells = await a.lease(3, 'A', 60_000, 'm')
    const lines = cells.map(({ id, attempt }) => ({ call: id, attempt, maxUsd: 0.5 }))
    await a.batchLease?.acquire('m', 'A', 60_000)
    expect(await a.recordBatch({ kind: 'intended', key: 'k', model: 'm', at: 7, lines }, 'A')).toBe('booked')
    const b = await crash()
    await b.batchLease?.acquire('m', 'B', 60_000)
    expect(await b.counts()).toMatchObject({ waiting: 2, batched: 3 })
    expect(await b.openBatches('m')).toEqual([
      { key: 'k', model: 'm', lines: 3, providerId: null, intended: 7, submittedAt: 7 },
    ])
    expect(await b.openBatches('other')).toEqual([])
    expect((await b.lease(9, 'B', 60_000, 'm')).length).toBe(2)
    await b.recordBatch({ kind: 'resubmitted', key: 'k', at: 8 }, 'B')
    await b.recordBatch({ kind: 'accepted', key: 'k', providerId: 'r', at: 9 }, 'B')
    expect(await b.openBatches()).toMatchObject([{ providerId: 'r', intended: 7, submittedAt: 8 }])
    expect(await b.knownBatchIds()).toEqual(new Set(['r']))
    expect(await b.findBatchLines('k', [3, 2, 1])).toEqual(
      [1, 2].map((no) => ({ lineNo: no, call: cells[no], maxUsd: 0.5 })),
    )
    expect(await b.findBatchLines('k', [3])).toEqual([])
    const [x, y, z] = cells as [LeasedCall, LeasedCall, LeasedCall]
    await b.commit([response(x)])
    await b.commit([failure(y, false), { kind: 'release', call: y.id, attempt: 1, sent: true }])
    const open_: number[] = []
    for await (const page of b.openBatchLines('k')) open_.push(...page.map(({ lineNo }) => lineNo))
    expect(open_).toEqual([2])
    // The cell that waits again is not the line's any more, even when it is in the next batch.
    const [again] = (await b.lease(1, 'B', 60_000, 'm')) as [LeasedCall]
    const next = [{ call: again.id, attempt: again.attempt, maxUsd: 0 }]
    await b.recordBatch({ kind: 'intended', key: 'k2', model: 'm', at: 10, lines: next }, 'B')
    expect(await b.findBatchLines('k', [0, 1])).toEqual([])
    expect(await b.findBatchLines('k2', [0])).toMatchObject([{ call: { id: y.id, attempt: 2 } }])
    await b.commit([failure(z, true)])
    await b.recordBatch({ kind: 'over', key: 'k', status: 'ended', at: 11 }, 'B')
    expect((await b.openBatches()).map(({ key }) => key)).toEqual(['k2'])
    expect(await b.counts()).toMatchObject({ waiting: 0, batched: 1, done: 1, failed: 1 })
  })

  /** Answers of odd texts, to odd names, in a fixed order. */
  async function answered(store: RunStore): Promise<readonly LeasedCall[]> {
    const odd = 'm "\\/\b\t\u0001\u007f\u2028\u00e9\u{1f600}<&'
    await store.plan({ ...batch(6, odd), calls: batch(6, odd).calls.map((cell) => ({ ...cell, style: `s${odd}` })) })
    const cells = await store.lease(6, 'A', 60_000, odd)
    for (const [i, cell] of cells.entries()) {
      const event = response(cell, `Yes ${i} \u0000 ${odd}`)
      if (event.kind !== 'response') continue
      const logprobs = i === 2 ? [{ text: odd, logprob: -0.1 - i / 3 }] : null
      const more = { logprobs, reasoning: i === 3 ? odd : null, raw: i === 4 ? null : '{"a":"\u0000"}' }
      await store.commit([{ ...event, response: { ...event.response, ...more } }, response(cell, 'again')])
    }
    return cells
  }

  it('hangs every response behind the last one, the same chain in every store', async () => {
    const { a, crash } = await open()
    expect(await a.checkChain()).toEqual({ kind: 'whole', links: 0, head: null })
    expect(await a.chainHead()).toBeNull()
    await answered(a)
    const whole = { kind: 'whole', links: 6, head: HEAD }
    expect(await a.checkChain()).toEqual(whole)
    const b = await crash()
    expect(await b.checkChain()).toEqual(whole)
    expect(await b.chainHead()).toBe(HEAD)
  })

  it.each([
    ['a text', "UPDATE response SET text = REPLACE(text, 'Yes 1', 'No 1')"],
    ['what a call used', "UPDATE response SET usage = '{}' WHERE seq = 3"],
    ['a provider body', "UPDATE response SET raw = REPLACE(raw, 'a', 'b') WHERE seq = 6"],
    ['how it ended', "UPDATE response SET finish = 'length' WHERE seq = 1"],
    ['who answered', "UPDATE call SET model = 'better' WHERE id = (SELECT call FROM response WHERE seq = 2)"],
    ['what was asked', "UPDATE call SET item = 'easier' WHERE id = (SELECT call FROM response WHERE seq = 5)"],
    ['the number of the attempt', 'UPDATE response SET attempt = 2 WHERE seq = 4'],
    ['its order', 'UPDATE response SET seq = seq + 100 WHERE seq = 2'],
    ['a response taken out', 'DELETE FROM response WHERE seq = 3'],
    ['a cell taken out', 'DELETE FROM call WHERE id = (SELECT call FROM response WHERE seq = 3)'],
    ['a link made anew', "UPDATE response SET hash = 'f' WHERE seq = 6"],
  ])('finds what was changed behind its back: %s', async (_, sql) => {
    const { a, tamper } = await open()
    await answered(a)
    await tamper(sql)
    expect(await a.checkChain()).toMatchObject({ kind: 'broken' })
  })

  it('keeps what is said about the run', async () => {
    const { a } = await open()
    await a.setMeta('k', 'v')
    await a.setMeta('k', 'w')
    expect(await a.meta('k')).toBe('w')
    expect(await a.meta('none')).toBeNull()
  })
}
