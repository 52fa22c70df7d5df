import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { below, type Item, namedStream, pick, type Source, type Task, traceOf } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'

const tasks = families.flatMap((family) => family.tasks).filter(({ solution }) => solution !== undefined)
const PRESETS: { readonly [task: string]: readonly string[] } = {
  'relic/recognize': ['relic-demo'],
  'recoglab/comparison': ['people', 'objects', 'feasibility', 'consistency'],
  'recoglab/social': [
    'hops-tree-20-flavoured',
    'path-chain-10',
    'next-hop-tree-10',
    'one-way-20',
    'karate-34',
    'oldest-16',
    'youngest-10-published',
  ],
  'pbebench/induce': ['pbebench-lite', 'pbebench-lite-minimal'],
  'pbebench/reorder': ['pbebench-perm', 'pbebench-perm-unique'],
  'pbebench/sound-laws': ['valley-laws'],
  'clutrr/kinship': ['hops-4', 'hops-8'],
  'slr-bench/trains': ['basic', 'easy', 'medium', 'hard'],
  'recoglab/families': ['size', 'hobby', 'larger', 'older', 'shared-hobbies'],
  'recoglab/syllogism': ['chain', 'judge', 'import-4', 'congruent-3', 'capacity-8', 'capacity-8-published'],
}
/** A step made false; null: this step has no such fault. */
const DAMAGE: { readonly [task: string]: (step: string) => string | null } = {
  'relic/recognize': damagedLine,
  'recoglab/comparison': turned,
  'recoglab/social': (step) =>
    step.includes(' -> ')
      ? step.replace(/ -> [^>]+ -> /u, ' -> ')
      : step.includes('belongs')
        ? step.replace(/oldest|youngest/u, (word) => (word === 'oldest' ? 'youngest' : 'oldest'))
        : step.replace(/\d+/u, (digits) => String(Number(digits) + 1)),
  'pbebench/induce': rewrittenOtherwise,
  'pbebench/reorder': rewrittenOtherwise,
  'pbebench/sound-laws': rewrittenOtherwise,
  'clutrr/kinship': (step) =>
    step.replace(/the [\w-]+ of/u, (said) => (said === 'the aunt of' ? 'the uncle of' : 'the aunt of')),
  'slr-bench/trains': (step) =>
    step.startsWith('Rule: ')
      ? step.replace('has_car(T, A), ', '')
      : step.replace(/eastbound|westbound/u, (way) => (way === 'eastbound' ? 'westbound' : 'eastbound')),
  'recoglab/families': (step) =>
    /\d/u.test(step)
      ? step.replace(/\d+/u, (digits) => String(Number(digits) + 1))
      : step.replace(/: .*\.$/u, ': nobody.'),
  'recoglab/syllogism': (step) => {
    if (step.startsWith('A case')) return null
    if (/^some /iu.test(step)) return step.replace(/some /iu, 'All ').replace(' are not ', ' are ')
    return step.replace(/^(all|no)/iu, (word) => (word.toLowerCase() === 'all' ? 'No' : 'All'))
  },
}
const MOST = Number(process.env['TOUCHSTONE_SOLUTIONS'] ?? 60)

function* itemsOf(source: Source, count: number): Generator<Item> {
  const size = Math.min(count, source.layout.size ?? count)
  for (let index = 0; index < size; index++) {
    const item = source.item(index)
    if (item.kind === 'item') yield item
  }
}

const answerOf = (task: Task, item: Item): string => (task.gold?.(item) ?? '').replace(/^Answer: /u, '')
const trace = (task: Task, item: Item, text: string) =>
  traceOf(task.stated?.(item, text) ?? { steps: [], unknown: [] }, answerOf(task, item))

describe.each(tasks.flatMap((task) => (PRESETS[task.name] ?? []).map((preset) => [task.name, preset, task] as const)))(
  'worked solutions of %s %s',
  (name, preset, task) => {
    const source = task.source(task.preset(preset).config, { split: 'train', seed: 'solutions' })

    it('have steps, all of which hold, and give the answer', () => {
      let count = 0
      for (const item of itemsOf(source, MOST)) {
        const text = task.solution?.(item) ?? ''
        const { steps, holding, firstFalse, unknown, follows } = trace(task, item, text)
        expect([item.id, holding, firstFalse, unknown, follows]).toEqual([item.id, steps, null, [], true])
        expect(steps).toBeGreaterThan(0)
        const read = task.parsers?.strict(text, item)
        expect(read?.kind === 'extracted' && task.oracle(item, read.answer)).toBe(true)
        count++
      }
      expect(count).toBeGreaterThanOrEqual(Math.min(21, source.layout.size ?? 21))
    })

    it('with a fault in one step are caught at that step', () => {
      const draws = namedStream('test/solutions', name, preset)
      let faults = 0
      for (const item of itemsOf(source, MOST)) {
        // In a circle everything is more than everything, so that no comparison is false.
        if (item.answer === 'Inconsistent') continue
        const text = task.solution?.(item) ?? ''
        const before = task.stated?.(item, text).steps ?? []
        const step = pick(draws, before)
        const [start, end] = step.span
        const damaged = DAMAGE[name]?.(text.slice(start, end)) ?? null
        if (damaged === null) continue
        const { firstFalse } = trace(task, item, text.slice(0, start) + damaged + text.slice(end))
        expect([item.id, damaged, firstFalse?.[0]]).toEqual([item.id, damaged, start])
        faults++
      }
      expect(faults).toBeGreaterThanOrEqual(Math.min(20, source.layout.size ?? 20))
    })

    it('are read in time, whatever the text', () => {
      const [item] = itemsOf(source, 1)
      if (item === undefined) throw new Error('no item')
      const text = task.solution?.(item) ?? ''
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
      ]) {
        const long = piece.repeat(Math.ceil(200_000 / Math.max(1, piece.length)))
        expect(task.stated?.(item, long).steps.length).toBeGreaterThanOrEqual(0)
      }
    }, 20_000)

    it('are never found in a text at random, and never crash the checker', () => {
      const [item] = itemsOf(source, 1)
      if (item === undefined) throw new Error('no item')
      fc.assert(
        fc.property(fc.string({ maxLength: 300 }), (text) => {
          const { steps } = task.stated?.(item, text) ?? { steps: [] }
          for (const { span } of steps) expect(span[0] >= 0 && span[1] <= text.length).toBe(true)
        }),
      )
    })
  },
)

/** A line of a cascade that forgets a word, or finds one more. */
function rewrittenOtherwise(line: string): string {
  if (line.endsWith('no word changes.')) return line.replace('no word changes', '"a" -> "b"')
  return line.replace(/"[^"]*" -> ("[^"]*")(?=[.,])/u, '"qqq" -> $1')
}

/** A rule or a cell with one end moved, or one symbol more. */
function damagedLine(line: string): string | null {
  const draws = namedStream('test/damage', line)
  if (line.includes('->'))
    return line.replace(/-(\d+)\]/u, (_, end: string) => `-${Number(end) + 1 + below(draws, 2)}]`)
  return line.endsWith('none')
    ? line.replace('none', 'S')
    : line.replace(/: ([^,]+)$/u, ': none').replace(/, [^,]+$/u, '')
}

/** A comparison the other way round; an order with its ends exchanged. */
function turned(step: string): string | null {
  const compared = / is (older|younger|larger|smaller) than /u.exec(step)
  const other: { readonly [word: string]: string } = {
    older: 'younger',
    younger: 'older',
    larger: 'smaller',
    smaller: 'larger',
  }
  if (compared !== null) return step.replace(compared[1] ?? '', other[compared[1] ?? ''] ?? '')
  const list = /: (.*)\.$/u.exec(step)?.[1]?.split(', ')
  return list === undefined ? null : step.replace(list.join(', '), [...list].reverse().join(', '))
}
