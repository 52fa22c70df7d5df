import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/core/index.ts'
import { loadSequentialTest, parseUntil, SequentialTest } from '../../../src/extras/sequential/index.ts'
import { type Provider, plainAnswer } from '../../../src/models/index.ts'
import { createRun, executeRun, parseExperiment, withRun } from '../../../src/runner/index.ts'
import { hash48 } from '../../../src/runner/plan/call-order.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { rightAnswer } from '../../mock/parity.ts'

const answer = (right: boolean): Outcome => ({
  kind: 'answered',
  finish: 'stop',
  results: { strict: { kind: 'graded', value: right ? 1 : 0, answer: 0, rule: 'r', span: [0, 1] } },
})

describe('a rule', () => {
  it('names two models, whose names may hold the sign', () => {
    expect(parseUntil('a > b', ['a', 'b'])).toEqual({ kind: 'better', a: 'a', b: 'b' })
    expect(parseUntil('x>1>b', ['x>1', 'b'])).toEqual({ kind: 'better', a: 'x>1', b: 'b' })
    expect(parseUntil('width < .05', ['a'])).toEqual({ kind: 'width', below: 0.05 })
  })

  it.each([
    ['a>c', /no model is called "c"/],
    ['a>a', /cannot be compared with itself/],
    ['sometime', /expected "A>B"/],
    ['width<2', /between 0 and 1/],
  ])('is refused in words: %s', (text, message) => {
    expect(() => parseUntil(text, ['a', 'b'])).toThrow(message)
  })
})

describe('a watch', () => {
  const until = { rule: 'a>b', alpha: 0.05, checkEvery: 5 }
  const sizes = (groups: number, calls: number) =>
    Array.from({ length: groups }, (_, g) => ['a', 'b'].map((model) => ({ unit: `g${g}`, model, calls }))).flat()
  const item = (g: number, i: number) => ({ id: `g${g}/${i}`, group: `g${g}` })

  it('counts a group once, when both models have ended all of it', () => {
    const watch = new SequentialTest({ ...until, checkEvery: 1 }, ['a', 'b'], sizes(1, 2), false)
    expect(watch.addOutcome(item(0, 0), 'a', answer(true), 'now')).toBe(false)
    expect(watch.addOutcome(item(0, 1), 'a', answer(false), 'now')).toBe(false)
    expect(watch.addOutcome(item(0, 0), 'b', answer(false), 'now')).toBe(false)
    expect(watch.addOutcome(item(0, 1), 'b', null, 'now')).toBe(true)
    expect(watch.state.interim).toMatchObject([{ groups: 1, difference: 0.5 }])
  })

  it('knows when it has seen enough, says so, and looks no more', () => {
    const watch = new SequentialTest(until, ['a', 'b'], sizes(60, 1), false)
    for (let g = 0; g < 60; g++)
      for (const model of ['a', 'b']) watch.addOutcome(item(g, 0), model, answer(model === 'a'), 'now')
    expect(watch.verdict).toBe('a > b')
    const { interim } = watch.state
    expect(interim.length).toBeLessThan(5)
    expect(interim.at(-1)).toMatchObject({ difference: 1 })
  })

  it('knows the other way round too', () => {
    const watch = new SequentialTest(until, ['a', 'b'], sizes(60, 1), false)
    for (let g = 0; g < 60; g++)
      for (const model of ['a', 'b']) watch.addOutcome(item(g, 0), model, answer(model === 'b'), 'now')
    expect(watch.verdict).toBe('b > a')
  })

  it('goes on with the looks of an earlier process, counted again and not looked at again', () => {
    const before = [{ kind: 'better' as const, groups: 5, difference: 0, eGreater: 1, eLess: 1 }]
    const watch = new SequentialTest(until, ['a', 'b'], sizes(60, 1), false, { interim: before, verdict: null })
    for (let g = 0; g < 12; g++)
      for (const model of ['a', 'b']) watch.addOutcome(item(g, 0), model, answer(true), 'before')
    expect(watch.state.interim).toEqual(before)
  })

  it('knows what an earlier process knew, whatever calls under way said after it', () => {
    const interim = [{ kind: 'better' as const, groups: 5, difference: 1, eGreater: 41, eLess: 0 }]
    const watch = new SequentialTest(until, ['a', 'b'], sizes(60, 1), false, { interim, verdict: 'a > b' })
    for (let g = 0; g < 12; g++)
      for (const model of ['a', 'b']) watch.addOutcome(item(g, 0), model, answer(model === 'b'), 'before')
    watch.analyze()
    expect(watch.state).toMatchObject({ verdict: 'a > b', interim })
  })

  it('takes the item as unit where there is one group', () => {
    const perItem = Array.from({ length: 4 }, (_, i) =>
      ['a', 'b'].map((model) => ({ unit: `g0/${i}`, model, calls: 1 })),
    )
    const watch = new SequentialTest({ ...until, checkEvery: 2 }, ['a', 'b'], perItem.flat(), true)
    for (let i = 0; i < 4; i++) for (const model of ['a', 'b']) watch.addOutcome(item(0, i), model, answer(true), 'now')
    expect(watch.state.interim).toMatchObject([{ groups: 2 }, { groups: 4 }])
  })

  it('counts units in their order, whichever end first: quick answers are no evidence', () => {
    const right = (g: number, model: string): boolean => (model === 'a' ? g % 4 < 2 : g % 2 === 0)
    const calls = Array.from({ length: 40 }, (_, g) => ['a', 'b'].map((model) => ({ g, model }))).flat()
    const looksOf = (arriving: typeof calls) => {
      const watch = new SequentialTest(until, ['a', 'b'], sizes(40, 1), false)
      for (const { g, model } of arriving) watch.addOutcome(item(g, 0), model, answer(right(g, model)), 'now')
      return watch.state
    }
    // a is quick where it is right, b where it is wrong.
    const slow = ({ g, model }: { g: number; model: string }): number => Number(right(g, model) !== (model === 'a'))
    const biased = looksOf(calls.toSorted((x, y) => slow(x) - slow(y)))
    expect(biased).toEqual(looksOf(calls))
    expect(biased).toMatchObject({ verdict: null })
    expect(biased.interim).toHaveLength(8)
  })

  it('waits for no unit that nobody answered or one of two is not asked', () => {
    const unlike = sizes(4, 1).filter(({ unit, model }) => unit !== 'g0' || model === 'a')
    const watch = new SequentialTest({ ...until, checkEvery: 1 }, ['a', 'b'], unlike, false)
    for (const [g, outcome] of [answer(true), null, answer(true), answer(true)].entries())
      for (const model of ['a', 'b']) if (g > 0 || model === 'a') watch.addOutcome(item(g, 0), model, outcome, 'now')
    expect(watch.state.interim).toMatchObject([{ groups: 1 }, { groups: 2 }])
  })
})

/** Right in half of all groups; `quick` says whether its right or its wrong answers come first. */
const model = (name: string, quick: boolean): Provider => ({
  name,
  argument: 'X',
  summary: '',
  open: (rest) =>
    Promise.resolve({
      name: `${name}:${rest}`,
      kind: 'chat',
      route: name,
      concurrency: { start: 200, most: 200 },
      reusesContext: false,
      call: async ({ request }) => {
        const prompt = request.kind === 'chat' ? (request.messages[0]?.content ?? '') : ''
        const right = isRight(name, /group \d+/u.exec(prompt)?.[0] ?? '')
        if (right !== quick) await new Promise((resolve) => setTimeout(resolve, 30))
        return plainAnswer(right === (rightAnswer(prompt) === 'Yes') ? 'Yes' : 'No')
      },
    }),
})
const isRight = (name: string, group: string): boolean => hash48(name, group) % 2 === 0

describe('a run with a rule', () => {
  it('looks at groups in the order in which it asks them', async () => {
    const { folder, remove } = await scratch()
    const context = mockContext({ providers: [model('hasty', true), model('slow', false)] })
    const experiment = parseExperiment({
      items: { task: 'mock/parity', preset: 'endless', count: 120 },
      models: ['hasty:X', 'slow:X'],
      until: { rule: 'hasty:X>slow:X', checkEvery: 4 },
    })
    await withRun(await createRun({ experiment, dir: join(folder, 'run') }, context), async (run) => {
      await executeRun(run)
      const turns = new Map<string, number>()
      for await (const page of run.ledger.waitingCalls())
        for (const { group, priority } of page) turns.set(group, Math.min(priority, turns.get(group) ?? priority))
      const gaps = [...turns]
        .sort((x, y) => x[1] - y[1])
        .map(([group]) => `group ${group.split('/').at(-1)}`)
        .map((word) => Number(isRight('hasty', word)) - Number(isRight('slow', word)))
      const looks = (await loadSequentialTest(run))?.interim ?? []
      expect(looks.map(({ groups }) => groups)).toEqual(Array.from({ length: 25 }, (_, i) => 4 * (i + 1)))
      for (const look of looks)
        expect(look).toMatchObject({
          difference: expect.closeTo(gaps.slice(0, look.groups).reduce((sum, gap) => sum + gap, 0) / look.groups, 9),
        })
    })
    await remove()
  })
})
