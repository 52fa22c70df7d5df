import { describe, expect, it } from 'vitest'
import { type Item, namedStream, pick, type Task } from '../../../src/core/index.ts'
import { rulesOf, runRules } from '../../../src/tasks/slr-bench/run-rules.ts'
import { shownCase } from '../../../src/tasks/slr-bench/trains/oracle.ts'
import {
  commonFacts,
  EAST,
  factsOf,
  type Train,
  type Trains,
  trainName,
  WEST,
} from '../../../src/tasks/slr-bench/trains/question.ts'
import {
  decides,
  holds,
  type Rule,
  rulesOfAnyForm,
  rulesUpTo,
  ruleText,
} from '../../../src/tasks/slr-bench/trains/rule.ts'
import { trains } from '../../../src/tasks/slr-bench/trains/task.ts'
import { type DrawingOf, drawingOf } from '../../../src/view/client/truth/kinds.ts'
import { sample } from '../../nightly.ts'
import { sourceOf } from '../recoglab/items.ts'
import { bestBy, candidates, equalPairs, everywhere, nearPairs, readOf, splitOf } from './label-free.ts'
import { tauProves } from './tau.ts'

const task: Task = trains
const plain = ['basic', 'easy', 'medium', 'hard'] as const
const tiers = [...plain, 'negation', 'recursion', 'arithmetic'] as const
const isPlain = (tier: string): boolean => plain.some((one) => one === tier)
const rulesOf3 = (tier: string) => (isPlain(tier) ? rulesUpTo(3) : rulesOfAnyForm())
/** Drawn once for all tests. */
const drawn = new Map(tiers.map((tier) => [tier as string, [] as Item[]]))
function firstItems(tier: string, count: number): readonly Item[] {
  const items = drawn.get(tier) as Item[]
  const source = sourceOf(task, task.preset(tier).config)
  while (items.length < count) items.push(source.item(items.length) as Item)
  return items.slice(0, count)
}
const givens = (tier: string, count: number): readonly (Trains & { readonly truth: string })[] =>
  firstItems(tier, count).map((item) => ({ ...(item.given as Trains), truth: String(item.answer) }))

describe.each(tiers)('%s', (tier) => {
  it('gives one meaning to a rule in the generator and in the interpreter', () => {
    const draws = namedStream('test/slr-bench', tier)
    const all = rulesOf3(tier)
    for (const given of givens(tier, sample({ nightly: 12, otherwise: 3 })))
      for (let i = 0; i < 20; i++) {
        const rule = pick(draws, all)
        const text = ruleText(rule)
        const rules = rulesOf(text, EAST)
        const judged = rules.kind === 'rules' ? runRules(rules.clauses, EAST, shownCase(given).worlds) : []
        expect([text, judged]).toEqual([text, given.trains.map((train) => (holds(rule, train) ? 'holds' : 'fails'))])
      }
  })

  it('has trains that another interpreter tells apart by the rule', async () => {
    for (const given of givens(tier, sample({ nightly: 3, otherwise: 2 })))
      for (const [i, train] of given.trains.entries()) {
        const facts = [...commonFacts(given), ...factsOf(train, trainName(i)), 'front_of(none, none).']
        const program = `${facts.join('\n')}\n${given.truth}\n`
        expect(await tauProves(program, `${EAST}(${trainName(i)})`)).toBe(given.east[i] === true ? 'proved' : 'refuted')
      }
  })

  it.runIf(isPlain(tier))(
    'draws of each eastbound train the first car of which the rule holds, of no other any',
    () => {
      for (const item of firstItems(tier, 3)) {
        const { shared, given, answer } = item
        const table = task.drawings?.({ shared, given, answer }).find((one) => drawingOf(one)?.kind === 'table')
        const { rows, marked } = drawingOf(table ?? null) as DrawingOf<'table'>
        const { trains: shown, east } = given as Trains
        const rule = rulesUpTo(3).find((one) => ruleText(one) === answer) as Rule
        const width = rule.second.length === 0 ? 1 : 2
        for (const [row, train] of shown.entries()) {
          const first = train.findIndex((_, car) => holds(rule, train.slice(car, car + width)))
          const cars = marked.filter(([at]) => at === row).map(([, column]) => column - 2)
          expect(rows[row]?.slice(0, 2)).toEqual([trainName(row), east[row] === true ? EAST : WEST])
          expect(cars).toEqual(east[row] === true ? [first, first + 1].slice(0, width) : [])
        }
      }
    },
  )

  it('has one rule of its size or smaller that fits, by a search of its own', () => {
    for (const given of givens(tier, sample({ nightly: 10, otherwise: 3 }))) {
      const rivals = isPlain(tier) ? rulesUpTo(tier === 'hard' ? 3 : tier === 'basic' ? 1 : 2) : rulesOfAnyForm()
      const fitting = rivals.filter((rule) => given.trains.every((train, i) => holds(rule, train) === given.east[i]))
      expect(fitting.map(ruleText)).toEqual([given.truth])
    }
  })

  it('has trains in pairs equal in all that can be counted, and all of them different', () => {
    for (const { trains: shown, hidden } of givens(tier, sample({ nightly: 20, otherwise: 5 }))) {
      const all = [...shown, ...hidden]
      expect(new Set(all.map((train) => JSON.stringify(train))).size).toBe(all.length)
      const counts = shown.map((train) => JSON.stringify(countsOf(train)))
      if (tier !== 'basic') expect(counts.filter((one, i) => !counts.toSpliced(i, 1).includes(one))).toEqual([])
    }
  })
})

it('means the same by a rule of any form car by car and by bits', () => {
  const [given] = givens('arithmetic', 1)
  for (const rule of rulesOfAnyForm())
    for (const train of given?.trains ?? [])
      expect([ruleText(rule), train.some((_, at) => decides(train, at, rule))]).toEqual([
        ruleText(rule),
        holds(rule, train),
      ])
})

it.each(['negation', 'recursion', 'arithmetic'])(
  'lets an answer of %s define a predicate, and no more than its goals',
  (tier) => {
    const [item] = firstItems(tier, 1)
    if (item === undefined) throw new Error('no item')
    const truth = String(item.answer)
    const value = (program: string): number => task.grade?.(item, program).value ?? -1
    expect(value(truth)).toBe(1)
    const split = truth.replace(/:- has_car\(T, A\), (.*?)\.(?= |$)/, ':- has_car(T, A), fits(A).\nfits(A) :- $1.\n')
    expect(value(split)).toBe(tier === 'recursion' ? 0 : 1)
    expect(
      value(truth.replace('has_car(T, A),', 'has_car(T, A), true, true, true, true, true, true, true, true,')),
    ).toBe(0)
    expect(value(`${truth}\neastbound(T) :- has_car(T, A), colour(A, none).`)).toBe(0)
    expect(value('eastbound(T) :- has_car(T, _).')).toBe(0)
  },
)

/** What a learner sees of a train that counts and nothing else. */
const countsOf = (train: Train): readonly number[] =>
  [3, 3, 3, 3, 3].flatMap((values, at) =>
    Array.from({ length: values }, (_, value) => train.filter((car) => car[at] === value).length),
  )

it('gives a learner on counts nothing but at the basic tier', () => {
  const rules = new Map(rulesUpTo(3).map((rule) => [ruleText(rule), rule]))
  const right = (tier: string): number => {
    let all = 0
    let hits = 0
    for (const { trains: shown, east, hidden, truth } of givens(tier, sample({ nightly: 40, otherwise: 8 }))) {
      // The best threshold on one count, learnt on what is shown, tried on what is not.
      let best = { right: -1, says: (own: readonly number[]): boolean => own.length > 0 }
      const counts = shown.map(countsOf)
      for (const feature of (counts[0] ?? []).keys())
        for (let least = 1; least <= 5; least++)
          for (const way of [true, false]) {
            const says = (own: readonly number[]): boolean => (own[feature] as number) >= least === way
            const found = counts.filter((own, i) => says(own) === east[i]).length
            if (found > best.right) best = { right: found, says }
          }
      const rule = rules.get(truth)
      if (rule === undefined) throw new Error(`no rule reads ${truth}`)
      all += hidden.length
      hits += hidden.filter((train) => best.says(countsOf(train)) === holds(rule, train)).length
    }
    return hits / all
  }
  expect(right('basic')).toBeGreaterThan(0.9)
  for (const tier of ['easy', 'medium', 'hard']) expect(right(tier)).toBeLessThan(0.75)
})

describe.each(plain)('who does not see which way a train goes, at %s', (tier) => {
  const rules = new Map(rulesUpTo(3).map((rule) => [ruleText(rule), rule]))
  const items = givens(tier, sample({ nightly: 200, otherwise: tier === 'hard' ? 20 : 60 })).map(
    ({ trains: shown, truth }) => {
      const rule = rules.get(truth) as Rule
      const pairs = equalPairs(shown)
      const rivals = candidates(shown, rule).map((one) => ({ one, split: splitOf(one, pairs) }))
      return { shown, reads: readOf(rule), pairs: pairs.length, rivals }
    },
  )
  /** Of 60 items .3 would be five standard errors above a tenth. */
  const share = (guess: (item: (typeof items)[number]) => string | undefined): number =>
    items.filter((item) => guess(item) === item.reads).length / items.length
  type Rival = (typeof items)[number]['rivals'][number]
  const named = (rival: Rival | undefined) => rival && readOf(rival.one)

  it('does not know the rule from near pairs, from values that all trains have, or from pairs that a rule splits', () => {
    const size = (reads: string) => reads.split(' ').length
    expect(share(({ shown, reads }) => nearPairs(shown, size(reads)))).toBeLessThan(0.25)
    expect(share(({ shown, reads }) => everywhere(shown, size(reads)))).toBeLessThan(0.25)
    expect(share(({ rivals }) => named(bestBy(rivals, ({ split }) => split)))).toBeLessThan(0.25)
  })

  it('does not know it from how many trains a rule holds of, or how many pairs it splits', () => {
    const unlike = ({ one, split }: Rival, shown: readonly Train[], pairs: number): number =>
      Math.abs(shown.filter((train) => holds(one, train)).length - shown.length / 2) + Math.abs(split - pairs / 2)
    expect(
      share(({ shown, rivals, pairs }) => named(bestBy(rivals, (rival) => -unlike(rival, shown, pairs)))),
    ).toBeLessThan(0.25)
  })
})

describe('an answer', () => {
  const [item] = firstItems('easy', 1)
  if (item === undefined) throw new Error('no item')
  const given = item.given as Trains
  const value = (program: string): number => task.grade?.(item, program).value ?? -1
  const named = (program: string): string => program.replaceAll('TRUE', String(item.answer).replace(/^.*:- |\.$/gu, ''))

  it.each([
    ['eastbound(T) :- TRUE.', 1],
    ['eastbound(Train) :- findall(x, fits(Train), [_|_]).\nfits(T) :- TRUE.', 0],
    ['eastbound(T) :- TRUE, true, true.', 1],
    ['eastbound(T) :- TRUE, true, true, true.', 0],
    ['eastbound(T) :- TRUE.\neastbound(T) :- TRUE.', 0],
    ['eastbound(T) :- call((TRUE, true, true, true)).', 0],
  ])('%s is worth %d', (program, worth) => {
    expect(value(named(program))).toBe(worth)
  })

  it('that lists the trains is worth nothing', () => {
    const listed = given.trains.flatMap((_, i) => (given.east[i] === true ? [`eastbound(${trainName(i)}).`] : []))
    expect(value(listed.join('\n'))).toBe(0)
    const west = given.east.filter((one) => !one).length / given.east.length
    expect(task.grade?.(item, listed.join('\n')).parts?.['partial']).toBe(west)
  })

  const answerOf = (text: string, parser = 'lenient'): unknown => {
    const found = task.parsers?.[parser]?.(text, item)
    return found?.kind === 'extracted' ? found.answer : null
  }
  const rule = named('eastbound(T) :- TRUE.')

  it('may lack its periods, but not as published', () => {
    const bare = rule.slice(0, -1)
    for (const parser of ['strict', 'lenient']) {
      expect(answerOf(`\`\`\`prolog\n${bare}\n\`\`\``, parser)).toBe(rule)
      expect(answerOf(`\`\`\`\n${bare}   % why\n${rule}\n\`\`\``, parser)).toBe(`${rule}   % why\n${rule}`)
      expect(answerOf(`\`\`\`\n${rule}\n\`\`\``, parser)).toBe(rule)
    }
    expect(answerOf(`\`\`\`prolog\n${bare}\n\`\`\``, 'published')).toBe(bare)
    expect(answerOf(`The rule:\n${bare}\nThis fits.`)).toBe(rule)
    expect(answerOf('The rule:\neastbound(T) :-\n  has_car(T, C),\n  red(C)\n\nThis fits.')).toBe(
      'eastbound(T) :-\n  has_car(T, C),\n  red(C).',
    )
    expect(value(String(answerOf(`\`\`\`\n${bare}\n\`\`\``)))).toBe(1)
  })

  it('is never taken from a thought', () => {
    for (const text of [`<|channel|>analysis<|message|>${rule}`, `<mm:think>\n${rule}\n</mm:think>\nI cannot say.`])
      for (const parser of ['strict', 'lenient']) expect(answerOf(text, parser)).toBeNull()
  })
})
