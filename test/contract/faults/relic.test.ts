import { describe, expect, it, vi } from 'vitest'
import {
  bindStreams,
  bucketsOfSplit,
  canonicalJson,
  defineTask,
  type Item,
  type Json,
  type JsonObject,
  KeySpace,
  partitionBucket,
  type RandomStreams,
  rootKey,
  type Source,
  type StratumLevels,
  type Task,
} from '../../../src/core/index.ts'
import { type Cfg, type Cnf, cnfOf, type Recognizer } from '../../../src/libraries/grammars/index.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { nightly, sample } from '../../nightly.ts'
import { Drawing } from './drawing.ts'
import { areCaught } from './verdicts.ts'

/**
 * Seeded faults in the generator, the oracle and the rest of the task. Each is put in by itself; the
 * checks that every dataset and every task go through must then object within 2,000 items.
 */

type Accepts = (tokens: ArrayLike<number>) => boolean
type Recognise = (cnf: Cnf) => Accepts

/** The faulty part of the moment: recogniser of the generator, recogniser of the oracle. */
const broken = vi.hoisted(() => ({ recognizer: null, earley: null }) as { recognizer: unknown; earley: unknown })

vi.mock('../../../src/libraries/grammars/recognise/recognizer.ts', async (original) => {
  const real = await original<typeof import('../../../src/libraries/grammars/recognise/recognizer.ts')>()
  const compileRecognizer = (cnf: Cnf): Recognizer => {
    const own = real.compileRecognizer(cnf)
    return broken.recognizer === null ? own : { ...own, accepts: (broken.recognizer as Recognise)(cnf) }
  }
  return { ...real, compileRecognizer }
})
vi.mock('../../../src/libraries/grammars/recognise/earley.ts', async (original) => {
  const real = await original<typeof import('../../../src/libraries/grammars/recognise/earley.ts')>()
  const earleyParser = (cfg: Cfg) => {
    const own = real.earleyParser(cfg)
    if (broken.earley === null) return own
    const cnf = cnfOf(cfg)
    const numbers = new Map(cnf.terminals.map((name, token) => [name, token]))
    const accepts = (broken.earley as Recognise)(cnf)
    return { ...own, accepts: (tokens: readonly string[]) => accepts(tokens.map((name) => numbers.get(name) ?? -1)) }
  }
  return { ...real, earleyParser }
})

/** What a slip of the pen makes of the textbook recogniser. Without knobs it is right. */
interface Knobs {
  readonly firstSplit?: number
  readonly lastSplit?: number
  /** Tokens left unread at the end. */
  readonly unread?: number
  readonly swapped?: boolean
  readonly lostBinary?: number
  readonly lostLexical?: number
  readonly start?: number
  /** Terminals 0 and 1 are taken for each other. */
  readonly mixed?: boolean
  /** Ends from here on fall on the bits of lower ones: a mask of too few bits. */
  readonly bits?: number
  /** Ends above this are shifted out of the mask. */
  readonly lost?: number
  /** Tokens with the same last digit hash alike. */
  readonly collide?: boolean
}

const recogniser =
  (knobs: Knobs): Recognise =>
  (cnf) => {
    const [B, L] = [cnf.binary.length / 3, cnf.lexical.length / 2]
    /** By their left child: the right child and the parent of each rule. */
    const rules: [right: number, parent: number][][] = []
    for (let r = 0; r < B; r++) {
      if (r === knobs.lostBinary) continue
      let [b, c] = [cnf.binary[3 * r + 1] as number, cnf.binary[3 * r + 2] as number]
      if (knobs.swapped === true) [b, c] = [c, b]
      const of = rules[b] ?? []
      rules[b] = [...of, [c, cnf.binary[3 * r] as number]]
    }
    const at = (row: number, end: number) => row * 80 + (knobs.bits === undefined ? end : end % knobs.bits)
    const hash = cnf.terminals.map((name) =>
      knobs.collide === true ? cnf.terminals.findIndex((other) => other.at(-1) === name.at(-1)) : -1,
    )
    return (given) => {
      const tokens = Array.from(given)
      if (knobs.unread !== undefined) tokens.splice(tokens.length - knobs.unread)
      const n = tokens.length
      if (n === 0 || tokens.some((t) => !(t >= 0 && t < cnf.terminals.length))) return false
      const chart = new Map<number, Set<number>>()
      const add = (cell: number, symbol: number) => {
        const there = chart.get(cell)
        if (there === undefined) chart.set(cell, new Set([symbol]))
        else there.add(symbol)
      }
      for (let i = 0; i < n; i++) {
        let token = tokens[i] as number
        if (knobs.mixed === true && token < 2) token = 1 - token
        if (knobs.collide === true) token = hash[token] as number
        for (let l = 0; l < L; l++)
          if (l !== knobs.lostLexical && cnf.lexical[2 * l + 1] === token)
            add(at(i, i + 1), cnf.lexical[2 * l] as number)
      }
      for (let width = 2; width <= n; width++)
        for (let from = 0; from + width <= n; from++) {
          if (from + width > (knobs.lost ?? n)) continue
          for (let split = from + (knobs.firstSplit ?? 1); split <= from + width - (knobs.lastSplit ?? 1); split++) {
            const [left, right] = [chart.get(at(from, split)), chart.get(at(split, from + width))]
            if (left === undefined || right === undefined) continue
            for (const b of left)
              for (const [c, parent] of rules[b] ?? []) if (right.has(c)) add(at(from, from + width), parent)
          }
        }
      return chart.get(at(0, n))?.has(knobs.start ?? 0) === true
    }
  }

const demo = recognize.preset('relic-demo').config
/** Grammars as planned: none gives way to one whose strings have twins, and no negative is a twin. */
const planned: JsonObject = { ...demo, twins: 'none' }
const long: JsonObject = { ...planned, minLength: 33, maxLength: 36, grammars: 3 }
const longer: JsonObject = { ...planned, minLength: 65, maxLength: 66, perCell: 4, grammars: 3 }
/** Several strings for each length and class. */
const several: JsonObject = { ...planned, perCell: 4 }
/** Lengths at which some languages have fewer strings than are asked for. */
const scarce: JsonObject = { ...planned, maxLength: 5, perCell: 60 }
const exactly = (size: number): JsonObject => ({ kind: 'uniform', low: size, high: size })
/** Grammars of which twenty thousand are soon tried. */
const tiny: JsonObject = {
  ...planned,
  terminals: exactly(4),
  nonterminals: exactly(4),
  lexical: exactly(6),
  binary: exactly(8),
}
const mixed: JsonObject = { ...demo, negatives: ['uniform', 'bigram'] }

type Change = (task: Task) => Partial<Task>
interface Fault {
  readonly name: string
  readonly config?: JsonObject
  readonly recognizer?: Recognise
  readonly earley?: Recognise
  readonly change?: Change
}

/** Streams that know neither seed nor split. */
const fixed = (prefix: string, bound: readonly number[] = []): RandomStreams =>
  bindStreams(new KeySpace(rootKey('fixed/fixed', 1, 'test', '0')), prefix, bound, {
    domain: 'relic/grammar',
    split: 'test',
  })
const unfenced = (draws: RandomStreams): RandomStreams => ({
  stream: (label, ...indices) => draws.stream(label, ...indices),
  fork: (label, ...indices) => draws.fork(label, ...indices),
  inSplit: () => true,
})

type Draw = Task['draw']
/** A change of every drawn string, or of those that `which` picks. */
const redrawn =
  (edit: (string: string[], answer: boolean) => { tokens?: string[]; answer?: boolean }): Change =>
  (task) => ({
    draw: (...args) => {
      const drawn = task.draw(...args)
      if (drawn.kind === 'unreachable') return drawn
      const { string } = drawn.given as { string: string }
      const { tokens, answer } = edit(string.split(' '), drawn.answer as boolean)
      return { ...drawn, given: { string: (tokens ?? string.split(' ')).join(' ') }, answer: answer ?? drawn.answer }
    },
  })
const drawnAt =
  (place: (at: Parameters<Draw>[2]) => Parameters<Draw>[2]): Change =>
  (task) => ({
    draw: (config, shared, at, draws, cell) => task.draw(config, shared, place(at), draws, cell),
  })

const slips: { readonly [name: string]: Knobs } = {
  'first split of a span skipped': { firstSplit: 2 },
  'last split of a span skipped': { lastSplit: 2 },
  'last token not read': { unread: 1 },
  'children swapped': { swapped: true },
  'a binary rule lost': { lostBinary: 0 },
  'a lexical rule lost': { lostLexical: 1 },
  'wrong start symbol': { start: 1 },
  'two terminals mixed up': { mixed: true },
  'two tokens hash alike': { collide: true },
}

let asked = 0
const faults: readonly Fault[] = [
  ...Object.entries(slips).flatMap(([name, knobs]): Fault[] => [
    { name: `generator: ${name}`, config: mixed, recognizer: recogniser(knobs) },
    { name: `oracle: ${name}`, earley: recogniser(knobs) },
  ]),
  { name: 'generator: ends over 32 wrap around', config: long, recognizer: recogniser({ bits: 32 }) },
  { name: 'generator: ends over 64 shifted out', config: longer, recognizer: recogniser({ lost: 64 }) },
  { name: 'oracle: ends over 32 wrap around', config: long, earley: recogniser({ bits: 32 }) },
  {
    name: 'generator: prefilter forbids every tenth pair',
    recognizer: (cnf) => {
      const accepts = recogniser({})(cnf)
      return (tokens) =>
        accepts(tokens) && !Array.from(tokens).some((t, i) => i > 0 && (t + 3 * (tokens[i - 1] as number)) % 10 === 0)
    },
  },
  { name: 'generator: prefilter is all there is', config: tiny, recognizer: () => () => true },
  { name: 'generator: nothing is a member', config: mixed, recognizer: () => () => false },
  { name: 'oracle: agrees with everything', change: () => ({ oracle: () => true }) },
  { name: 'draw: labels flipped', change: redrawn((_, answer) => ({ answer: !answer })) },
  {
    name: 'draw: labels of long strings flipped',
    change: redrawn((t, answer) => ({ answer: answer !== t.length > 12 })),
  },
  { name: 'draw: last token lost', change: redrawn((tokens) => ({ tokens: tokens.slice(0, -1) })) },
  { name: 'draw: last token doubled', change: redrawn((tokens) => ({ tokens: [...tokens, tokens.at(-1) as string] })) },
  {
    name: 'draw: first two tokens swapped',
    change: redrawn(([a, b, ...rest]) => ({ tokens: [b as string, a as string, ...rest] })),
  },
  { name: 'draw: strings backwards', change: redrawn((tokens) => ({ tokens: tokens.toReversed() })) },
  {
    name: 'draw: positives given as negatives',
    change: (task) => ({
      draw: (config, shared, at, draws, cell) => {
        const drawn = task.draw(config, shared, { ...at, levels: { ...at.levels, label: true } }, draws, cell)
        return drawn.kind === 'unreachable' ? drawn : { ...drawn, answer: at.levels['label'] as boolean }
      },
    }),
  },
  { name: 'draw: number of the string ignored', config: several, change: drawnAt((at) => ({ ...at, ordinal: 0 })) },
  { name: 'draw: each string twice', config: several, change: drawnAt((at) => ({ ...at, ordinal: at.ordinal >> 1 })) },
  {
    name: 'draw: lengths one too long',
    change: drawnAt((at) => ({ ...at, levels: { ...at.levels, length: (at.levels['length'] as number) + 1 } })),
  },
  {
    name: 'draw: a length without positives keeps its negatives',
    config: scarce,
    change: (task) => ({
      draw: (config, ...rest) => task.draw({ ...config, lengths: 'released' }, ...rest),
    }),
  },
  {
    name: 'draw: depends on what was asked before',
    change: (task) => ({
      draw: (config, shared, at, draws, cell) => {
        const nth = asked++ % 2 === 0 ? at.ordinal : (at.ordinal + 1) % 2
        return task.draw(config, shared, { ...at, ordinal: nth }, draws, cell)
      },
    }),
  },
  {
    name: 'plan: seed ignored',
    config: planned,
    change: (task) => ({ plan: (config) => task.plan?.(config, fixed('plan/')) ?? null }),
  },
  {
    name: 'draw: seed ignored',
    config: planned,
    change: (task) => ({
      draw: (config, shared, at, draws) => task.draw(config, shared, at, draws, fixed('cell/', [at.group, at.unit])),
      plan: (config) => task.plan?.(config, fixed('plan/')) ?? null,
    }),
  },
  {
    name: 'plan: fence ignored',
    config: planned,
    change: (task) => ({ plan: (c, draws) => task.plan?.(c, unfenced(draws)) ?? null }),
  },
  {
    name: 'group: every group is the first',
    config: planned,
    change: (task) => ({ group: (config, plan, _, draws) => task.group?.(config, plan, 0, draws) ?? null }),
  },
  {
    name: 'prompt: last rule lost',
    change: (task) => ({
      request: ({ shared, given }, style, draws) => {
        const lines = (shared as { grammar: string }).grammar.split('\n')
        return task.request({ shared: { grammar: lines.slice(0, -1).join('\n') }, given }, style, draws)
      },
    }),
  },
  {
    name: 'parser: first yes or no',
    change: (task) => ({
      parsers: {
        ...(task.parsers as NonNullable<Task['parsers']>),
        lenient: (text) => {
          const found = /yes|no/i.exec(text)
          return found === null
            ? { kind: 'unparsed', reason: 'none' }
            : { kind: 'extracted', answer: /yes/i.test(found[0]), rule: 'first', span: [found.index, found.index + 1] }
        },
      },
    }),
  },
  {
    name: 'grade: negatives always right',
    change: () => ({ grade: (_, answer) => ({ value: answer === false ? 1 : 0 }) }),
  },
  {
    name: 'witness: last step lost',
    change: (task) => ({
      witness: (problem) => {
        const proof = task.witness(problem) as { kind: string; rules?: Json[]; spans?: Json[] }
        const cut = (list: Json[] | undefined) => list?.slice(0, -1) ?? []
        return proof.kind === 'derivation' ? { kind: proof.kind, rules: cut(proof.rules) } : (proof as unknown as Json)
      },
    }),
  },
  { name: 'check: everything is proved', change: () => ({ check: () => true }) },
  { name: 'features: depth one too deep', change: features(({ depth }) => ({ depth: Number(depth) + 1 })) },
  { name: 'features: label missing', change: features(() => ({ label: null })) },
]

function features(edit: (given: Item['features']) => Partial<Item['features']>): Change {
  return (task) => ({
    draw: (...args) => {
      const drawn = task.draw(...args)
      if (drawn.kind === 'unreachable') return drawn
      return { ...drawn, features: { ...drawn.features, ...edit(drawn.features) } as Item['features'] }
    },
  })
}

/** Faults that the checks cannot see, with the reason. */
const survivors: { readonly [name: string]: string } = {
  'features: depth one too deep':
    'only the unit tests of parses know what depth is: features beside the answer are data, no claim that is proved',
}

/** Items a check may look at. */
const limit = sample({ nightly: 2000, otherwise: 152 })

/** The name of the first check that objects, or null. */
function caughtBy(task: Task, config: JsonObject): string | null {
  try {
    return firstObjection(task, config)
  } catch (error) {
    // Core's own assertions, such as the fence.
    return `error: ${error instanceof Error ? error.message : error}`
  }
}

function firstObjection(task: Task, config: JsonObject): string | null {
  const open = (split: string, seed: string): Source => task.source(config, { split, seed })
  const source = open('test', '1')
  const size = Math.min(source.layout.size as number, limit)
  const drawing = new Drawing(source, size)
  const { entries, items } = drawing
  const seen = new Set<string>()
  const units = new Map<string, number>()
  for (const item of drawing) {
    const { shared, given, answer, features, group } = item
    const problem = { shared, given, answer }
    const levels = source.layout.strata[item.stratum] as StratumLevels
    if (!task.oracle({ shared, given }, answer) || task.oracle({ shared, given }, !answer)) return 'oracle'
    const proof = task.witness(problem)
    if (!task.check(problem, proof)) return 'witness'
    if (task.check({ ...problem, answer: !answer }, proof)) return 'witness of the other answer'
    if (task.features.safeParse(features).success === false) return 'schema of features'
    const { cyk } = task.baselines ?? {}
    const exact = cyk?.kind === 'chat' ? cyk.answer({ shared, given }, source.baselineDraws(item.index, 'cyk')) : ''
    if (exact !== task.gold?.(problem)) return 'exact baseline'
    for (const verdict of [true, false])
      if ((task.grade?.(problem, verdict).value === 1) !== task.oracle({ shared, given }, verdict)) return 'grade'
    for (const parser of [task.parsers?.strict, task.parsers?.lenient]) {
      const found = parser?.(`<think>Is it yes, is it no?</think>\n${task.gold?.(problem)}`, { shared, given })
      if (found?.kind !== 'extracted' || found.answer !== answer) return 'gold'
    }
    const length = (given as { string: string }).string.split(' ').length
    if (length !== levels['length'] || answer !== levels['label']) return 'levels'
    const key = task.canonical?.({ shared, given }) ?? ''
    if (seen.has(key)) return 'duplicates'
    seen.add(key)
    const unit = `${group} ${levels['length']}`
    units.set(unit, (units.get(unit) ?? 0) + (answer === true ? 1 : -1))
    const request = source.request(item, 'zero-shot')
    const prompt = request.kind === 'chat' ? (request.messages.at(-1)?.content ?? '') : ''
    if (!prompt.includes(`\`\`\`\n${(shared as { grammar: string }).grammar}\n\`\`\``)) return 'prompt'
  }
  if (items.length < 10) return 'items'
  if ([...units.values()].some((surplus) => surplus !== 0)) return 'balance'
  const again = open('test', '1')
  for (const entry of entries.toReversed().slice(0, 200))
    if (JSON.stringify(again.item(entry.index)) !== JSON.stringify(entry)) return 'order of asking'
  const grammars = (from: Source) => new Set(Array.from({ length: 2 }, (_, g) => canonicalJson(from.group(g) as never)))
  for (const other of [open('test', '2'), open('train', '1')]) {
    const [here, there] = [grammars(source), grammars(other)]
    if (here.size < 2 || [...there].some((grammar) => here.has(grammar))) return 'grammars of another seed or split'
  }
  const keys = new Set(items.map((item) => task.partition?.key({ shared: item.shared, given: null }) ?? ''))
  if (![...keys].every((key) => bucketsOfSplit('test').includes(partitionBucket('relic/grammar', key)))) return 'fence'
  return null
}

function inject({ config = planned, recognizer, earley, change }: Omit<Fault, 'name'>): string | null {
  broken.recognizer = recognizer ?? null
  broken.earley = earley ?? null
  asked = 0
  try {
    const task = change === undefined ? recognize : defineTask({ ...recognize, ...change(recognize) } as never)
    return caughtBy(task, config)
  } finally {
    broken.recognizer = null
    broken.earley = null
  }
}

describe('seeded faults', () => {
  it('no check objects to the task as it is, nor to the textbook recogniser in its place', () => {
    for (const config of nightly
      ? [demo, planned, several, long, longer, scarce, tiny, mixed]
      : [demo, planned, several, scarce])
      expect(inject({ config })).toBeNull()
    expect(inject({ recognizer: recogniser({}), earley: recogniser({}) })).toBeNull()
  })

  areCaught(faults, survivors, inject)
})
