import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Ledger, redactor } from '../../../src/store/index.ts'
import { batch } from '../../contract/store-tests.ts'
import { scratch } from '../../mock/context.ts'

const SECRET = 'sk-recorder-0f9e8d7c6b5a4938'

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(() => remove())

const times = { attempt: 1, started: 1, ended: 2, http: 200, requestId: `request ${SECRET}` }
const answered = (text: string) => ({
  finish: 'stop' as const,
  text,
  reasoning: `thought ${SECRET}`,
  logprobs: [{ text: SECRET, logprob: -1 }],
  usage: { inputTokens: 1, outputTokens: 1 },
  raw: `{"echo":"${SECRET}"}`,
})

describe('the recorder', () => {
  it('lets a secret through no column, wherever a server puts it', async () => {
    const path = join(folder, 'ledger.db')
    const ledger = new Ledger(path, { redact: redactor({ A_KEY: SECRET }) })
    await ledger.plan(batch(3))
    const cells = await ledger.lease(3, 'A', 1000, 'm')
    const [one, two, three] = cells.map(({ id }) => id)
    const graded = { kind: 'graded', value: 1, answer: SECRET, detail: {} }
    const outcome = { kind: 'scored', finish: 'stop', results: { strict: graded } }
    await ledger.commit([
      {
        kind: 'response',
        call: one ?? 0,
        ...times,
        response: answered(`here: ${SECRET}`),
        scored: { scorer: 1, outcome: outcome as never },
      },
      {
        kind: 'failure',
        call: two ?? 0,
        ...times,
        source: 'provider',
        code: 'http-500',
        message: `bad key ${SECRET}`,
        free: false,
        body: `{"echo":"${SECRET}"}`,
        final: true,
      },
    ])
    const { item } = cells[2] ?? { item: { id: '' } }
    await ledger.importCalls([
      {
        item: item.id,
        style: 'plain',
        model: 'other',
        settings: `{"system":"${SECRET}"}`,
        sample: 0,
        response: answered(`imported: ${SECRET}`),
        seconds: null,
        scored: { scorer: 1, outcome: outcome as never },
      },
    ])
    await ledger.setMeta('note', `remember ${SECRET}`)
    const unread: string[] = []
    for await (const page of ledger.unparsedBodies()) unread.push(...page.map(({ body }) => body()))
    expect(unread).toHaveLength(1)
    expect(unread.join('')).not.toContain(SECRET)
    for (const table of ['call', 'attempt', 'response', 'score', 'meta', 'item', 'item_group'])
      expect(JSON.stringify(ledger.query(`SELECT * FROM ${table}`))).not.toContain(SECRET)
    const shown = JSON.stringify([ledger.query('SELECT * FROM response'), ledger.query('SELECT * FROM attempt')])
    expect(shown.match(/\[redacted:A_KEY\]/gu)?.length).toBeGreaterThanOrEqual(10)
    expect(three).toBeGreaterThan(0)
    await ledger[Symbol.asyncDispose]()
    expect(readFileSync(path).includes(SECRET)).toBe(false)
  })

  it('counts no revision where nothing changed, so that what was derived of it stays', async () => {
    const ledger = new Ledger(join(folder, 'ledger.db'), { redact: redactor({}) })
    await ledger.plan(batch(3))
    const before = ledger.revision()
    expect(await ledger.reclaim()).toBe(0)
    expect(ledger.revision()).toBe(before)
    await ledger.lease(1, 'A', 1000, 'm')
    expect(await ledger.reclaim()).toBe(1)
    expect(ledger.revision()).toBe(before + 2)
    await ledger[Symbol.asyncDispose]()
  })
})
