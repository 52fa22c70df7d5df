import process from 'node:process'
import { type Item, memoize, namedStream, type Stream, shuffle, type Task } from '../src/core/index.ts'
import { parentsOf, preterminals, rulesByParent } from '../src/libraries/grammars/grammar/cnf.ts'
import { ngramModel } from '../src/libraries/grammars/negatives/ngram-model.ts'
import { printedRules } from '../src/tasks/relic/grammars/derivation.ts'
import {
  adjacencyOf,
  analyzerOf,
  liftedOf,
  namesOf,
  type Shared,
  tokensOf,
} from '../src/tasks/relic/grammars/grammar.ts'
import { languageOf, recognizerOf } from '../src/tasks/relic/grammars/languages.ts'
import { relic } from '../src/tasks/relic/index.ts'
import { yieldOf } from '../src/tasks/relic/translate/synchronous.ts'
import type { BenchTable } from './table.ts'

/**
 * Attackers that learn: trained on the items of one seed with their answers, tried on those of another, whose grammars are others.
 * Each sees what stands near one place (a token and its neighbours, a rule, a span by its edges) and never a chart.
 * TOUCHSTONE_LEARNERS="relic/parse:parse-easy 400 60" tries one preset with so many items a seed and at most so many seconds for drawing them.
 */
const PRESETS = [
  'parse-easy',
  'parse',
  'next-easy',
  'next',
  'fill-easy',
  'fill',
  'count-easy',
  'count',
  'repair-easy',
  'repair',
  'translate-easy',
  'translate',
  'relic-work',
  'relic-2000',
]
const [LEARN, TRY] = ['teacher', 'stranger']

type Row = readonly number[]
type Score = (row: Row) => number
const cpu = (): number => process.cpuUsage().user / 1e6

/** Logistic regression on standardised columns and their squares, by stochastic gradient. */
function trained(rows: readonly Row[], right: readonly boolean[], stream: Stream): Score {
  const wide = (row: Row): Row => [...row, ...row.map((value) => value * value)]
  const all = rows.map(wide)
  const width = all[0]?.length ?? 0
  const means = Array.from({ length: width }, (_, c) => all.reduce((sum, row) => sum + row[c]!, 0) / all.length)
  const spreads = means.map(
    (mean, c) => Math.sqrt(all.reduce((sum, row) => sum + (row[c]! - mean) ** 2, 0) / all.length) || 1,
  )
  const standard = (row: Row): number[] => row.map((value, c) => (value - means[c]!) / spreads[c]!)
  const inputs = all.map(standard)
  const weights = new Float64Array(width + 1)
  const logit = (row: Row): number => row.reduce((sum, value, c) => sum + value * weights[c]!, weights[width]!)
  for (let epoch = 0; epoch < 12; epoch++)
    for (const at of shuffle(stream, [...inputs.keys()])) {
      const row = inputs[at]!
      const step = (0.05 / (1 + epoch)) * (Number(right[at]) - 1 / (1 + Math.exp(-logit(row))))
      for (let c = 0; c < width; c++) weights[c]! += step * row[c]! - 1e-5 * weights[c]!
      weights[width]! += step
    }
  return (row) => logit(standard(wide(row)))
}

const sharedOf = (item: Item): Shared => item.shared as unknown as Shared
const givenOf = (item: Item) => item.given as { readonly [name: string]: string }
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)

/** What the rules say of a token and of two neighbours. */
const localOf = memoize((shared: Shared) => {
  const { cnf } = liftedOf(shared)
  const [above, parents] = [preterminals(cnf), parentsOf(cnf)]
  const size = cnf.terminals.length
  const over = (a: readonly number[], b: readonly number[]): readonly number[] => [
    ...new Set(a.flatMap((left) => b.flatMap((right) => parents(left, right)))),
  ]
  const symbols = (token: number): readonly number[] => above[token] ?? []
  const pairs = Array.from({ length: size * size }, (_, k) => over(symbols(Math.floor(k / size)), symbols(k % size)))
  const pair = (a: number, b: number): readonly number[] => pairs[a * size + b] ?? []
  const triple = (a: number, b: number, c: number): number =>
    new Set([...over(pair(a, b), symbols(c)), ...over(symbols(a), pair(b, c))]).size
  const legal = (a: number, b: number): boolean => adjacencyOf(shared).pairs[a * size + b] === 1
  return { cnf, symbols, pair, triple, legal, size, rules: rulesByParent(cnf) }
})

/** How the places of a string look, by what neighbours form. */
function looks(shared: Shared, tokens: readonly number[]): Row {
  const { symbols, pair, triple } = localOf(shared)
  const ones = tokens.map((token) => symbols(token).length)
  const twos = tokens.slice(1).map((token, k) => pair(tokens[k]!, token).length)
  const threes = tokens.slice(2).map((token, k) => triple(tokens[k]!, tokens[k + 1]!, token))
  const repeats = tokens.map((token, k) => tokens.slice(0, k).lastIndexOf(token)).filter((at) => at !== -1)
  const few = [ones, twos, threes].flatMap((values) => [
    mean(values),
    mean(values.map((value) => value * value)),
    values.filter((value) => value === 0).length,
    Math.max(0, ...values),
    values[0] ?? 0,
    values.at(-1) ?? 0,
  ])
  return [tokens.length, liftedOf(shared).rules.length, new Set(tokens).size, repeats.length, ...few]
}

interface Option {
  readonly row: Row
  readonly symbols: readonly (readonly [symbol: number, from: number, to: number])[]
  readonly rule: number
}

/** Rules and splits for a symbol over a span, each by what stands at the edges. */
function optionsOf(shared: Shared, tokens: readonly number[], symbol: number, from: number, to: number): Option[] {
  const { rules, pair, symbols, legal } = localOf(shared)
  const own = rules[symbol]!
  const fits = (child: number, a: number, b: number): number =>
    b - a === 1
      ? Number(symbols(tokens[a]!).includes(child))
      : b - a === 2
        ? Number(pair(tokens[a]!, tokens[a + 1]!).includes(child))
        : 0.5
  return own.flatMap(({ left, right, rule }, rank) =>
    Array.from({ length: to - from - 1 }, (_, k) => from + 1 + k).map((split) => ({
      rule,
      symbols: [
        [right, split, to],
        [left, from, split],
      ] as const,
      row: [
        fits(left, from, split),
        fits(right, split, to),
        fits(left, from, split) * fits(right, split, to),
        rank / own.length,
        (split - from) / (to - from),
        split - from,
        to - split,
        rules[left]!.length,
        rules[right]!.length,
        pair(tokens[split - 1]!, tokens[split]!).length,
        Number(legal(tokens[split - 1]!, tokens[split]!)),
        own.length,
      ],
    })),
  )
}

/** Derivations from the top: which rule and split looks best, learned from those that lead to an end. */
function derivations(items: readonly Item[], stream: Stream) {
  const rows: Row[] = []
  const right: boolean[] = []
  for (const item of items) {
    const shared = sharedOf(item)
    const tokens = tokensOf(shared, givenOf(item)['string']!)
    const chart = analyzerOf(shared).chart(tokens)
    const pending: (readonly [number, number, number])[] = [[0, 0, tokens.length]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next[2] - next[1] === 1) continue
      const options = optionsOf(shared, tokens, ...next)
      const good = options.map(({ symbols }) => symbols.every(([symbol, from, to]) => chart.has(symbol, from, to)))
      rows.push(...options.map(({ row }) => row))
      right.push(...good)
      pending.push(...(options[good.indexOf(true)]?.symbols ?? []))
    }
  }
  const score = trained(rows, right, stream)
  return (item: Item): readonly number[] | null => {
    const shared = sharedOf(item)
    const { cnf } = localOf(shared)
    const tokens = tokensOf(shared, givenOf(item)['string']!)
    const found: number[] = []
    const pending: (readonly [number, number, number])[] = [[0, 0, tokens.length]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [symbol, from, to] = next
      if (to - from === 1) {
        const at = Array.from({ length: cnf.lexical.length / 2 }, (_, k) => k)
        const rule = at.find((k) => cnf.lexical[2 * k] === symbol && cnf.lexical[2 * k + 1] === tokens[from])
        if (rule === undefined) return null
        found.push(cnf.binary.length / 3 + rule)
        continue
      }
      const best = greatest(optionsOf(shared, tokens, symbol, from, to), ({ row }) => score(row))
      if (best === undefined) return null
      found.push(best.rule)
      pending.push(...best.symbols)
    }
    return found
  }
}

function greatest<T>(values: readonly T[], of: (value: T) => number): T | undefined {
  let [best, most]: [T | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    const own = of(value)
    if (own > most) [best, most] = [value, own]
  }
  return best
}

/** A token at a place, by its neighbours (-1: none or not known). */
function placed(shared: Shared, around: readonly [number, number, number, number], token: number, rest: Row): Row {
  const { symbols, pair, triple, legal } = localOf(shared)
  const [before2, before, behind, behind2] = around
  const both = (a: number, b: number) => (a < 0 || b < 0 ? [0.5, 1] : [Number(legal(a, b)), pair(a, b).length])
  const three = (a: number, b: number, c: number) => (a < 0 || b < 0 || c < 0 ? 1 : triple(a, b, c))
  return [
    ...both(before, token),
    ...both(token, behind),
    three(before2, before, token),
    three(before, token, behind),
    three(token, behind, behind2),
    symbols(token).length,
    Number(token === before || token === behind),
    ...rest,
  ]
}

const solvedShare = (items: readonly Item[], isSolved: (item: Item) => boolean): number =>
  items.filter(isSolved).length / items.length
type Found = readonly (readonly [attacker: string, right: number, chance: number])[]
interface Attack {
  readonly task: Task
  readonly learn: readonly Item[]
  readonly others: readonly Item[]
  readonly stream: Stream
}

const grade = (task: Task, item: Item, answer: unknown): boolean => task.grade!(item, answer as never).value === 1

/** The commonest answer, and that of the learned item whose question is most alike in looks. */
function remembered({ task, learn, others }: Attack, textOf: (item: Item) => string): Found {
  const counts = Map.groupBy(learn, ({ answer }) => JSON.stringify(answer))
  const commonest = greatest([...counts.values()], ({ length }) => length)![0]!.answer
  const known = learn.map((item) => ({ item, words: new Set(textOf(item).split(' ')), own: looksOf(item, textOf) }))
  const nearest = (item: Item): Item => {
    const words = new Set(textOf(item).split(' '))
    const own = looksOf(item, textOf)
    return greatest(
      known,
      (one) =>
        [...words].filter((word) => one.words.has(word)).length -
        Math.sqrt(sum(own.map((v, c) => (v - one.own[c]!) ** 2))),
    )!.item
  }
  return [
    ['commonest answer', solvedShare(others, (item) => grade(task, item, commonest)), 0],
    ['answer of the nearest neighbour', solvedShare(others, (item) => grade(task, item, nearest(item).answer)), 0],
  ]
}

const looksOf = (item: Item, textOf: (item: Item) => string): Row =>
  looks(
    sharedOf(item),
    tokensOf(sharedOf(item), textOf(item)).filter((token) => token >= 0),
  )

const attacks: { readonly [task: string]: (attack: Attack) => Found } = {
  'relic/parse'(attack) {
    const derive = derivations(attack.learn, attack.stream)
    const right = solvedShare(attack.others, (item) => {
      const found = derive(item)
      return found !== null && grade(attack.task, item, printedRules(sharedOf(item), found))
    })
    return [...remembered(attack, (item) => givenOf(item)['string']!), ['learned derivation', right, 0]]
  },
  'relic/translate'(attack) {
    const derive = derivations(attack.learn, attack.stream)
    const right = solvedShare(attack.others, (item) => {
      const found = derive(item)
      return found !== null && grade(attack.task, item, yieldOf(sharedOf(item), found) ?? [])
    })
    return [...remembered(attack, (item) => givenOf(item)['string']!), ['learned derivation', right, 0]]
  },
  'relic/next'(attack) {
    const beginningOf = (item: Item) => tokensOf(sharedOf(item), givenOf(item)['beginning']!)
    const named = (shared: Shared): readonly string[] => [...liftedOf(shared).cnf.terminals, 'END']
    /** Of a token or END: rules of the last token that lead to it, by what may follow in them. */
    const rowOf = (item: Item, name: string): Row => {
      const shared = sharedOf(item)
      const tokens = beginningOf(item)
      const { legal } = localOf(shared)
      const { rules } = liftedOf(shared)
      const [last, before] = [-1, -2].map((at) => liftedOf(shared).cnf.terminals[tokens.at(at) ?? -1])
      const starts = rules.filter(({ right }) => right[0]!.name === name).map(({ left }) => left)
      const of = (token: string | undefined) => rules.filter(({ right }) => right[0]!.name === token)
      const expected = new Set(of(before).flatMap(({ right }) => right.slice(1, 2).map((one) => one.name)))
      const own = of(last)
      const likely = own.filter(({ left }) => expected.has(left))
      const leads = (some: typeof rules) => some.filter(({ right }) => starts.includes(right[1]?.name ?? '')).length
      const ends = (some: typeof rules) => some.filter(({ right }) => right.length === 1).length
      const code = liftedOf(shared).cnf.terminals.indexOf(name)
      const may = code === -1 ? 0 : Number(legal(tokens.at(-1)!, code))
      const shares = [own, likely].flatMap((some) => [leads(some), leads(some) / (some.length || 1), ends(some)])
      return [Number(name === 'END'), may, starts.length, own.length, likely.length, tokens.length, ...shares]
    }
    const rows = attack.learn.flatMap((item) =>
      named(sharedOf(item)).map((name) => ({
        row: rowOf(item, name),
        right: (item.answer as string[]).includes(name),
      })),
    )
    const score = trained(
      rows.map(({ row }) => row),
      rows.map(({ right }) => right),
      attack.stream,
    )
    const right = solvedShare(attack.others, (item) =>
      grade(
        attack.task,
        item,
        named(sharedOf(item)).filter((name) => score(rowOf(item, name)) > 0),
      ),
    )
    return [...remembered(attack, (item) => givenOf(item)['beginning']!), ['learned set', right, 0]]
  },
  'relic/fill'(attack) {
    const places = (item: Item) => givenOf(item)['template']!.split(' ')
    const rowOf = (shared: Shared, tokens: readonly number[], at: number, token: number): Row =>
      placed(shared, [tokens[at - 2] ?? -1, tokens[at - 1] ?? -1, tokens[at + 1] ?? -1, tokens[at + 2] ?? -1], token, [
        at / tokens.length,
        Number(at === 0),
        Number(at === tokens.length - 1),
      ])
    const filled = (item: Item, choose: (tokens: readonly number[], at: number) => number): readonly number[] => {
      const tokens = tokensOf(sharedOf(item), givenOf(item)['template']!)
      for (const [at, name] of places(item).entries()) if (name === '_') tokens[at] = choose(tokens, at)
      return tokens
    }
    const rows: Row[] = []
    const right: boolean[] = []
    for (const item of attack.learn) {
      const shared = sharedOf(item)
      const answer = tokensOf(shared, (item.answer as string[]).join(' '))
      filled(item, (tokens, at) => {
        for (let token = 0; token < localOf(shared).size; token++) {
          rows.push(rowOf(shared, tokens, at, token))
          right.push(token === answer[at])
        }
        return answer[at]!
      })
    }
    const score = trained(rows, right, attack.stream)
    const solve = (item: Item): readonly string[] => {
      const shared = sharedOf(item)
      const all = Array.from({ length: localOf(shared).size }, (_, token) => token)
      return namesOf(
        shared,
        filled(item, (tokens, at) => greatest(all, (token) => score(rowOf(shared, tokens, at, token)))!),
      )
    }
    /** The tokens that the other items of the grammar have at those places. */
    const groups = Map.groupBy(attack.others, ({ group }) => group)
    const copied = (item: Item): readonly string[] =>
      places(item).map((name, at) => {
        const there = groups
          .get(item.group)!
          .flatMap((one) => (one === item ? [] : ((one.answer as string[])[at] ?? [])))
        return name !== '_'
          ? name
          : (greatest([...new Set(there)], (own) => there.filter((one) => one === own).length) ?? 't0')
      })
    return [
      ...remembered(attack, (item) => givenOf(item)['template']!),
      [
        'tokens of the grammar’s other items',
        solvedShare(attack.others, (item) => grade(attack.task, item, copied(item))),
        0,
      ],
      ['learned filling', solvedShare(attack.others, (item) => grade(attack.task, item, solve(item))), 0],
    ]
  },
  'relic/count'(attack) {
    const rowOf = (item: Item): Row => looks(sharedOf(item), tokensOf(sharedOf(item), givenOf(item)['string']!))
    const by = (of: (item: Item) => Row): number => {
      const rows = attack.learn.map(of)
      const scores = Array.from({ length: 6 }, (_, answer) =>
        trained(
          rows,
          attack.learn.map((item) => item.answer === answer),
          attack.stream,
        ),
      )
      return solvedShare(
        attack.others,
        (item) => greatest([0, 1, 2, 3, 4, 5], (answer) => scores[answer]!(of(item))) === item.answer,
      )
    }
    return [
      ...remembered(attack, (item) => givenOf(item)['string']!).map(([name, right]) => [name, right, 1 / 6] as const),
      ['length and rules alone', by((item) => rowOf(item).slice(0, 2)), 1 / 6],
      ['learned from what neighbours form', by(rowOf), 1 / 6],
    ]
  },
  'relic/repair'(attack) {
    const editsOf = (shared: Shared, tokens: readonly number[]) => {
      const all = Array.from({ length: localOf(shared).size }, (_, token) => token)
      const at = (k: number): number => tokens[k] ?? -1
      const row = (k: number, behind: number, token: number, kind: number): Row =>
        placed(shared, [at(k - 2), at(k - 1), at(behind), at(behind + 1)], token, [kind, k / tokens.length, ...near(k)])
      const near = (k: number): Row => {
        const { legal, pair, triple } = localOf(shared)
        const [a, b, c] = [at(k - 1), at(k), at(k + 1)]
        return [
          a < 0 || b < 0 ? 1 : pair(a, b).length,
          b < 0 || c < 0 ? 1 : pair(b, c).length,
          a < 0 || b < 0 || c < 0 ? 1 : triple(a, b, c),
          a < 0 || c < 0 ? 1 : Number(legal(a, c)) + pair(a, c).length,
        ]
      }
      return Array.from({ length: tokens.length + 1 }, (_, k) => k).flatMap((k) => [
        ...all.map((token) => ({ row: row(k, k, token, 1), tokens: tokens.toSpliced(k, 0, token) })),
        ...(k === tokens.length
          ? []
          : [
              { row: row(k, k + 1, at(k + 1), -1), tokens: tokens.toSpliced(k, 1) },
              ...all.flatMap((token) =>
                token === at(k) ? [] : [{ row: row(k, k + 1, token, 0), tokens: tokens.toSpliced(k, 1, token) }],
              ),
            ]),
      ])
    }
    const of = (some: readonly Item[], distance: number) =>
      some.filter(({ features }) => features['distance'] === distance)
    const options = (item: Item) => {
      const shared = sharedOf(item)
      return editsOf(shared, tokensOf(shared, givenOf(item)['string']!)).map((one) => ({
        ...one,
        right: recognizerOf(shared).accepts(one.tokens),
      }))
    }
    const learned = of(attack.learn, 1).flatMap(options)
    const score = trained(
      learned.map(({ row }) => row),
      learned.map(({ right }) => right),
      attack.stream,
    )
    const single = of(attack.others, 1)
    const tried = single.map(options)
    const chance = mean(tried.map((all) => all.filter(({ right }) => right).length / all.length))
    const best = tried.filter((all) => greatest(all, ({ row }) => score(row))!.right).length / single.length
    const twice = solvedShare(of(attack.others, 2), (item) => {
      const shared = sharedOf(item)
      let tokens: readonly number[] = tokensOf(shared, givenOf(item)['string']!)
      for (let k = 0; k < 2; k++) tokens = greatest(editsOf(shared, tokens), ({ row }) => score(row))!.tokens
      return grade(attack.task, item, namesOf(shared, tokens))
    })
    return [
      ...remembered(attack, (item) => givenOf(item)['string']!),
      ['learned edit, one edit', best, chance],
      ['learned edit twice, two edits', twice, 0],
    ]
  },
  'relic/recognize'(attack) {
    const stringOf = (item: Item) => givenOf(item)['string']!
    /** A trigram model of strings that the attacker draws from the grammar. */
    const models = memoize((shared: Shared) => {
      const stream = namedStream('relic learners model', shared.grammar)
      const { sampler, inside } = languageOf(shared, 32)
      const lengths = Array.from({ length: 25 }, (_, k) => k + 8).filter((n) => inside.weight[n]! > 0)
      return ngramModel(
        Array.from({ length: 500 }, (_, k) => sampler.sample(stream, lengths[k % lengths.length]!)),
        localOf(shared).size,
      )
    })
    const rowOf = (item: Item): Row => {
      const shared = sharedOf(item)
      const tokens = tokensOf(shared, stringOf(item))
      return [...looks(shared, tokens), Math.log(models(shared).ordinariness(tokens)) / tokens.length]
    }
    const rows = attack.learn.map(rowOf)
    const score = trained(
      rows,
      attack.learn.map(({ answer }) => answer === true),
      attack.stream,
    )
    const scored = attack.others.map((item) => ({ item, value: score(rowOf(item)) }))
    const middle = scored.map(({ value }) => value).toSorted((a, b) => a - b)[Math.floor(scored.length / 2)]!
    const pairs = [...Map.groupBy(scored, ({ item }) => `${item.group} ${item.draw}`).values()].filter(
      (two) => two.length === 2,
    )
    const told = pairs.filter(([a, b]) => (a!.item.answer === true ? a!.value > b!.value : b!.value > a!.value)).length
    return [
      [
        'learned from what neighbours form and trigrams',
        scored.filter(({ item, value }) => value > middle === item.answer).length / scored.length,
        0.5,
      ],
      ['the same, right one of a pair', told / pairs.length, 0.5],
    ]
  },
}

/** Items of a split and seed, whole grammars at a time, while the seconds last. */
function drawn(task: Task, preset: string, seed: string, count: number, seconds: number): readonly Item[] {
  const source = task.source(task.preset(preset).config, { split: seed === LEARN ? 'train' : 'test', seed })
  const begun = cpu()
  const items: Item[] = []
  for (let index = 0; items.length < count && index < 3 * count && cpu() - begun < seconds; index++) {
    const item = source.item(index)
    if (item.kind === 'item') items.push(item)
  }
  return items
}

export async function run(): Promise<BenchTable> {
  const [named = '', size = '400', cap = '30'] = (process.env['TOUCHSTONE_LEARNERS'] ?? '').split(' ')
  const [name, only] = named.split(':')
  const rows: (string | number)[][] = []
  for (const [task, attack] of Object.entries(attacks)) {
    const own = relic.tasks.find((one) => one.name === task)!
    for (const preset of PRESETS.filter((one) => own.presets[one] !== undefined)) {
      if ((name && name !== task) || (only && only !== preset)) continue
      const [learn, others] = [LEARN, TRY].map((seed) => drawn(own, preset, seed, Number(size), Number(cap))) as [
        readonly Item[],
        readonly Item[],
      ]
      const stream = namedStream('relic learners', preset)
      for (const [attacker, right, chance] of attack({ task: own, learn, others, stream }))
        if (!Number.isNaN(right)) rows.push([preset, learn.length, others.length, attacker, right, chance])
    }
  }
  return {
    title: 'Attackers that learn, on tasks over drawn grammars',
    columns: ['preset', 'learned from', 'tried on', 'attacker', 'correct', 'chance'],
    rows,
    notes: [
      `Trained on split train, seed ${LEARN}, tried on split test, seed ${TRY}: no grammar is in both. Learned ones are logistic regressions on what rules say of neighbouring tokens, and take the likeliest choice at each place without going back.`,
    ],
  }
}
