import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  canonicalJson,
  type Extracted,
  type Item,
  isArray,
  isObject,
  type Json,
  parseJson,
  type Source,
  type Task,
} from '../../../src/core/index.ts'
import { hashesElsewhere, hashesOf } from './hashes.ts'
import { junk } from './junk.ts'

/** The laws every task must pass in every preset (DESIGN 4). Call inside a `describe`. */
export function taskLaws(task: Task, preset: string): void {
  const { config } = task.preset(preset)
  const sources = new Map<string, Source>()
  const open = (split: string, seed: string): Source => {
    const key = `${split} ${seed}`
    let source = sources.get(key)
    if (source === undefined) {
      source = task.source(config, { split, seed })
      sources.set(key, source)
    }
    return source
  }
  const test = (): Source => open('test', '1')
  // Drawn once for all laws: an item is what its place says, whoever asks.
  const known: { items: Item[]; asked: number } = { items: [], asked: 0 }
  const some = (count: number): Item[] => {
    if (known.asked < count) Object.assign(known, { items: firstItems(test(), count), asked: count })
    return known.items.slice(0, count)
  }
  const questionOf = ({ shared, given }: Item) => ({ shared, given })
  const problemOf = ({ shared, given, answer }: Item) => ({ shared, given, answer })

  it('makes the same item in any order, from a fresh source and from a stored plan', () => {
    const source = test()
    const size = source.layout.size ?? 5000
    const indices = [0, 1, 2, Math.floor(size / 2), size - 1].filter((index) => index < size)
    const first = indices.map((index) => canonicalOf(source.item(index)))
    const plan = parseJson(JSON.stringify(source.plan))
    const again = task.source(config, { split: 'test', seed: '1' }, plan === null ? undefined : plan)
    const backwards = [...indices].reverse().map((index) => canonicalOf(again.item(index)))
    expect(backwards.reverse()).toEqual(first)
  })

  it('makes the same items in another process', async () => {
    expect((await hashesElsewhere(task.name)).get(preset)).toEqual(hashesOf(test()))
  })

  it('has items, and indices without end or with an end that is told', () => {
    const source = test()
    expect(some(1)).toHaveLength(1)
    const { size } = source.layout
    if (size !== null) expect(() => source.item(size)).toThrow(/indices/)
  })

  it('gives other items for another seed and another split', () => {
    const here = some(8).map((item) => canonicalJson(item.given))
    for (const other of [open('test', '2'), open('train', '1')]) {
      const there = firstItems(other, 8).map((item) => canonicalJson(item.given))
      expect(there).not.toEqual(here)
    }
  })

  it('survives a JSON round trip: same prompts, oracle, gold and witness', () => {
    const source = test()
    for (const item of some(3)) {
      const copy = parseJson(JSON.stringify(item)) as unknown as Item
      for (const style of task.styles) expect(source.request(copy, style)).toEqual(source.request(item, style))
      expect(task.oracle(questionOf(copy), copy.answer)).toBe(true)
      expect(task.check(problemOf(copy), task.witness(problemOf(item)))).toBe(true)
    }
  })

  it('asks without looking at the answer: labels may be permuted inside a stratum, prompts stay', () => {
    const source = test()
    const secret = (name: string) => () => {
      throw new Error(`the prompt looked at the item's ${name}`)
    }
    for (const item of some(3)) {
      const blind = Object.defineProperties(
        { ...item },
        { answer: { get: secret('answer') }, features: { get: secret('features') } },
      )
      for (const style of task.styles) expect(source.request(blind, style)).toEqual(source.request(item, style))
    }
  })

  it('has declared every feature, and its items fit the declaration', () => {
    for (const item of some(20)) {
      expect(task.features.safeParse(item.features).error?.message).toBeUndefined()
      expect(Object.keys(item.features).sort()).toEqual(Object.keys(task.features.shape).sort())
    }
  })

  it('is right by its oracle, and its witnesses check', () => {
    for (const item of some(40)) {
      expect(task.oracle(questionOf(item), item.answer), item.id).toBe(true)
      expect(task.check(problemOf(item), parseJson(canonicalJson(task.witness(problemOf(item))))), item.id).toBe(true)
    }
  })

  const { parsers, grade, gold } = task
  if (parsers === undefined || grade === undefined) {
    it('measures scored requests instead, and says why there is no gold', () => {
      expect(task.measure).toBeDefined()
      expect(task.noGold ?? gold).toBeDefined()
    })
    return
  }
  const graded = (item: Item, found: Extracted<Json>): number | null =>
    found.kind === 'unparsed' ? null : grade(problemOf(item), found.answer).value

  it.skipIf(task.improve === undefined)('improves responses without looking: right ones stay right', () => {
    const source = test()
    for (const item of some(5)) {
      const improved = (text: string) =>
        task.improve?.(questionOf(item), text, source.baselineDraws(item.index, 'hybrid')) ?? ''
      const right = gold?.(problemOf(item)) ?? ''
      expect(graded(item, parsers.lenient(improved(right), questionOf(item)))).toBe(1)
      expect(improved(right)).toBe(improved(right))
    }
    const [item] = some(1)
    for (const [, text] of junk.slice(0, 3))
      if (item !== undefined)
        expect(task.improve?.(questionOf(item), text, source.baselineDraws(item.index, 'hybrid'))).toBeTypeOf('string')
  })

  it('gives its gold full marks under strict and lenient', () => {
    if (gold === undefined) {
      expect(task.noGold).toBeTypeOf('string')
      return
    }
    for (const item of some(20))
      for (const text of variants(gold(problemOf(item))))
        for (const parser of [parsers.strict, parsers.lenient])
          expect(
            graded(item, parser(text, questionOf(item))),
            `${item.id}: ${JSON.stringify(text).slice(0, 200)}`,
          ).toBe(1)
  })

  it('marks an answer full exactly when the oracle calls it right', () => {
    for (const item of some(20)) {
      const question = questionOf(item)
      const choices = task.choices?.(question) ?? []
      const answers =
        choices.length > 0
          ? choices.flatMap((choice) => {
              const found = parsers.strict(choice, question)
              return found.kind === 'extracted' ? [found.answer] : []
            })
          : mutants(item.answer, 20)
      for (const answer of answers)
        expect(grade(problemOf(item), answer).value === 1, `${item.id}: ${JSON.stringify(answer).slice(0, 200)}`).toBe(
          task.oracle(question, answer),
        )
    }
  })

  it('reads every one of its choices, and has one right answer among them', () => {
    if (task.choices === undefined) return
    for (const item of some(10)) {
      const question = questionOf(item)
      const choices = task.choices(question)
      // No choices: this question's answer is open.
      if (choices.length === 0) continue
      const structure = task.structure?.(question)
      // The attacker and the baselines of short range take the terms for these choices, in this order.
      if (structure?.kind === 'statements' && structure.candidates !== undefined)
        expect(structure.candidates).toHaveLength(choices.length)
      const values = choices.map((choice) => graded(item, parsers.strict(choice, question)))
      expect(values.every((value) => value !== null)).toBe(true)
      expect(values.filter((value) => value === 1).length).toBeGreaterThan(0)
      expect(values.filter((value) => value === 1).length).toBeLessThan(values.length)
    }
  })

  it('never throws on junk, and calls it unparsed under strict', () => {
    const item = some(1)[0] as Item
    for (const [name, text] of junk)
      for (const [parser, parse] of Object.entries(parsers)) {
        const found = parse(text, questionOf(item))
        if (parser === 'strict') expect(found.kind, name).toBe('unparsed')
        if (found.kind === 'extracted') {
          const [from, to] = found.span
          expect(from >= 0 && from <= to && to <= text.length, `${parser} on ${name}`).toBe(true)
        }
      }
  })

  it('reads under lenient what strict reads', () => {
    const items = some(3)
    const golds = items.flatMap((item) => gold?.(problemOf(item)) ?? [])
    let read = 0
    for (const item of items) {
      const question = questionOf(item)
      const choices = task.choices?.(question).slice(0, 6) ?? []
      const said = [...golds, ...choices, ...choices.map((choice) => choice.toLowerCase())]
      const answer = fc.constantFrom(...said)
      const piece = fc.constantFrom(...said, ...said.map((text) => `Answer: ${text}`), ...remarks)
      const response = fc.tuple(
        fc.array(fc.tuple(piece, fc.constantFrom('\n', '\n\n', ' ', '')), { maxLength: 6 }),
        fc.oneof(answer, piece),
      )
      fc.assert(
        fc.property(response, ([before, last]) => {
          const text = before.flat().join('') + last
          const strict = parsers.strict(text, question)
          if (strict.kind === 'unparsed') return
          read++
          expect(parsers.lenient(text, question), JSON.stringify(text)).toMatchObject({ answer: strict.answer })
        }),
        { numRuns: 200, seed: 1 },
      )
    }
    expect(read).toBeGreaterThan(20)
  })

  it('asks twins alike: equal signatures, different answers, one draw', () => {
    const source = test()
    const { twins } = source.layout
    if (twins === undefined) return
    const { signature } = task
    expect(signature, 'a task with twins says what they have in common').toBeDefined()
    for (const [draw, items] of Map.groupBy(some(60 * twins), (item) => item.draw)) {
      if (items.length < twins) continue
      expect(new Set(items.map((item) => item.twin)).size, draw).toBe(1)
      expect(new Set(items.map((item) => JSON.stringify(item.answer))).size, draw).toBe(twins)
      expect(new Set(items.map((item) => JSON.stringify(signature?.(item)))).size, draw).toBe(1)
    }
  })

  it('keeps labels equal inside every unit', () => {
    const { label } = test().layout
    if (label === undefined) return
    const counts = new Map<string, Map<string, number>>()
    const source = test()
    const limit = Math.min(source.layout.size ?? 600, 600)
    for (let index = 0; index < limit; index++) {
      const place = source.layout.at(index)
      if ('kind' in place) continue
      const levels = source.layout.strata[place.stratum] ?? {}
      const { [label]: value, ...rest } = levels
      const unit = `${place.group} ${JSON.stringify(rest)}`
      const found = counts.get(unit) ?? new Map<string, number>()
      found.set(String(value), (found.get(String(value)) ?? 0) + 1)
      counts.set(unit, found)
    }
    // Only the visit that the prefix cuts may be uneven, by one.
    for (const found of counts.values()) {
      const values = [...found.values()]
      expect(Math.max(...values) - Math.min(...values)).toBeLessThanOrEqual(1)
    }
  })
}

const canonicalOf = (item: ReturnType<Source['item']>): string =>
  JSON.stringify({ ...item, shared: item.kind === 'item' ? item.groupHash : null })

export function firstItems(source: Source, count: number): Item[] {
  const items: Item[] = []
  const limit = Math.min(source.layout.size ?? 20_000, 20_000)
  for (let index = 0; index < limit && items.length < count; index++) {
    const item = source.item(index)
    if (item.kind === 'item') items.push(item)
  }
  return items
}

/** The same answer as other machines and habits write it. */
const variants = (text: string): string[] => [
  text,
  `${text}\n\n`,
  `  \n${text}`,
  text.replaceAll('\n', '\r\n'),
  `<think>\nFirst I will consider the opposite.\n</think>\n\n${text}`,
]

/** What stands around answers, and what may be taken for one. */
const remarks = [
  '',
  ...'_ ** ` ( - > } ``` [ ] -> , # \\boxed{ <think> </think>'.split(' '),
  ...'-5 5.0 1,000 one N/A chess [] [x] Answer:'.split(' '),
  ...'```\n|\n```| and |[0, 1]|a -> b|3 hops|no shorter one|rowing, chess|mark this|the answer is|Hope this helps!'.split(
    '|',
  ),
]

/** Near misses of an answer: one leaf changed, dropped, doubled or swapped. */
function mutants(answer: Json, limit: number): Json[] {
  const found = new Map<string, Json>()
  for (const mutant of mutate(answer)) {
    const key = canonicalJson(mutant)
    if (key !== canonicalJson(answer)) found.set(key, mutant)
    if (found.size >= limit) break
  }
  return [...found.values()]
}

function* mutate(value: Json): Generator<Json> {
  if (typeof value === 'boolean') yield !value
  if (typeof value === 'number') {
    yield value + 1
    yield value - 1
  }
  if (typeof value === 'string') {
    yield `${value}${value.at(-1) ?? 'x'}`
    if (value.length > 1) yield value.slice(1)
  }
  if (isArray(value)) {
    for (let i = 0; i + 1 < value.length; i++)
      yield [...value.slice(0, i), value[i + 1] as Json, value[i] as Json, ...value.slice(i + 2)]
    for (let i = 0; i < value.length; i++) {
      if (value.length > 1) yield [...value.slice(0, i), ...value.slice(i + 1)]
      for (const part of mutate(value[i] as Json)) yield [...value.slice(0, i), part, ...value.slice(i + 1)]
    }
  }
  if (isObject(value))
    for (const [key, part] of Object.entries(value))
      for (const changed of mutate(part)) yield { ...value, [key]: changed }
}
