import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { progressText } from '../../../src/cli/live.ts'
import type { Context } from '../../../src/cli/output.ts'
import { execute } from '../../../src/cli/run-output.ts'
import type { Progress } from '../../../src/runner/index.ts'

const now: Progress = {
  planned: 1000,
  done: 250,
  failed: 0,
  retrying: 0,
  inFlight: 8,
  batched: 0,
  elsewhere: [],
  rate: 5,
  usd: 0.5,
  limit: 2,
  left: 150,
  routes: [],
  failures: {},
  models: [],
}

/** A process whose stderr is a file or a terminal, and what was written to it. */
function around(isTTY: boolean, columns = 200): { readonly context: Context; readonly written: string[] } {
  const written: string[] = []
  const stderr = { isTTY, columns, write: (text: string) => written.push(text) > 0 }
  const context = { process: { ...process, stderr } } as unknown as Context
  return { context, written }
}

describe('progress', () => {
  let clock = 0
  beforeEach(() => {
    clock = 1000
    vi.spyOn(performance, 'now').mockImplementation(() => clock)
  })
  afterEach(() => vi.restoreAllMocks())

  it('says that another worker looks after batches, where nothing goes on here', () => {
    const waiting = { ...now, inFlight: 0, elsewhere: ['slow'] }
    expect(progressText(waiting)).toContain('batches of slow are polled by another worker')
    expect(progressText({ ...waiting, inFlight: 1 })).not.toContain('polled by another')
  })

  it('where there is no terminal is a line a minute, and no more', async () => {
    const { context, written } = around(false)
    await execute(context, async ({ onProgress }) => {
      for (let second = 0; second <= 185; second++) {
        clock = 1000 + second * 1000
        onProgress({ ...now, done: 250 + second })
      }
    })
    expect(written.join('').trim().split('\n')).toEqual([
      '310/1000 done · 8 in flight · 5.0/s · 3 min left · $0.50 of $2',
      '370/1000 done · 8 in flight · 5.0/s · 3 min left · $0.50 of $2',
      '430/1000 done · 8 in flight · 5.0/s · 3 min left · $0.50 of $2',
    ])
    expect(written.join('')).not.toContain('\r')
  })

  it.each([
    [null, ''],
    [0.2, '1 s left'],
    [89, '89 s left'],
    [90, '2 min left'],
    [5399, '90 min left'],
    [5400, '1.5 h left'],
    [360_000, '100.0 h left'],
  ])('%s seconds are "%s"', async (left, words) => {
    const { context, written } = around(false)
    await execute(context, async ({ onProgress }) => {
      clock += 60_000
      onProgress({ ...now, left })
    })
    const said = written.join('')
    if (words === '') expect(said).not.toMatch(/left/u)
    else expect(said).toContain(`· ${words} ·`)
  })

  const model: Progress['models'][number] = {
    model: 'gpt\u001b[31m\u202e',
    total: 200,
    done: 50,
    failed: 2,
    inFlight: 8,
    retrying: 1,
    rate: 5,
    left: 30,
    usd: 0.25,
    accuracy: { value: 0.6, low: 0.45, high: 0.74, n: 50 },
    waits: [
      { kind: 'pause', ms: 12_000 },
      { kind: 'back-off', calls: 1, ms: 800 },
    ],
    failures: [{ code: 'http-429', times: 3, message: 'slow\r\n\u001b]0;evil\u0007 down' }],
  }

  it('on a terminal is a block with each model, drawn anew in its place and taken away', async () => {
    const { context, written } = around(true)
    await execute(context, async ({ onProgress }) => {
      onProgress({ ...now, models: [model, { ...model, model: 'b', waits: [], failures: [], left: 0 }] })
      onProgress(now)
    })
    const lines = (written[0] ?? '').replace('\r\u001b[J', '').split('\n')
    expect(lines[0]).toMatch(/^250\/1000 done .* 3 min left/u)
    expect(lines[1]).toMatch(
      /gpt\\u\{1b\}\[31m\\u\{202e\} +████░{12} +50\/200 +2 errors +0\.600 \[0\.450, 0\.740\] +5\.0\/s +30 s left +\$0\.2500/u,
    )
    expect(lines[2]).toBe('    waiting: rate-limited by the provider, 12 s; 1 failed call is retried in 1 s')
    expect(lines[3]).toMatch(/^ {4}✗ http-429 ×3: slow \\u\{1b\}\]0;evil\\u\{7\} down$/u)
    expect(lines[4]).toMatch(/^ {2}b .* finished/u)
    // Five lines are gone up, all below is cleared, and nothing stays at the end.
    expect(written[1]?.startsWith('\r\u001b[4A\u001b[J250/1000 done')).toBe(true)
    expect(written.at(-1)).toBe('\r\u001b[J')
  })

  it.each([80, 40])('says all of a model in %s columns too', async (columns) => {
    const { context, written } = around(true, columns)
    const long = { ...model, model: 'openai-compatible:some-model-32b', failures: [] }
    await execute(context, async ({ onProgress }) => onProgress({ ...now, models: [long, { ...long, failed: 0 }] }))
    const lines = (written[0] ?? '').replace('\r\u001b[J', '').split('\n')
    for (const line of lines) expect(line.length).toBeLessThan(columns)
    const said = lines.map((line) => line.trim()).join(' ')
    expect(said).toContain('· $0.50 of $2')
    for (const part of [
      'some-model-32b',
      '50/200',
      '2 errors',
      '0.600 [0.450, 0.740]',
      '5.0/s',
      '30 s left',
      '$0.2500',
    ])
      expect(said).toContain(part)
    expect(said).toContain('rate-limited by the provider, 12 s; 1 failed call is retried in 1 s')
    expect(said).not.toContain('░')
  })
})
