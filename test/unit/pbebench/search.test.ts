import { describe, expect, it } from 'vitest'
import { type Item, Sfc32 } from '../../../src/core/index.ts'
import type { Rule } from '../../../src/libraries/rewriting/index.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'
import { answerBlock } from '../../../src/tasks/pbebench/prompt.ts'
import { propose } from '../../../src/tasks/pbebench/sampling/published.ts'
import { ALL_LETTERS, liteSetting, type Setting } from '../../../src/tasks/pbebench/sampling/settings.ts'
import { cascadeBaselines, hybridAnswer } from '../../../src/tasks/pbebench/search/baselines.ts'
import { greedySearch } from '../../../src/tasks/pbebench/search/greedy.ts'
import { type SearchProblem, solves } from '../../../src/tasks/pbebench/search/problem.ts'
import { cascadeSearch } from '../../../src/tasks/pbebench/search/search.ts'
import { sample } from '../../nightly.ts'

const setting: Setting = { ...liteSetting, words: 50, letters: [...ALL_LETTERS], leftSides: 'initial' }

function fresh(length: number, seed: number): SearchProblem & { readonly truth: readonly Rule[] } {
  for (let k = 0; ; k++) {
    const instance = propose(new Sfc32(seed, length, k, 11), setting, length)
    if (instance === null) continue
    const { inputs, outputs, rules } = instance
    return { inputs, outputs, rules: Math.max(20, length), side: 3, letters: ALL_LETTERS, truth: rules }
  }
}

describe('the cascade search', () => {
  it('solves fresh hard instances of 20 rules within the limit', () => {
    const seeds = [0, 1, 2, 3, 4, 5].slice(0, sample({ nightly: 6, otherwise: 3 }))
    const solved = seeds.filter((seed) => {
      const problem = fresh(20, seed)
      const { rules, solved: done } = cascadeSearch(problem, new Sfc32(seed, 1, 2, 3), { steps: 60_000 })
      expect(rules === null || solves(problem, rules)).toBe(true)
      expect(done).toBe(rules !== null && rules.length <= 20)
      return done
    })
    expect(solved.length).toBeGreaterThanOrEqual(seeds.length - 1)
  })

  it('keeps to the limits of sides', () => {
    const problem = fresh(15, 3)
    const { rules } = cascadeSearch(problem, new Sfc32(1, 1, 2, 3), { steps: 20_000 })
    expect(rules?.every(([left, right]) => left.length >= 1 && left.length <= 3 && right.length <= 3)).toBe(true)
  })

  it('is the same for the same stream and number of steps', () => {
    const problem = fresh(20, 7)
    const once = cascadeSearch(problem, new Sfc32(5, 5, 5, 5), { steps: 3000 })
    expect(cascadeSearch(problem, new Sfc32(5, 5, 5, 5), { steps: 3000 })).toEqual(once)
    expect(once.steps).toBeGreaterThanOrEqual(once.solvedAt ?? 0)
  })

  it('ends on its budget, also where no cascade exists', () => {
    const problem = { inputs: ['ab', 'ab'], outputs: ['ba', 'aa'], rules: 3, side: 3, letters: 'ab' }
    const found = cascadeSearch(problem, new Sfc32(1, 2, 3, 4), { steps: 2000 })
    expect(found).toMatchObject({ rules: null, solved: false })
    expect(found.steps).toBeLessThan(2100)
  })

  it('ends where an output is many times as long as its word, and solves it', () => {
    const problem = { inputs: ['a', 'bc'], outputs: ['efg'.repeat(9), 'bc'], rules: 20, side: 3, letters: 'abcefgh' }
    const { rules } = cascadeSearch(problem, new Sfc32(1, 2, 3, 4), { steps: 5000 })
    expect(rules !== null && solves(problem, rules)).toBe(true)
  })

  it('ends where a word would have to come from nothing, and where words vanish', () => {
    const nothing = { inputs: ['', 'b'], outputs: ['a', 'b'], rules: 3, side: 3, letters: 'ab' }
    expect(cascadeSearch(nothing, new Sfc32(1, 2, 3, 4), { steps: 500 }).rules).toBeNull()
    expect(greedySearch(nothing, new Sfc32(1, 2, 3, 4), { steps: 500 })).toEqual([])
    const vanish = { inputs: ['abc', 'bd'], outputs: ['', 'bd'], rules: 3, side: 3, letters: 'abcd' }
    expect(cascadeSearch(vanish, new Sfc32(1, 2, 3, 4), { steps: 500 })).toMatchObject({ rules: [['abc', '']] })
  })

  it('solves dense instances, where every rule touches many words', () => {
    const dense: Setting = { ...setting, letters: [...'abcdefgh'], leftSides: 'intermediate' }
    const seeds = Array.from({ length: sample({ nightly: 8, otherwise: 3 }) }, (_, seed) => seed)
    const solved = seeds.filter((seed) => {
      let instance = null
      for (let k = 0; instance === null; k++) instance = propose(new Sfc32(seed, 8, k, 13), dense, 8)
      const problem = { inputs: instance.inputs, outputs: instance.outputs, rules: 8, side: 3, letters: 'abcdefgh' }
      return cascadeSearch(problem, new Sfc32(seed, 1, 2, 3), { steps: 20_000 }).solved
    })
    expect(solved.length).toBeGreaterThan(seeds.length / 2)
  })

  it('begins from rules of another origin', () => {
    const problem = fresh(20, 9)
    const { steps } = cascadeSearch(problem, new Sfc32(1, 2, 3, 4), { steps: 20_000, start: problem.truth })
    expect(steps).toBeLessThan(10)
    const half = cascadeSearch(problem, new Sfc32(1, 2, 3, 4), { steps: 60_000, start: problem.truth.slice(0, 10) })
    expect(half.solved).toBe(true)
  })
})

const COUNT = sample({ nightly: 24, otherwise: 12 })

describe('baselines', () => {
  const source = induce.source(induce.preset('pbebench-lite').config, { split: 'test', seed: 3 })
  const items = Array.from({ length: COUNT }, (_, index) => source.item(index) as Item)
  const value = (item: Item, response: string): number => {
    const { shared, given, answer } = item
    const found = induce.parsers?.strict(response, { shared, given })
    if (found?.kind !== 'extracted') throw new Error('a baseline must answer in the strict form')
    return induce.grade?.({ shared, given, answer }, found.answer).value ?? 0
  }
  const score = (name: string): number =>
    items.filter((item) => {
      const baseline = induce.baselines?.[name]
      if (baseline?.kind !== 'chat') throw new Error(`no baseline ${name}`)
      return (
        value(
          item,
          baseline.answer({ shared: item.shared, given: item.given }, source.baselineDraws(item.index, name)),
        ) === 1
      )
    }).length

  it('search solves the small set, identity never, greedy most of it', () => {
    expect(score('cascade-search-short')).toBe(COUNT)
    expect(score('identity')).toBe(0)
    expect(score('greedy')).toBeGreaterThan(COUNT / 2)
    expect(Object.keys(cascadeBaselines)).toContain('cascade-search')
  })

  it('counts its steps, the same every time, and finds shorter cascades where it goes on', () => {
    const asked = items.slice(0, sample({ nightly: 8, otherwise: 3 })).map((item) => {
      const { shared, given, index } = item
      const of = (name: string) => {
        const baseline = cascadeBaselines[name]
        if (baseline?.work === undefined) throw new Error(`${name} counts no steps`)
        const question = { shared, given: given as never }
        const worked = baseline.work(question, source.baselineDraws(index, 'search'))
        expect(baseline.answer(question, source.baselineDraws(index, 'search'))).toBe(worked.text)
        expect(baseline.work(question, source.baselineDraws(index, 'search'))).toEqual(worked)
        return worked
      }
      return { short: of('cascade-search-short'), shortest: of('shortest') }
    })
    const rules = (text: string) => text.split('replace(').length - 1
    for (const { short, shortest } of asked) {
      expect(short.steps).toBeGreaterThan(0)
      // The limit is met by the same steps; what follows only shortens.
      expect(shortest.steps).toBe(short.steps)
      expect(rules(shortest.text)).toBeLessThanOrEqual(rules(short.text))
    }
  })

  const improved = (item: Item, response: string, steps?: number): string =>
    hybridAnswer(
      { shared: item.shared, given: item.given as never },
      response,
      source.baselineDraws(item.index, 'hybrid'),
      steps,
    )

  it('the hybrid takes over from a response, readable or not', () => {
    const item = items[0] as Item
    expect(value(item, improved(item, 'I cannot say.', 5000))).toBe(1)
    expect(value(item, improved(item, "```python\n[replace('a','b')]\n```", 5000))).toBe(1)
  })

  it('the hybrid keeps what is right right, with hardly a step', () => {
    for (const item of items) {
      const gold = induce.gold?.({ shared: item.shared, given: item.given, answer: item.answer }) ?? ''
      expect(value(item, improved(item, gold, 1))).toBe(1)
    }
  })

  it('the hybrid uses the rules of the response: what is left of a cascade takes few steps', () => {
    const hard = induce.source(induce.configure({ ...induce.preset('pbebench').config, lengths: [15], size: null }), {
      split: 'test',
      seed: 3,
    })
    const steps = 200
    const passed = (rules: (all: readonly Rule[]) => readonly Rule[]): number =>
      Array.from({ length: 12 }, (_, index) => hard.item(index) as Item).filter((item) => {
        const text = answerBlock(rules(item.answer as unknown as readonly Rule[]))
        const question = { shared: item.shared, given: item.given as never }
        return value(item, hybridAnswer(question, text, hard.baselineDraws(item.index, 'hybrid'), steps)) === 1
      }).length
    const alone = passed(() => [])
    const helped = passed((all) => all.slice(0, 11))
    expect(helped).toBeGreaterThan(alone)
  })

  it('the hybrid goes on from letters outside the alphabet, and skips those above U+FFFF and line breaks', () => {
    const item = items[0] as Item
    for (const letter of ['é', '😀', '\\u000a']) {
      const given = { ...(item.given as object), inputs: ['ab', 'b'], outputs: ['ba', 'a'] }
      const response = `\`\`\`\n["replace('a', '${letter}')", "replace('b', 'a')", "replace('${letter}a', 'ba')"]\n\`\`\``
      const answer = hybridAnswer({ shared: null, given: given as never }, response, source.baselineDraws(0, 'hybrid'))
      expect(answer.isWellFormed()).toBe(true)
      expect(value({ ...item, given } as Item, answer)).toBe(1)
    }
  })

  it('the hybrid leaves a response as it is where its search finds nothing', () => {
    const item = items[0] as Item
    const swapped = { ...(item.given as object), inputs: ['ab', 'ab'], outputs: ['ba', 'aa'] }
    const draws = source.baselineDraws(0, 'hybrid')
    expect(hybridAnswer({ shared: null, given: swapped as never }, 'as it was', draws, 500)).toBe('as it was')
  })

  it.each([
    ['a million rules', `\`\`\`\n[${"replace('a','b'),".repeat(1_000_000)}]\n\`\`\``],
    ['rules that pump words up', `\`\`\`\n[${"replace('a','aaa'),".repeat(200)}]\n\`\`\``],
    ['empty left sides', `\`\`\`\n[${"replace('','a'),".repeat(200)}]\n\`\`\``],
  ])('the hybrid survives %s', (_what, response) => {
    const item = items[0] as Item
    expect(value(item, improved(item, response, 5000))).toBe(1)
    // Where many rules are allowed, growth is what stops them.
    const given = { ...(item.given as object), limits: { rules: 200, side: 5, letters: '', count: 'code-points' } }
    const draws = source.baselineDraws(0, 'hybrid')
    expect(hybridAnswer({ shared: null, given: given as never }, response, draws, 5000)).not.toBe(response)
  })

  it('greedy comes closer than doing nothing', () => {
    const problem = fresh(10, 1)
    const rules = greedySearch(problem, new Sfc32(1, 2, 3, 4), { steps: 20_000 })
    expect(rules.length).toBeGreaterThan(0)
    expect(rules.length).toBeLessThanOrEqual(problem.rules)
  })
})
