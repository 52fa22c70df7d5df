import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Item,
  namedStream,
  pick,
  solutionDetails,
  solutionText,
  summarizeTrace,
  type Task,
} from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly, sample } from '../../nightly.ts'
import { faultsOf, PRESETS } from './faults.ts'

const tasks = families.flatMap((family) => family.tasks).filter(({ solution }) => solution !== undefined)
const MAX_ITEMS = sample({ nightly: 600, otherwise: 8 })
/** Characters of a hostile text. */
const LONG = sample({ nightly: 200_000, otherwise: 25_000 })

/** Items of a preset, drawn once for all that is asked of them. */
const drawn = new Map<string, { readonly size: number; readonly items: readonly Item[] }>()
function drawnOf(task: Task, preset: string) {
  const key = `${task.name} ${preset}`
  const known = drawn.get(key)
  if (known !== undefined) return known
  const source = task.source(task.preset(preset).config, { split: 'train', seed: 'solutions' })
  const size = Math.min(MAX_ITEMS, source.layout.size ?? MAX_ITEMS)
  const all = Array.from({ length: size }, (_, index) => source.item(index))
  const made = { size, items: all.filter((item) => item.kind === 'item') }
  drawn.set(key, made)
  return made
}

const answerOf = (task: Task, item: Item): string => (task.gold?.(item) ?? '').replace(/^Answer: /u, '')
const trace = (task: Task, item: Item, text: string) =>
  summarizeTrace(task.checkSteps?.(item, text) ?? { steps: [], unknown: [] }, answerOf(task, item))

const cases = tasks.flatMap((task) =>
  (PRESETS[task.name] ?? []).flatMap((preset) =>
    solutionDetails.map((detail) => [task.name, preset, detail, task] as const),
  ),
)

describe.each(cases)('worked solutions of %s %s (%s)', (name, preset, detail, task) => {
  it('have steps, all of which hold, and give the answer', () => {
    let count = 0
    for (const item of drawnOf(task, preset).items) {
      const text = solutionText(task.solution?.(item) ?? [], detail)
      const { steps, trueSteps: holding, firstFalse, unknown, supportsAnswer: follows } = trace(task, item, text)
      expect([item.id, holding, firstFalse, unknown, follows]).toEqual([item.id, steps, null, [], true])
      expect(steps).toBeGreaterThan(0)
      const read = task.parsers?.strict(text, item)
      expect(read?.kind === 'extracted' && task.oracle(item, read.answer)).toBe(true)
      count++
    }
    expect(count).toBeGreaterThanOrEqual(Math.min(21, drawnOf(task, preset).size))
  })

  it('with a fault in one step are caught at that step', () => {
    const draws = namedStream('test/solutions', name, preset, detail)
    let faults = 0
    for (const item of drawnOf(task, preset).items) {
      const text = solutionText(task.solution?.(item) ?? [], detail)
      const { span } = pick(draws, task.checkSteps?.(item, text).steps ?? [])
      for (const [kind, damaged] of faultsOf(task, item, text.slice(...span))) {
        const { firstFalse } = trace(task, item, text.slice(0, span[0]) + damaged + text.slice(span[1]))
        // The span of a comparison begins with the name, its article apart.
        const near = firstFalse !== null && firstFalse[0] >= span[0] - 4 && firstFalse[0] < span[0] + damaged.length
        expect([item.id, kind, damaged, near]).toEqual([item.id, kind, damaged, true])
        faults++
      }
    }
    expect(faults).toBeGreaterThanOrEqual(Math.min(20, drawnOf(task, preset).size))
  })

  it('whose steps are denied, supposed or asked state nothing', () => {
    for (const item of drawnOf(task, preset).items) {
      const text = solutionText(task.solution?.(item) ?? [], detail)
      for (const { span } of task.checkSteps?.(item, text).steps ?? []) {
        const step = text.slice(...span).replace(/\.$/u, '')
        for (const said of [
          `It is not true that ${step}.`,
          `Suppose that ${step}.`,
          `Is it so that ${step}?`,
          `${step}, which is false.`,
        ])
          expect([said, trace(task, item, said).trueSteps]).toEqual([said, 0])
      }
    }
  })

  // What does not lie in the detail is asked once.
  it.runIf(nightly || detail === solutionDetails[0])(
    'are read in time, whatever the text',
    () => {
      const [item] = drawnOf(task, preset).items
      if (item === undefined) throw new Error('no item')
      const text = solutionText(task.solution?.(item) ?? [], detail)
      for (const piece of [
        text,
        `${text} `.repeat(3).replaceAll('\n', ' '),
        'An order that fits, from a to b: ',
        '[1-2]: A, ',
        ' is older than ',
        '3 hand-overs from a: ',
        'All a are b ',
        'Anna is the aunt of Anna',
        'train1 is eastbound: train1_car1 is red and short, and train1_car2 behind it is flat.\n',
        'Rule: eastbound(T) :- has_car(T, A), colour(A, red).\n',
        "1. replace('a', 'aa'): no word changes.\n",
        "2. replace('a', 'aa'): no word changes.\n",
        'A case without "All a are b", one thing of each kind: a + ',
        "S[1-2] -> '",
        "In this order these rules turn every input into its output: replace('a', 'aa'), ",
        "In this order these rules turn every input into its output: replace('a', 'aa').\n",
        'East 1. V > ∅ / _ #: no word changes.\n',
        'East 1. ∅ > a / _ #: a -> a a, ',
        'In this order the laws of East make 1 of 50 words: ∅ > a; ',
      ]) {
        const long = piece.repeat(Math.ceil(LONG / Math.max(1, piece.length)))
        expect(task.checkSteps?.(item, long).steps.length).toBeGreaterThanOrEqual(0)
      }
    },
    20_000,
  )

  it.runIf(nightly || detail === solutionDetails[0])(
    'are never found in a text at random, and never crash the checker',
    () => {
      const [item] = drawnOf(task, preset).items
      if (item === undefined) throw new Error('no item')
      fc.assert(
        fc.property(fc.string({ maxLength: 300 }), (text) => {
          const { steps } = task.checkSteps?.(item, text) ?? { steps: [] }
          for (const { span } of steps) expect(span[0] >= 0 && span[1] <= text.length).toBe(true)
        }),
      )
    },
  )
})
