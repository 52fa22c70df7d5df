import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type ItemAnswer,
  isPreciseEnough,
  ModelSchedule,
  type ParameterValue,
  parseStopRule,
} from '../../../src/extras/adaptive/index.ts'
import { groupedPsychometric } from '../../../src/libraries/statistics/index.ts'
import { type Model, type Provider, plainAnswer } from '../../../src/models/index.ts'
import { LOCAL } from '../../../src/models/model.ts'
import { createRun, executeRun, openRun, parseExperiment, type RunContext, withRun } from '../../../src/runner/index.ts'
import { hash48 } from '../../../src/runner/plan/call-order.ts'
import { adaptSchema } from '../../../src/runner/plan/experiment.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { rightAnswer } from '../../mock/parity.ts'

/** A number from 0 to 1 that is the same for the same words, whoever asks when. */
const lot = (...words: readonly string[]): number => hash48(...words) / 2 ** 48

describe('a rule for when enough is known', () => {
  it('is of a threshold and its width or error', () => {
    expect(parseStopRule('x50 width<2')).toEqual({ threshold: 'x50', measure: 'width', below: 2 })
    expect(parseStopRule(' x75  se < .5 ')).toEqual({ threshold: 'x75', measure: 'se', below: 0.5 })
    for (const wrong of ['width<2', 'x50 width<0', 'x60 width<2', 'x50 width>2'])
      expect(() => parseStopRule(wrong)).toThrow(/an adaptive run stops at/u)
  })

  it('is not met by an interval that the values asked cut off', () => {
    const rule = parseStopRule('x50 width<2')
    const inside = { kind: 'inside', value: 5, low: 4.2, high: 6, open: 'neither' } as const
    expect(isPreciseEnough(rule, inside)).toBe(true)
    expect(isPreciseEnough(rule, { ...inside, open: 'high' })).toBe(false)
    expect(isPreciseEnough(rule, { ...inside, low: 4 })).toBe(false)
    expect(isPreciseEnough(rule, { kind: 'outside', solved: 'more' })).toBe(false)
    expect(isPreciseEnough(parseStopRule('x50 se<.46'), inside)).toBe(true)
    expect(isPreciseEnough(parseStopRule('x50 se<.45'), inside)).toBe(false)
  })
})

const levels: readonly ParameterValue[] = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => ({
  at,
  chance: 0.5,
  items: Array.from({ length: 30 }, (_, k) => ({ id: `${at}/${k}`, unit: `${at}/${k}` })),
}))
const adapt = adaptSchema.parse({ parameter: 'k', until: 'x50 width<2.5', maxItems: 120 })

/** What a model says of an item: solved below 4.5 mostly, a guess above. */
const answerOf = (id: string): ItemAnswer => {
  const share = 0.5 + 0.47 / (1 + Math.exp(1.5 * (Number(id.split('/')[0]) - 4.5)))
  return { right: lot('answer', id) < share ? 1 : 0, usd: null }
}

/** Asks a path to its end; `pick` says which of those under way ends next, `stop` after how many the process is gone. */
function goOn(
  path: ModelSchedule,
  pick: (n: number) => number,
  stop = Number.POSITIVE_INFINITY,
): Map<string, ItemAnswer> {
  const answers = new Map<string, ItemAnswer>()
  const flying: string[] = []
  path.advance()
  while (path.end === null && answers.size < stop) {
    flying.push(...path.take(3))
    const [id] = flying.splice(pick(flying.length), 1) as [string]
    answers.set(id, answerOf(id))
    path.addAnswer(id, answerOf(id))
  }
  return answers
}

describe('a path', () => {
  const whole = new ModelSchedule(adapt, levels)
  goOn(whole, () => 0)

  it('ends when it knows', () => {
    expect(whole.end).toBe('precise')
    const threshold = whole.steps.at(-1)?.estimate?.threshold
    expect(threshold).toMatchObject({ kind: 'inside', open: 'neither' })
  })

  it('asks most where the model breaks', () => {
    const long = new ModelSchedule({ ...adapt, until: undefined, maxItems: 120 }, levels)
    goOn(long, () => 0)
    const near = long.steps.filter(({ at }) => at >= 3 && at <= 6).reduce((sum, { items }) => sum + items, 0)
    expect(near / long.chosen).toBeGreaterThan(0.6)
  })

  it('is the same in whatever order answers come, and however often it is broken off', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1 }), fc.array(fc.integer({ min: 1, max: 40 })), (order, stops) => {
        let turn = 0
        const pick = (n: number): number => (order[turn++ % order.length] as number) % n
        const known = new Map<string, ItemAnswer>()
        let path = new ModelSchedule(adapt, levels)
        for (const stop of stops) {
          for (const [id, answer] of goOn(path, pick, stop)) known.set(id, answer)
          // What the ledger holds: the choices as text, and what came of each item.
          path = new ModelSchedule(adapt, levels, JSON.parse(JSON.stringify(path.steps)), known)
        }
        goOn(path, pick)
        expect(JSON.stringify(path.steps)).toBe(JSON.stringify(whole.steps))
        expect(path.curve().levels).toEqual(whole.curve().levels)
      }),
      { numRuns: 5 },
    )
  })

  it('chooses the same without what was written down: it follows from the answers', () => {
    const answers = new Map(levels.flatMap(({ items }) => items.map(({ id }) => [id, answerOf(id)])))
    const again = new ModelSchedule(adapt, levels, [], answers)
    again.advance()
    expect(again.steps).toEqual(whole.steps)
  })

  it('never asks more than it may, nor more than there is', () => {
    const few = new ModelSchedule({ ...adapt, until: undefined, maxItems: 13 }, levels)
    goOn(few, () => 0)
    expect([few.chosen, few.end]).toEqual([13, 'max-items'])
    const all = new ModelSchedule(
      { ...adapt, until: undefined },
      levels.slice(0, 3).map((one) => ({ ...one, items: one.items.slice(0, 7) })),
    )
    goOn(all, () => 0)
    expect([all.chosen, all.end]).toEqual([21, 'no-items-left'])
  })

  it('goes rather where answers are cheap', () => {
    const chosen = (usd: (at: number) => number): number => {
      const path = new ModelSchedule({ ...adapt, until: undefined, maxItems: 60 }, levels)
      path.advance()
      while (path.end === null)
        for (const id of path.take(10)) path.addAnswer(id, { ...answerOf(id), usd: usd(Number(id.split('/')[0])) })
      return path.steps.filter(({ at }) => at >= 5).reduce((sum, { items }) => sum + items, 0)
    }
    expect(chosen((at) => (at >= 5 ? 1 : 0.001))).toBeLessThan(chosen(() => 1))
  })

  it('goes on without answers that failed', () => {
    const path = new ModelSchedule({ ...adapt, until: undefined, maxItems: 20 }, levels)
    path.advance()
    while (path.end === null) for (const id of path.take(1)) path.addAnswer(id, { right: null, usd: null })
    expect(path.chosen).toBe(20)
    expect(path.steps.at(-1)?.estimate).toEqual({ answers: 0, threshold: null })
  })
})

describe('a rule at work on simulated models', () => {
  const rule = adaptSchema.parse({ parameter: 'k', until: 'x50 width<3', maxItems: 400 })
  const enough = parseStopRule('x50 width<3')
  const open = levels.map((level) => ({
    ...level,
    chance: 0,
    items: Array.from({ length: 400 }, (_, k) => ({ id: `${level.at}/${k}`, unit: `${level.at}/${k}` })),
  }))
  const middles = Array.from({ length: 12 }, (_, k) => 3 + 3 * lot('middle', String(k)))
  const right = (k: number, id: string): 0 | 1 => {
    const at = Number(id.split('/')[0])
    return lot('simulated', String(k), id) < 0.97 / (1 + Math.exp(1.2 * (at - (middles[k] as number)))) ? 1 : 0
  }

  it('stops with intervals that hold the threshold, long before values in turn do', () => {
    const found = middles.map((middle, k) => {
      const path = new ModelSchedule(rule, open)
      path.advance()
      while (path.end === null) for (const id of path.take(5)) path.addAnswer(id, { right: right(k, id), usd: null })
      const told = path.steps.at(-1)?.estimate?.threshold
      if (told?.kind !== 'inside') throw new Error('a path that knows has a threshold')
      return { answers: path.chosen, off: told.value - middle, held: told.low <= middle && middle <= told.high }
    })
    // Of twelve one may miss, and one more by chance.
    expect(found.filter(({ held }) => held).length).toBeGreaterThanOrEqual(10)
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(Math.abs(mean(found.map(({ off }) => off)))).toBeLessThan(0.4)
    const inTurn = middles.map((_, k) => {
      for (let each = 5; each <= 100; each += 5) {
        const at = open.flatMap((level) => Array.from({ length: each }, () => level.at))
        const answers = open.flatMap(({ items }) => items.slice(0, each).map(({ id }) => right(k, id)))
        const { curve } = groupedPsychometric({
          at,
          right: answers,
          clusters: at.map((_, i) => i),
          chance: () => 0,
          least: 1.75,
        })
        if (curve.kind === 'curve' && isPreciseEnough(enough, curve.x50)) return at.length
      }
      return 800
    })
    expect(mean(found.map(({ answers }) => answers))).toBeLessThan(0.75 * mean(inTurn))
  })
})

/** A model that solves numbers of few digits, after a wait of its own; `dies` after so many answers. */
const model = (name: string, breaks: number, dies = Number.POSITIVE_INFINITY): Provider => {
  let answers = 0
  const call: Model['call'] = async ({ request }) => {
    const prompt = request.kind === 'chat' ? (request.messages[0]?.content ?? '') : ''
    await new Promise((resolve) => setTimeout(resolve, 4 * Math.random()))
    if (++answers > dies) throw new Error('gone')
    const digits = /(\d+)\?/u.exec(prompt)?.[1]?.length ?? 0
    const solves = lot(name, prompt) < 0.97 / (1 + Math.exp(2 * (digits - breaks)))
    const right = rightAnswer(prompt)
    return plainAnswer(solves || lot(name, 'guess', prompt) < 0.5 ? right : right === 'Yes' ? 'No' : 'Yes')
  }
  return {
    name,
    argument: 'X',
    summary: '',
    open: (rest) =>
      Promise.resolve({
        name: `${name}:${rest}`,
        kind: 'chat',
        route: name,
        concurrency: LOCAL,
        reusesContext: false,
        call,
      }),
  }
}

describe('an adaptive run', () => {
  let folder: string
  let remove: () => Promise<void>
  beforeEach(async () => {
    ;({ folder, remove } = await scratch())
  })
  afterEach(() => remove())

  const experiment = (more: object = {}) =>
    parseExperiment({
      items: { task: 'mock/parity', preset: 'endless', count: 60 },
      models: ['early:x', 'late:x'],
      adapt: { parameter: 'digits', from: 1, to: 9, until: 'x50 width<4', maxItems: 200 },
      ...more,
    })
  const context = (dies?: number): RunContext =>
    mockContext({ providers: [model('early', 4, dies), model('late', 6.5)] })
  const choices = (dir: string) =>
    openRun(dir, context(), { mode: 'read' }).then((run) => withRun(run, ({ ledger }) => ledger.meta('adapt')))

  it('asks each model along its own path, and goes on where it was broken off with the same choices', async () => {
    const whole = join(folder, 'whole')
    const result = await withRun(await createRun({ dir: whole, experiment: experiment() }, context()), executeRun)
    expect(result).toMatchObject({
      status: 'stopped-early',
      adapt: { models: [{ end: 'precise' }, { end: 'precise' }] },
    })
    const [early, late] = (result.adapt?.models ?? []).map(({ steps }) => steps.at(-1)?.estimate?.threshold)
    expect(early?.kind === 'inside' && early.low < 4 && early.high > 4).toBe(true)
    expect(late?.kind === 'inside' && late.low < 6.5 && late.high > 6.5).toBe(true)
    expect(result.counts.done).toBe(
      result.adapt?.models.flatMap(({ steps }) => steps).reduce((sum, { items }) => sum + items, 0),
    )
    const file = JSON.parse(readFileSync(join(whole, 'run.json'), 'utf8'))
    expect(file.adapt).toMatchObject({ parameter: 'digits', until: 'x50 width<4', checkEvery: 5 })

    const broken = join(folder, 'broken')
    for (const stopAfter of [30, 60]) {
      const stop = new AbortController()
      const open =
        stopAfter === 30
          ? await createRun({ dir: broken, experiment: experiment() }, context())
          : await openRun(broken, context(), { mode: 'write' })
      await withRun(open, (run) =>
        executeRun(run, { abort: stop.signal, onProgress: ({ done }) => done >= stopAfter && stop.abort() }),
      )
    }
    const again = await withRun(await openRun(broken, context(), { mode: 'write' }), executeRun)
    expect(again.status).toBe('stopped-early')
    expect(await choices(broken)).toBe(await choices(whole))
    // What is known is not asked again.
    const third = await withRun(await openRun(broken, context(), { mode: 'write' }), executeRun)
    expect(third.counts).toEqual(again.counts)
  })

  it.each([
    [{ adapt: 'digit' }, /has no parameter "digit" \(did you mean "digits"\?\)/u],
    [{ adapt: { parameter: 'digits', from: 3 } }, /give the smallest and the largest value/u],
    [{ adapt: { parameter: 'digits', from: 3, to: 4 } }, /has 2 values/u],
    [{ adapt: 'digits' }, /1 values of "digits"/u],
    [{ adapt: { parameter: 'digits', until: 'width<2' } }, /an adaptive run stops at/u],
    [{ until: 'width<0.1' }, /exclude each other/u],
    [{ models: [{ model: 'early:x', samples: 2 }] }, /new items are more informative/u],
    [{ models: [{ model: 'early:x', settings: [{}, { temperature: 1 }] }] }, /its own model entry/u],
    [
      { items: { task: 'mock/parity', preset: 'endless', count: 60, style: ['plain', 'polite'] } },
      /expected one style/u,
    ],
  ])('refuses %j', async (more, message) => {
    const asked = async () => {
      const dir = join(folder, 'refused')
      return withRun(await createRun({ dir, experiment: experiment(more) }, context()), executeRun)
    }
    await expect(asked()).rejects.toThrow(message)
  })
})
