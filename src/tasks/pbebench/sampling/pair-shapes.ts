import { below, between, pick, type Stream, sample } from '../../../core/index.ts'
import { applyRule, categoryBits, type Rule, relate } from '../../../libraries/rewriting/index.ts'
import { drawWords, type Instance, type Setting } from './settings.ts'

/**
 * Two-rule cascades of rare categories. Sequential draws meet some of them a few times a second only, because both
 * rules must be made of the same two or three letters. So the pattern of equal letters is drawn first, uniformly over
 * all patterns of the drawn lengths, and letters that occur in the words are put in afterwards.
 */
const SHAPES = 4000
/** Spellings of one pattern before another is drawn. */
const SPELLINGS = 16

/** One attempt: a pattern of the category, and letters that make both rules change words. null: it failed. */
export function drawPair(stream: Stream, setting: Setting, category: number): Instance | null {
  const shape = drawShape(stream, setting, category)
  if (shape === null) return null
  const inputs = drawWords(stream, setting)
  const windows = windowsLike(inputs, shape.pattern.slice(0, shape.ends[0]))
  for (let tries = 0; tries < SPELLINGS && windows.length > 0; tries++) {
    const rules = spellRules(stream, setting, shape, pick(stream, windows))
    if (rules === null) return null
    const instance = finish(inputs, rules, setting)
    if (instance !== null) return instance
  }
  return null
}

/** Letters for a pattern: those of a substring of the words for the first left side, other ones for the rest. */
function spellRules(stream: Stream, setting: Setting, shape: Shape, first: string): readonly Rule[] | null {
  const seen = [...first]
  const symbols = new Map<number, string>()
  for (const [k, letter] of seen.entries()) symbols.set(shape.pattern[k] as number, letter)
  const others = setting.letters.filter((letter) => !seen.includes(letter))
  const needed = Math.max(...shape.pattern) + 1 - symbols.size
  if (needed > others.length) return null
  const fresh = sample(stream, others, needed)
  for (const number of shape.pattern) if (!symbols.has(number)) symbols.set(number, fresh.pop() as string)
  return cut(shape).map(([left, right]): Rule => [spell(left, symbols), spell(right, symbols)])
}

interface Shape {
  /** First-occurrence numbers of all letters: left 1, right 1, left 2, right 2. */
  readonly pattern: readonly number[]
  readonly ends: readonly [number, number, number, number]
}

function drawShape(stream: Stream, setting: Setting, category: number): Shape | null {
  const test = relate(setting.classifier)
  const [low, high] = setting.side
  const right = () => between(stream, setting.emptyRight ? 0 : low, high)
  for (let tries = 0; tries < SHAPES; tries++) {
    const lengths = [between(stream, low, high), right(), between(stream, low, high), right()] as const
    const a = lengths[0]
    const b = a + lengths[1]
    const c = b + lengths[2]
    const pattern = drawPattern(stream, c + lengths[3], setting.letters.length)
    const shape: Shape = { pattern, ends: [a, b, c, c + lengths[3]] }
    const [first, second] = cut(shape).map(([l, r]): Rule => [code(l), code(r)]) as [Rule, Rule]
    if (first[0] === first[1] || second[0] === second[1]) continue
    const bits = categoryBits(test(first, second[0]), 0, 1) | categoryBits(test(second, first[0]), 1, 0)
    if (bits === category) return shape
  }
  return null
}

/** Uniform over first-occurrence patterns of n letters with at most `most` different ones. */
function drawPattern(stream: Stream, n: number, most: number): number[] {
  const ways = waysTo(n, most)
  const out: number[] = []
  let used = 0
  for (let left = n - 1; left >= 0; left--) {
    // Patterns that continue with one of the used letters come first, by letter.
    const each = ways[left]?.[used] as number
    const at = below(stream, ways[left + 1]?.[used] as number)
    const letter = Math.floor(at / each)
    out.push(letter < used ? letter : used++)
  }
  return out
}

const tables = new Map<number, (readonly number[])[]>()

/** ways[n][used]: how many ways a pattern with `used` different letters can continue for n more. */
function waysTo(n: number, most: number): readonly (readonly number[])[] {
  let ways = tables.get(most)
  if (ways === undefined) {
    ways = [Array.from({ length: 26 }, () => 1)]
    tables.set(most, ways)
  }
  for (let k = ways.length; k <= n; k++) {
    const shorter = ways[k - 1] as readonly number[]
    ways.push(shorter.slice(0, -1).map((same, used) => used * same + (used < most ? (shorter[used + 1] as number) : 0)))
  }
  return ways
}

function cut({ pattern, ends: [a, b, c, d] }: Shape): [readonly number[], readonly number[]][] {
  return [
    [pattern.slice(0, a), pattern.slice(a, b)],
    [pattern.slice(b, c), pattern.slice(c, d)],
  ]
}

const code = (numbers: readonly number[]): string => String.fromCharCode(...numbers.map((n) => 0x61 + n))
const spell = (numbers: readonly number[], symbols: ReadonlyMap<number, string>): string =>
  numbers.map((n) => symbols.get(n) as string).join('')

/** Substrings of the words with this pattern of equal letters, each once. */
function windowsLike(words: readonly string[], pattern: readonly number[]): string[] {
  const found = new Set<string>()
  for (const word of words)
    for (let at = 0; at + pattern.length <= word.length; at++) {
      const part = word.slice(at, at + pattern.length)
      const alike = pattern.every((n, i) => pattern.every((m, j) => (n === m) === (part[i] === part[j])))
      if (alike) found.add(part)
    }
  return [...found]
}

function finish(inputs: readonly string[], rules: readonly Rule[], setting: Setting): Instance | null {
  const most = setting.changed.max ?? inputs.length
  let state = inputs
  for (const rule of rules) {
    const next = applyRule(state, rule)
    let changed = 0
    for (let i = 0; i < next.length; i++) if (next[i] !== state[i]) changed++
    if (changed < setting.changed.min || changed > most) return null
    state = next
  }
  const moved = state.some((word, i) => word !== inputs[i])
  return moved ? { inputs, outputs: state, rules } : null
}

/** How many of the four relations a category holds. */
export function relationCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
