import { describe, expect, it } from 'vitest'
import { bindStreams, type Item, KeySpace, rootKey } from '../../../src/core/index.ts'
import { type Rule, runCascade, traceCascade } from '../../../src/libraries/rewriting/index.ts'
import { gradeInduction, heldOutWords } from '../../../src/tasks/pbebench/held-out.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'
import { countShort } from '../../../src/tasks/pbebench/multiplicity.ts'
import type { CascadeAnswer, Examples } from '../../../src/tasks/pbebench/types.ts'

const itemsOf = (preset: string, seed: string, indices: readonly number[]): readonly Item[] => {
  const source = induce.source(induce.preset(preset).config, { split: 'test', seed })
  return indices.map((index) => source.item(index)).filter((item): item is Item => item.kind === 'item')
}
const givenOf = (item: Item) => item.given as unknown as Examples
const rulesOf = (item: Item) => item.answer as unknown as readonly Rule[]

function answered(item: Item, name: string) {
  const baseline = induce.baselines?.[name]
  if (baseline?.kind !== 'chat') throw new Error(`${name} does not answer`)
  const space = new KeySpace(rootKey(induce.name, 1, 'test', 'held-out'))
  const text = baseline.answer(item, bindStreams(space, 'baseline/', [item.index], null))
  const read = induce.parsers?.['strict']?.(text, item)
  if (read?.kind !== 'extracted') throw new Error(`${name} is not read`)
  return gradeInduction(givenOf(item), rulesOf(item), read.answer as unknown as CascadeAnswer)
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('held-out words', () => {
  it.each(['pbebench-lite', 'pbebench', 'determined-lite'])(
    'of %s are new, of both kinds, and in no prompt',
    (preset) => {
      for (const item of itemsOf(preset, 'words', [0, 40, 80])) {
        const given = givenOf(item)
        const { changed, unchanged } = heldOutWords(given, rulesOf(item))
        expect(changed.inputs.length).toBeGreaterThan(20)
        expect(unchanged.inputs.length).toBeGreaterThan(20)
        expect(changed.outputs).toEqual(runCascade(changed.inputs, rulesOf(item)))
        expect(changed.outputs.every((word, i) => word !== changed.inputs[i])).toBe(true)
        expect(unchanged.outputs).toEqual(unchanged.inputs)
        const all = [...changed.inputs, ...unchanged.inputs]
        expect(new Set([...all, ...given.inputs]).size).toBe(all.length + new Set(given.inputs).size)
        expect(heldOutWords(structuredClone(given), rulesOf(item)).changed).toEqual(changed)
      }
    },
  )

  it('give the planted rules full marks, no rules none, and rules for the words shown a gap', () => {
    const given: Examples = {
      inputs: ['xab', 'cdy'],
      outputs: ['xzb', 'cdy'],
      limits: { rules: 1, side: 3, letters: 'abcdxyz', count: 'code-points' },
    }
    const truth: Rule[] = [['a', 'z']]
    expect(gradeInduction(given, truth, truth).parts).toMatchObject({
      extensional: 1,
      intensional: 1,
      gap: 0,
      specificity: 1,
    })
    expect(gradeInduction(given, truth, []).parts).toMatchObject({ extensional: 0, intensional: 0, specificity: 1 })
    const patched = gradeInduction(given, truth, [['xab', 'xzb']])
    expect(patched.value).toBe(1)
    expect(patched.parts['gap']).toBeGreaterThan(0.8)
    const asked = { ...given, limits: { ...given.limits, determined: true as const } }
    expect(gradeInduction(asked, truth, [['xab', 'xzb']]).value).toBe(0)
    expect(gradeInduction(asked, truth, truth).value).toBe(1)
  })
})

describe('determined presets', () => {
  const items = [
    ...itemsOf('determined-lite', 'determined', [0, 30, 60, 90, 120, 150, 180, 210]),
    ...itemsOf('determined', 'determined', [0, 60, 120, 180]),
  ]

  it('show every rule in two words, and have no shorter cascade', () => {
    for (const item of items) {
      const { inputs, outputs, limits } = givenOf(item)
      const trace = traceCascade(inputs, rulesOf(item))
      expect(trace.at(-1)).toEqual(outputs)
      for (const k of rulesOf(item).keys())
        expect(trace[k]?.filter((word, i) => word !== trace[k + 1]?.[i]).length).toBeGreaterThanOrEqual(2)
      expect(limits).toMatchObject({ rules: rulesOf(item).length, determined: true })
      expect(item.features['minimalLength']).toBe(rulesOf(item).length)
      if (rulesOf(item).length === 2 && limits.letters.length < 20) expect(countShort(givenOf(item)).one).toBe(0)
    }
  })

  it('are not solved by patching, and the shortest cascade holds on held-out words', () => {
    const [patched, shortest] = ['patcher', 'shortest'].map((name) => items.map((item) => answered(item, name)))
    expect(patched?.map(({ value }) => value)).toEqual(items.map(() => 0))
    expect(mean(shortest?.map(({ parts }) => parts['intensional'] as number) ?? [])).toBeGreaterThan(0.95)
    expect(mean(shortest?.map(({ value }) => value) ?? [])).toBeGreaterThan(0.9)
  })

  it('say that other words count, where published presets do not', () => {
    const promptOf = (item: Item) =>
      JSON.stringify(
        induce.request(
          item,
          'standard',
          bindStreams(new KeySpace(rootKey('x', 1, 'test', 'prompts')), 'prompt/', [0], null),
        ),
      )
    expect(promptOf(items[0] as Item)).toContain('on other words')
    expect(promptOf(itemsOf('pbebench-lite', 'determined', [0])[0] as Item)).not.toContain('other words')
  })
})

it('lite items leave the rules open: the shortest cascade fits all words shown and few others', () => {
  const grades = itemsOf('pbebench-lite', 'open', [1, 100, 200, 300, 400, 500, 600, 700]).map((item) =>
    answered(item, 'shortest'),
  )
  expect(mean(grades.map(({ parts }) => parts['extensional'] as number))).toBe(1)
  expect(mean(grades.map(({ parts }) => parts['gap'] as number))).toBeGreaterThan(0.2)
})
