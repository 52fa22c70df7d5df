import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/core/index.ts'
import { ruleOf } from '../../../src/runner/until/rule.ts'
import { Watch } from '../../../src/runner/until/watch.ts'

const answer = (right: boolean): Outcome => ({
  kind: 'answered',
  finish: 'stop',
  verdicts: { strict: { kind: 'graded', value: right ? 1 : 0, answer: 0, rule: 'r', span: [0, 1] } },
})

describe('a rule', () => {
  it('names two models, whose names may hold the sign', () => {
    expect(ruleOf('a > b', ['a', 'b'])).toEqual({ kind: 'better', a: 'a', b: 'b' })
    expect(ruleOf('x>1>b', ['x>1', 'b'])).toEqual({ kind: 'better', a: 'x>1', b: 'b' })
    expect(ruleOf('width < .05', ['a'])).toEqual({ kind: 'width', below: 0.05 })
  })

  it.each([
    ['a>c', /no model is called "c"/],
    ['a>a', /cannot be compared with itself/],
    ['sometime', /expected "A>B"/],
    ['width<2', /between 0 and 1/],
  ])('is refused in words: %s', (text, message) => {
    expect(() => ruleOf(text, ['a', 'b'])).toThrow(message)
  })
})

describe('a watch', () => {
  const until = { rule: 'a>b', alpha: 0.05, every: 5 }
  const sizes = (groups: number, cells: number) =>
    Array.from({ length: groups }, (_, g) => ['a', 'b'].map((model) => ({ unit: `g${g}`, model, cells }))).flat()
  const item = (g: number, i: number) => ({ id: `g${g}/${i}`, group: `g${g}` })

  it('counts a group once, when both models have ended all of it', () => {
    const watch = new Watch({ ...until, every: 1 }, ['a', 'b'], sizes(1, 2), false)
    expect(watch.ended(item(0, 0), 'a', answer(true), 'now')).toBe(false)
    expect(watch.ended(item(0, 1), 'a', answer(false), 'now')).toBe(false)
    expect(watch.ended(item(0, 0), 'b', answer(false), 'now')).toBe(false)
    expect(watch.ended(item(0, 1), 'b', null, 'now')).toBe(true)
    expect(watch.state.looks).toMatchObject([{ units: 1, difference: 0.5 }])
  })

  it('knows when it has seen enough, says so, and looks no more', () => {
    const watch = new Watch(until, ['a', 'b'], sizes(60, 1), false)
    for (let g = 0; g < 60; g++)
      for (const model of ['a', 'b']) watch.ended(item(g, 0), model, answer(model === 'a'), 'now')
    expect(watch.verdict).toBe('a > b')
    const { looks } = watch.state
    expect(looks.length).toBeLessThan(5)
    expect(looks.at(-1)).toMatchObject({ difference: 1 })
  })

  it('knows the other way round too', () => {
    const watch = new Watch(until, ['a', 'b'], sizes(60, 1), false)
    for (let g = 0; g < 60; g++)
      for (const model of ['a', 'b']) watch.ended(item(g, 0), model, answer(model === 'b'), 'now')
    expect(watch.verdict).toBe('b > a')
  })

  it('goes on with the looks of an earlier process, counted again and not looked at again', () => {
    const before = [{ kind: 'better' as const, units: 5, difference: 0, above: 1, below: 1 }]
    const watch = new Watch(until, ['a', 'b'], sizes(60, 1), false, before)
    for (let g = 0; g < 12; g++) for (const model of ['a', 'b']) watch.ended(item(g, 0), model, answer(true), 'before')
    expect(watch.state.looks).toEqual(before)
  })

  it('takes the item as unit where there is one group', () => {
    const perItem = Array.from({ length: 4 }, (_, i) =>
      ['a', 'b'].map((model) => ({ unit: `g0/${i}`, model, cells: 1 })),
    )
    const watch = new Watch({ ...until, every: 2 }, ['a', 'b'], perItem.flat(), true)
    for (let i = 0; i < 4; i++) for (const model of ['a', 'b']) watch.ended(item(0, i), model, answer(true), 'now')
    expect(watch.state.looks).toMatchObject([{ units: 2 }, { units: 4 }])
  })
})
