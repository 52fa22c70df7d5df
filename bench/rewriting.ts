/** Rules per second on 50 words, and relation tests per second, as ratios within one run. */
import process from 'node:process'
import { between, pick, Sfc32, type Stream } from '../src/core/index.ts'
import { applyRule, countOverlapping, exactRelations, type Rule, relate } from '../src/libraries/rewriting/index.ts'
import type { BenchTable } from './table.ts'

const letters = [...'abcdefghijklmnop']

function text(stream: Stream, low: number, high: number): string {
  let out = ''
  for (let n = between(stream, low, high); n > 0; n--) out += pick(stream, letters)
  return out
}

/** Read at the end, so that no work can be left out. */
let sink = 0

/** Microseconds of CPU time that a measurement takes at least: the clock moves in steps. */
const MIN = 100_000

/** The best of three, in calls a second of CPU time. */
function rate(calls: number, work: () => void): number {
  let best = 0
  for (let k = 0; k < 3; k++) {
    const begun = process.cpuUsage()
    let [times, user] = [0, 0]
    while (user < MIN) {
      for (let n = 0; n < 5; n++) work()
      times += 5
      user = process.cpuUsage(begun).user
    }
    best = Math.max(best, (times * calls * 1e6) / user)
  }
  return best
}

const ratios = (rates: readonly (readonly [string, number])[]): (readonly (string | number)[])[] =>
  rates.map(([name, value]) => [name, Math.round(value), value / (rates[0]?.[1] ?? value)])

export async function run(): Promise<readonly BenchTable[]> {
  const stream = new Sfc32(1, 2, 3, 4)
  const words = Array.from({ length: 50 }, () => text(stream, 2, 6))
  const cascades = Array.from({ length: 40 }, () =>
    Array.from({ length: 20 }, (): Rule => [text(stream, 1, 3), text(stream, 1, 3)]),
  )
  const tables = [rewriting(words, cascades), classifying(cascades)]
  if (sink === 0) throw new Error('nothing was measured')
  return tables
}

function rewriting(words: readonly string[], cascades: readonly (readonly Rule[])[]): BenchTable {
  const over = (step: (now: readonly string[], rule: Rule) => readonly string[]) => () => {
    for (const cascade of cascades) sink += cascade.reduce(step, words).length
  }
  const joined = () => {
    for (const cascade of cascades) {
      let now = words.join('\n')
      for (const [left, right] of cascade) now = now.replaceAll(left, () => right)
      sink += now.length
    }
  }
  return {
    title: 'Rewriting 50 words',
    columns: ['variant', 'rules/s', 'ratio'],
    rows: ratios([
      [
        'split and join, word by word',
        rate(
          800,
          over((now, [left, right]) => now.map((w) => w.split(left).join(right))),
        ),
      ],
      ['joined corpus, split after each rule', rate(800, over(applyRule))],
      ['joined corpus, kept joined', rate(800, joined)],
    ]),
    notes: ['40 cascades of 20 rules over 16 letters. Target: 5x over word by word where the corpus stays joined.'],
  }
}

/** All strings of up to four of a rule pair's own letters. */
function stringsOf(known: string): string[] {
  let layer = ['']
  const all: string[] = []
  for (let n = 0; n < 4; n++) {
    layer = layer.flatMap((head) => [...new Set(known)].map((letter) => head + letter))
    all.push(...layer)
  }
  return all
}

function classifying(cascades: readonly (readonly Rule[])[]): BenchTable {
  const pairs = cascades.flatMap((cascade) => cascade.slice(1).map((rule, k) => [cascade[k] as Rule, rule[0]] as const))
  const few = pairs.slice(0, 12).map(([rule, target]) => ({ rule, target, strings: stringsOf(rule.join('') + target) }))
  const brute = () => {
    for (const { rule, target, strings } of few)
      for (const u of strings) {
        const before = countOverlapping(u, target)
        sink += Number(countOverlapping(u.split(rule[0]).join(rule[1]), target) !== before)
      }
  }
  const each = (test: (rule: Rule, target: string) => number) => () => {
    for (const [rule, target] of pairs) sink += test(rule, target)
  }
  // Over three letters nearly every pair shares some, so that nothing is decided by letters alone.
  const three = new Map([...letters].map((letter, k) => [letter, 'abc'[k % 3] as string]))
  const mapped = (side: string) => Array.from(side, (letter) => three.get(letter)).join('')
  const dense = pairs.map(([[left, right], target]) => [[mapped(left), mapped(right)], mapped(target)] as const)
  const searched = () => {
    for (const [rule, target] of dense) sink += Number(exactRelations(rule, target).feeds)
  }
  return {
    title: 'Feeding and bleeding of rule pairs',
    columns: ['variant', 'pairs/s', 'ratio'],
    rows: ratios([
      ['brute force over strings up to 4 letters', rate(few.length, brute)],
      ['released test', rate(pairs.length, each(relate('paper')))],
      [
        'exact',
        rate(
          pairs.length,
          each((rule, target) => Number(exactRelations(rule, target).feeds)),
        ),
      ],
      ['exact, over three letters', rate(dense.length, searched)],
      ['exact, remembered', rate(pairs.length, each(relate('exact')))],
    ]),
    notes: [
      'Target: 20x over brute force, which is wrong for longer witnesses. In a cascade each triple of texts is asked often, so the remembered test is what runs.',
    ],
  }
}

if (import.meta.main)
  for (const { title, rows } of await run())
    process.stdout.write(`${title}\n${rows.map((row) => `${row.join(' | ')}\n`).join('')}`)
