/** Rules per second on 50 words, and relation tests per second, as ratios within one run. Usage: node bench/rewriting.ts */
import { between, pick, Sfc32 } from '../src/core/index.ts'
import { applyRule, countOverlapping, type Rule, relate, relateAnew } from '../src/rewriting/index.ts'

const stream = new Sfc32(1, 2, 3, 4)
const letters = [...'abcdefghijklmnop']
const text = (low: number, high: number) => {
  let out = ''
  for (let n = between(stream, low, high); n > 0; n--) out += pick(stream, letters)
  return out
}
const words = Array.from({ length: 50 }, () => text(2, 6))
const cascades = Array.from({ length: 40 }, () => Array.from({ length: 20 }, (): Rule => [text(1, 3), text(1, 3)]))

/** Read at the end, so that no work can be left out. */
let sink = 0

/** The best of three, in calls a second of CPU time. */
function rate(calls: number, work: () => void): number {
  let best = 0
  for (let k = 0; k < 3; k++) {
    const begun = process.cpuUsage()
    for (let n = 0; n < 5; n++) work()
    const { user } = process.cpuUsage(begun)
    best = Math.max(best, (5 * calls * 1e6) / Math.max(1, user))
  }
  return best
}

const perWord = rate(800, () => {
  for (const cascade of cascades) {
    let now: readonly string[] = words
    for (const [left, right] of cascade) now = now.map((word) => word.split(left).join(right))
    sink += now.length
  }
})
const joined = rate(800, () => {
  for (const cascade of cascades) {
    let now: readonly string[] = words
    for (const rule of cascade) now = applyRule(now, rule)
    sink += now.length
  }
})
const kept = rate(800, () => {
  for (const cascade of cascades) {
    let now = words.join('\n')
    for (const [left, right] of cascade) now = now.replaceAll(left, () => right)
    sink += now.length
  }
})
const print = (name: string, value: number, base: number) =>
  console.log(
    `${name.padEnd(46)} ${Math.round(value).toLocaleString('en').padStart(12)}/s  ${(value / base).toFixed(1)}x`,
  )
console.log('rules on 50 words')
print('split and join, word by word', perWord, perWord)
print('joined corpus, split after each rule', joined, perWord)
print('joined corpus, kept joined', kept, perWord)

const pairs = cascades.flatMap((cascade) => cascade.slice(1).map((rule, k) => [cascade[k] as Rule, rule[0]] as const))
/** All strings of up to four of a rule pair's own letters. */
const stringsOf = (known: string): string[] => {
  let layer = ['']
  const all: string[] = []
  for (let n = 0; n < 4; n++) {
    layer = layer.flatMap((head) => [...new Set(known)].map((letter) => head + letter))
    all.push(...layer)
  }
  return all
}
const few = pairs.slice(0, 12).map(([rule, target]) => ({ rule, target, strings: stringsOf(rule.join('') + target) }))
const brute = rate(few.length, () => {
  for (const { rule, target, strings } of few) {
    let [feeds, bleeds] = [false, false]
    for (const u of strings) {
      const [before, after] = [countOverlapping(u, target), countOverlapping(u.split(rule[0]).join(rule[1]), target)]
      if (after > before) feeds = true
      if (after < before) bleeds = true
    }
    sink += Number(feeds) + Number(bleeds)
  }
})
console.log('feeding and bleeding of rule pairs')
print('brute force over strings up to 4 letters', brute, brute)
const each = (test: (rule: Rule, target: string) => number) => () => {
  for (const [rule, target] of pairs) sink += test(rule, target)
}
const paper = relateAnew('paper')
const exact = relateAnew('exact')
print('released test', rate(pairs.length, each(paper)), brute)
print('exact', rate(pairs.length, each(exact)), brute)
print('exact, remembered', rate(pairs.length, each(relate('exact'))), brute)
if (sink === 0) throw new Error('nothing was measured')
