import { describe, expect, it, vi } from 'vitest'
import {
  bindStreams,
  bucketsOfSplit,
  defineTask,
  type Item,
  type Json,
  type JsonObject,
  KeySpace,
  partitionBucket,
  type RandomStreams,
  rootKey,
  type Source,
  type Task,
} from '../../../src/core/index.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'
import { reorder } from '../../../src/tasks/pbebench/reorder/task.ts'
import type { Instance } from '../../../src/tasks/pbebench/sampling/settings.ts'
import { soundLaws } from '../../../src/tasks/pbebench/sound-laws/task.ts'
import type { CascadeAnswer, Examples } from '../../../src/tasks/pbebench/types.ts'
import { sample } from '../../nightly.ts'
import { Drawing } from './drawing.ts'
import { areCaught } from './verdicts.ts'

/**
 * Seeded faults in generator, oracle, grade and the rest of the three tasks. Each is put in by itself;
 * the checks that every dataset and every task go through must then object.
 */

type Rule = readonly [string, string]
type Replace = (word: string, rule: Rule) => string
type Oracle = (given: Examples, answer: CascadeAnswer, real: () => boolean) => boolean

/** The faulty parts of the moment: what sampled instances become, how oracles rewrite and decide. */
interface Broken {
  instance: ((drawn: Instance) => Instance) | null
  oracle: Oracle | null
  order: ((given: Given, order: readonly number[], real: () => boolean) => boolean) | null
}
const broken = vi.hoisted(() => ({ instance: null, oracle: null, order: null }) as Broken)

vi.mock('../../../src/tasks/pbebench/sampling/conditional.ts', async (original) => {
  const real = await original<typeof import('../../../src/tasks/pbebench/sampling/conditional.ts')>()
  const drawConditional: typeof real.drawConditional = (...args) => {
    const drawn = real.drawConditional(...args)
    return drawn === null || broken.instance === null ? drawn : broken.instance(drawn)
  }
  return { ...real, drawConditional }
})
vi.mock('../../../src/tasks/pbebench/oracle.ts', async (original) => {
  const real = await original<typeof import('../../../src/tasks/pbebench/oracle.ts')>()
  const cascadeIsRight: typeof real.cascadeIsRight = (given, answer) =>
    broken.oracle?.(given, answer, () => real.cascadeIsRight(given, answer)) ?? real.cascadeIsRight(given, answer)
  return { ...real, cascadeIsRight }
})
vi.mock('../../../src/tasks/pbebench/reorder/oracle.ts', async (original) => {
  const real = await original<typeof import('../../../src/tasks/pbebench/reorder/oracle.ts')>()
  const orderIsRight: typeof real.orderIsRight = (given, answer) =>
    broken.order?.(given as unknown as Given, answer.order, () => real.orderIsRight(given, answer)) ??
    real.orderIsRight(given, answer)
  return { ...real, orderIsRight }
})

/** What is asked, in any of the three tasks. */
interface Given {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly rules?: readonly Rule[]
  readonly limits?: Examples['limits']
}
const givenOf = (item: { readonly given: Json }): Given => item.given as unknown as Given

// ---- slips in the meaning of a rule

const right: Replace = (word, [from, to]) => word.split(from).join(to)
const slips: { readonly [name: string]: Replace } = {
  'first occurrence only': (word, [from, to]) => word.replace(from, () => to),
  'last occurrence only': (word, [from, to]) => {
    const at = word.lastIndexOf(from)
    return at < 0 ? word : word.slice(0, at) + to + word.slice(at + from.length)
  },
  'sides exchanged': (word, [from, to]) => (to === '' ? word : word.split(to).join(from)),
  'repeated until nothing changes': (word, rule) => {
    let now = word
    for (let k = 0; k < 8 && now.length < 200; k++) now = right(now, rule)
    return now
  },
  'not at the start of a word': (word, rule) => word.slice(0, 1) + right(word.slice(1), rule),
  'not at the end of a word': (word, rule) => right(word.slice(0, -1), rule) + word.slice(-1),
}
const run = (words: readonly string[], rules: readonly Rule[], replace: Replace): string[] =>
  words.map((word) => rules.reduce((now, rule) => replace(now, rule), word))
const agree = (words: readonly string[], outputs: readonly string[]): boolean =>
  words.every((word, i) => word === outputs[i])

const rewritten =
  (replace: Replace) =>
  (drawn: Instance): Instance => ({ ...drawn, outputs: run(drawn.inputs, drawn.rules, replace) })
const cascadeBy =
  (replace: Replace): Oracle =>
  ({ inputs, outputs, limits }, answer) =>
    agree(run(inputs, answer.slice(0, limits.rules) as Rule[], replace), outputs)

// ---- the faults

function doubled(): readonly Rule[] {
  const laws: readonly Rule[] = [
    ['t', 'd'],
    ['k', 'kk'],
    ['ss', 's'],
  ]
  const syllables = ['ta', 'ka', 'ssa', 'na', 'to', 'ki']
  const words = syllables.flatMap((a) => syllables.flatMap((b) => [`${a}${b}${a}`, `${b}ssss${a}t`]))
  const different = [...new Set(words)].slice(0, 48)
  return different.map((word) => [word, run([word], laws, right)[0] as string])
}

const configs = {
  induce: induce.configure({ ...induce.preset('pbebench-lite').config, size: sample({ nightly: 96, otherwise: 48 }) }),
  /** Rules read and written are exactly as many as allowed, and words are many. */
  tight: induce.configure({
    ...induce.preset('pbebench').config,
    lengths: [8, 9],
    limit: { floor: 0, slack: 0 },
    size: sample({ nightly: 32, otherwise: 16 }),
  }),
  reorder: reorder.configure({
    ...reorder.preset('pbebench-perm').config,
    target: 'planted',
    size: sample({ nightly: 90, otherwise: 45 }),
  }),
  /** Words in which letters come again, and laws whose left side they write anew. */
  laws: soundLaws.configure({ chunk: 4, heldOut: 0.25, languages: [{ name: 'doubled', pairs: doubled() }] }),
}
type Name = keyof typeof configs
const taskOf = (name: Name): Task => (name === 'reorder' ? reorder : name === 'laws' ? soundLaws : induce)

interface Fault extends Partial<Broken> {
  readonly name: string
  readonly on: Name
  readonly change?: (task: Task) => Partial<Task>
}

type DrawnItem = Extract<ReturnType<Task['draw']>, { kind: 'drawn' }>
const redrawn =
  (edit: (drawn: DrawnItem) => Partial<DrawnItem>) =>
  (task: Task): Partial<Task> => ({
    draw: (...args) => {
      const drawn = task.draw(...args)
      return drawn.kind === 'drawn' ? { ...drawn, ...edit(drawn) } : drawn
    },
  })
const regiven = (edit: (given: Given) => Partial<Given>) =>
  redrawn((drawn) => ({ given: { ...(drawn.given as object), ...edit(givenOf(drawn)) } as unknown as Json }))
const gradedAs =
  (grade: (given: Given, answer: Json, real: number) => number) =>
  (task: Task): Partial<Task> => ({
    grade: (problem, answer) => ({ value: grade(givenOf(problem), answer, task.grade?.(problem, answer).value ?? 0) }),
  })
const fixed = (bound: readonly number[]): RandomStreams =>
  bindStreams(new KeySpace(rootKey('fixed/fixed', 1, 'test', '0')), 'draw/', bound, {
    domain: 'pbebench/pairs',
    split: 'test',
  })
const withDraws =
  (other: (draws: RandomStreams, group: number) => RandomStreams) =>
  (task: Task): Partial<Task> => ({
    draw: (config, shared, at, draws, cell) => task.draw(config, shared, at, other(draws, at.group), cell),
  })
const unfenced = (draws: RandomStreams): RandomStreams => ({
  stream: (label, ...indices) => draws.stream(label, ...indices),
  fork: (label, ...indices) => draws.fork(label, ...indices),
  inSplit: () => true,
})

let asked = 0
const faults: readonly Fault[] = [
  ...Object.entries(slips).flatMap(([name, replace]): Fault[] => [
    { name: `induce generator: ${name}`, on: 'induce', instance: rewritten(replace) },
    { name: `induce oracle: ${name}`, on: 'induce', oracle: cascadeBy(replace) },
    { name: `reorder generator: ${name}`, on: 'reorder', instance: rewritten(replace) },
    {
      name: `reorder oracle: ${name}`,
      on: 'reorder',
      order: ({ inputs, outputs, rules = [] }, order) =>
        agree(
          run(
            inputs,
            order.map((k) => rules[k] as Rule),
            replace,
          ),
          outputs,
        ),
    },
    { name: `sound-laws oracle: ${name}`, on: 'laws', oracle: cascadeBy(replace) },
  ]),
  {
    name: 'induce generator: outputs before the last rule',
    on: 'induce',
    instance: (drawn) => ({ ...drawn, outputs: run(drawn.inputs, drawn.rules.slice(0, -1), right) }),
  },
  {
    name: 'induce generator: rules in the wrong order',
    on: 'induce',
    instance: (drawn) => ({ ...drawn, rules: drawn.rules.toReversed() }),
  },
  {
    name: 'induce generator: one word of the last pair cut',
    on: 'induce',
    instance: (drawn) => ({ ...drawn, outputs: drawn.outputs.with(-1, (drawn.outputs.at(-1) as string).slice(1)) }),
  },
  {
    name: 'induce generator: one rule too few',
    on: 'induce',
    instance: ({ inputs, rules }) => ({ inputs, rules: rules.slice(1), outputs: run(inputs, rules.slice(1), right) }),
  },
  {
    name: 'induce generator: a limit one rule short',
    on: 'tight',
    change: regiven(({ limits }) => ({ limits: { ...limits, rules: (limits?.rules ?? 0) - 1 } as Examples['limits'] })),
  },
  {
    name: 'induce generator: an alphabet one letter short',
    on: 'tight',
    change: regiven(({ limits }) => ({
      limits: { ...limits, letters: limits?.letters.slice(1) } as Examples['limits'],
    })),
  },
  {
    name: 'induce generator: a side limit one short',
    on: 'tight',
    change: regiven(({ limits }) => ({ limits: { ...limits, side: (limits?.side ?? 0) - 1 } as Examples['limits'] })),
  },
  { name: 'induce generator: outputs shown as inputs', on: 'induce', change: regiven((g) => ({ inputs: g.outputs })) },
  {
    name: 'induce generator: pairs out of step',
    on: 'induce',
    change: regiven((g) => ({ inputs: g.inputs.toReversed() })),
  },
  {
    name: 'induce generator: wrong category',
    on: 'induce',
    change: (task) => ({
      draw: (config, shared, at, draws, cell) =>
        task.draw(config, shared, { ...at, levels: { ...at.levels, category: '0000' } }, draws, cell),
    }),
  },
  { name: 'induce generator: seed ignored', on: 'induce', change: withDraws((_, group) => fixed([group])) },
  { name: 'induce generator: every item the same draw', on: 'induce', change: withDraws(() => fixed([0])) },
  { name: 'induce generator: fence ignored', on: 'induce', change: withDraws(unfenced) },
  { name: 'reorder generator: fence ignored', on: 'reorder', change: withDraws(unfenced) },
  {
    name: 'induce generator: depends on what was asked before',
    on: 'induce',
    change: withDraws((draws) => (asked++ % 2 === 0 ? draws : draws.fork('again'))),
  },
  { name: 'induce oracle: agrees with everything', on: 'induce', oracle: () => true },
  {
    name: 'induce oracle: enough when the first word is right',
    on: 'induce',
    oracle: ({ inputs, outputs }, answer) => agree(run(inputs.slice(0, 1), answer as Rule[], right), outputs),
  },
  {
    name: 'induce oracle: order of the rules ignored',
    on: 'induce',
    oracle: ({ inputs, outputs }, answer, real) =>
      real() || agree(run(inputs, (answer as Rule[]).toReversed(), right), outputs),
  },
  {
    name: 'induce oracle: reads beyond the limit',
    on: 'tight',
    oracle: ({ inputs, outputs }, answer) => agree(run(inputs, answer as Rule[], right), outputs),
  },
  {
    name: 'induce oracle: wants the planted number of rules',
    on: 'induce',
    oracle: ({ limits }, answer, real) => real() && answer.length < limits.rules,
  },
  { name: 'reorder oracle: agrees with every order', on: 'reorder', order: () => true },
  {
    name: 'reorder oracle: rules may come twice or never',
    on: 'reorder',
    order: ({ inputs, outputs, rules = [] }, order) =>
      agree(
        run(
          inputs,
          order.map((k) => rules[k] as Rule),
          right,
        ),
        outputs,
      ),
  },
  {
    name: 'reorder generator: answer is the permutation, not its inverse',
    on: 'reorder',
    change: redrawn(({ answer }) => {
      const { order } = answer as { order: number[] }
      return { answer: { order: order.map((_, k) => order.indexOf(k)) } }
    }),
  },
  {
    name: 'reorder generator: rules shown in the right order',
    on: 'reorder',
    change: redrawn((drawn) => {
      const { order } = drawn.answer as { order: number[] }
      const { rules = [] } = givenOf(drawn)
      const sorted = order.map((k) => rules[k] as Rule)
      return {
        given: { ...(drawn.given as object), rules: sorted } as unknown as Json,
        answer: { order: order.map((_, k) => k) },
      }
    }),
  },
  {
    name: 'reorder generator: a rule shown twice, another not',
    on: 'reorder',
    change: regiven(({ rules = [] }) => ({ rules: rules.with(-1, rules[0] as Rule) })),
  },
  {
    name: 'sound-laws generator: a pair out of step',
    on: 'laws',
    change: regiven((g) => ({ outputs: g.outputs.toReversed() })),
  },
  {
    name: 'sound-laws generator: last law lost',
    on: 'laws',
    change: redrawn(({ answer }) => ({
      answer: { ...(answer as object), rules: (answer as { rules: Json[] }).rules.slice(0, -1) } as Json,
    })),
  },
  {
    name: 'sound-laws generator: every chunk is the first',
    on: 'laws',
    change: (task) => ({
      draw: (config, shared, at, draws, cell) => task.draw(config, shared, { ...at, group: 0 }, draws, cell),
    }),
  },
  { name: 'induce grade: everything passes', on: 'induce', change: gradedAs(() => 1) },
  {
    name: 'induce grade: the share of right words',
    on: 'induce',
    change: gradedAs((g, answer) => {
      const words = run(g.inputs, answer as unknown as Rule[], right)
      return words.filter((word, i) => word === g.outputs[i]).length / words.length
    }),
  },
  {
    name: 'induce grade: only as long as the limit',
    on: 'induce',
    change: gradedAs((g, a, real) => ((a as Json[]).length < (g.limits?.rules ?? 0) ? real : 0)),
  },
  {
    name: 'reorder grade: the right set is enough',
    on: 'reorder',
    change: gradedAs((g, a) => ((a as { order: number[] }).order.length === g.rules?.length ? 1 : 0)),
  },
  {
    name: 'reorder grade: only the planted order',
    on: 'reorder',
    change: (task) => ({
      grade: (problem, answer) => ({ value: task.grade?.(problem, answer).parts?.['planted'] ?? 0 }),
    }),
  },
  { name: 'sound-laws grade: everything passes', on: 'laws', change: gradedAs(() => 1) },
  {
    name: 'induce witness: last step lost',
    on: 'induce',
    change: (task) => ({ witness: (problem) => (task.witness(problem) as Json[]).slice(0, -1) }),
  },
  { name: 'reorder check: everything is proved', on: 'reorder', change: () => ({ check: () => true }) },
  {
    name: 'induce prompt: last pair lost',
    on: 'induce',
    change: (task) => ({
      request: (question, style, draws) => {
        const { inputs, outputs } = givenOf(question)
        const cut = { inputs: inputs.slice(0, -1), outputs: outputs.slice(0, -1) }
        const given = { ...(question.given as object), ...cut } as unknown as Json
        return task.request({ ...question, given }, style, draws)
      },
    }),
  },
  {
    name: 'reorder prompt: rules in the right order',
    on: 'reorder',
    change: (task) => ({
      request: (question, style, draws) => {
        const rules = (givenOf(question).rules ?? []).toReversed()
        return task.request(
          { ...question, given: { ...(question.given as object), rules } as unknown as Json },
          style,
          draws,
        )
      },
    }),
  },
  {
    name: 'induce gold: sides exchanged',
    on: 'induce',
    change: (task) => ({
      gold: (problem) => {
        const answer = (problem.answer as unknown as Rule[]).map(([a, b]): Rule => [b, a])
        return task.gold?.({ ...problem, answer: answer as unknown as Json }) ?? ''
      },
    }),
  },
  {
    name: 'induce features: counterfeeding always said',
    on: 'induce',
    change: redrawn(({ features }) => ({ features: { ...features, counterfeeding: true } })),
  },
  {
    name: 'induce features: density doubled',
    on: 'induce',
    change: redrawn(({ features }) => ({ features: { ...features, density: 2 * Number(features['density']) } })),
  },
]

/** Faults that the checks cannot see, with the reason. */
const survivors: { readonly [name: string]: string } = {
  'induce features: density doubled':
    'a number beside the answer is data, no claim that is proved; the unit tests of features know what density is',
}

// ---- the checks

/** Answers near the truth: what oracle, grade and witness say of them must agree. */
function neighbours(task: Task, item: Item): readonly Json[] {
  if (task.name === 'pbebench/reorder') {
    const { order } = item.answer as { order: number[] }
    const swapped = order.with(0, order[1] as number).with(1, order[0] as number)
    return [
      order,
      order.toReversed(),
      swapped,
      order.slice(1),
      [...order, order.at(-1) as number],
      order.map((_, k) => k),
      order.with(0, order.at(-1) as number),
    ].map((one) => ({ order: one }))
  }
  const whole = (Array.isArray(item.answer) ? item.answer : (item.answer as { rules: Json[] }).rules) as Rule[]
  const fill: Rule = ['zzz', 'y']
  const { limits } = givenOf(item)
  const padded = [...Array.from({ length: Math.max(0, (limits?.rules ?? 0) - whole.length) }, () => fill), ...whole]
  const answers: (readonly Rule[])[] = [
    whole,
    whole.slice(0, -1),
    whole.slice(1),
    whole.toReversed(),
    [],
    padded,
    [fill, ...padded],
    whole.map(([a, b]): Rule => [b, a]),
  ]
  return answers.map((rules) => (Array.isArray(item.answer) ? rules : { rules, heldOut: [] }) as unknown as Json)
}

function firstObjection(task: Task, name: Name): string | null {
  const config = configs[name] as JsonObject
  const open = (split: string, seed: string): Source => task.source(config, { split, seed })
  const source = open('test', '1')
  const size = source.layout.size as number
  const drawing = new Drawing(source, size)
  const { entries, items } = drawing
  const seen = new Set<string>()
  const shown = { right: 0, chance: 0, variance: 0 }
  for (const item of drawing) {
    const { shared, given, answer, features } = item
    const question = { shared, given }
    const problem = { shared, given, answer }
    if (!task.oracle(question, answer)) return 'oracle'
    const proof = task.witness(problem)
    if (!task.check(problem, proof)) return 'witness'
    for (const other of neighbours(task, item)) {
      const accepted = task.oracle(question, other)
      if ((task.grade?.(problem, other).value === 1) !== accepted) return 'grade and oracle'
      if (
        !accepted &&
        JSON.stringify(other) !== JSON.stringify(answer) &&
        task.check({ ...problem, answer: other }, proof)
      )
        return 'witness of another answer'
    }
    if (!task.features.safeParse(features).success) return 'schema of features'
    for (const [axis, level] of Object.entries(source.layout.strata[item.stratum] ?? {}))
      if (features[axis] !== level) return 'levels'
    const code = features['category']
    if (typeof code === 'string') {
      const said = ['feeding', 'bleeding', 'counterfeeding', 'counterbleeding'].map((relation) =>
        Number(features[relation]),
      )
      if (said.join('') !== code) return 'features'
    }
    for (const parser of [task.parsers?.strict, task.parsers?.lenient]) {
      const found = parser?.(task.gold?.(problem) ?? '', question)
      if (found?.kind !== 'extracted' || task.grade?.(problem, found.answer).value !== 1) return 'gold'
    }
    const key = task.canonical?.(question) ?? ''
    if (seen.has(key)) return 'duplicates'
    seen.add(key)
    const request = source.request(item, task.styles[0])
    const prompt = request.kind === 'chat' ? (request.messages.at(-1)?.content ?? '') : ''
    const { inputs, outputs, rules = [] } = givenOf(item)
    if (!inputs.every((word) => prompt.includes(word)) || !outputs.every((word) => prompt.includes(word)))
      return 'prompt'
    let from = 0
    for (const [k, [left, to]] of rules.entries()) {
      from = prompt.indexOf(`[${k}] replace('${left}', '${to}')`, from)
      if (from < 0) return 'prompt'
    }
    if (task.baselines?.['identity']?.kind === 'chat' && name !== 'laws') {
      const text = task.baselines['identity'].answer(question, source.baselineDraws(item.index, 'identity'))
      const found = task.parsers?.strict(text, question)
      const passes = found?.kind === 'extracted' && task.grade?.(problem, found.answer).value === 1
      const chance = Number(features['chance'] ?? 0)
      if (passes && chance === 0) return 'identity'
      shown.right += passes ? 1 : 0
      shown.chance += chance
      shown.variance += chance * (1 - chance)
    }
  }
  if (items.length < 0.9 * size) return 'items'
  if (Math.abs(shown.right - shown.chance) > 5 * Math.sqrt(shown.variance)) return 'identity'
  const again = open('test', '1')
  for (const entry of entries.toReversed().slice(0, 40))
    if (JSON.stringify(again.item(entry.index)) !== JSON.stringify(entry)) return 'order of asking'
  const { partition: fence } = task
  if (fence === undefined) return null
  const keys = (from: Source): string[] =>
    Array.from({ length: Math.min(20, size) }, (_, index) => from.item(index)).flatMap((entry) =>
      entry.kind === 'item' ? [fence.key({ shared: entry.shared, given: entry.given })] : [],
    )
  const here = new Set(keys(source))
  for (const other of [open('test', '2'), open('train', '1')])
    if (keys(other).some((key) => here.has(key))) return 'items of another seed or split'
  const outside = items.filter(
    ({ shared, given }) =>
      !bucketsOfSplit('test').includes(partitionBucket(fence.domain, fence.key({ shared, given }))),
  )
  return outside.length === 0 ? null : 'fence'
}

function inject({ on, change, ...parts }: Omit<Fault, 'name'>): string | null {
  Object.assign(broken, { instance: null, oracle: null, order: null }, parts)
  asked = 0
  try {
    const task = taskOf(on)
    return firstObjection(change === undefined ? task : defineTask({ ...task, ...change(task) } as never), on)
  } catch (error) {
    // Core's own assertions, and code that a fault breaks.
    return `error: ${error instanceof Error ? error.message : error}`
  } finally {
    Object.assign(broken, { instance: null, oracle: null, order: null })
  }
}

describe('seeded faults of pbebench', () => {
  it.each(Object.keys(configs) as Name[])('no check objects to %s as it is', (on) => {
    expect(inject({ on })).toBeNull()
  })

  it('no check objects to a textbook generator and textbook oracles in their place', () => {
    expect(inject({ on: 'induce', instance: rewritten(right), oracle: null })).toBeNull()
    expect(inject({ on: 'tight', oracle: cascadeBy(right) })).toBeNull()
    expect(inject({ on: 'reorder', instance: rewritten(right) })).toBeNull()
  })

  areCaught(faults, survivors, inject)
})
