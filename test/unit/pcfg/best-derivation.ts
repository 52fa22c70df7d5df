import {
  isTerminal,
  isUnit,
  type Pcfg,
  type PcfgRule,
  terminalCode,
} from '../../../src/libraries/grammars/pcfg/grammar.ts'

/** A product of probabilities, mantissa / 2^(256 steps), that does not underflow. */
interface Score {
  readonly mantissa: number
  readonly steps: number
}
const sure: Score = { mantissa: 1, steps: 0 }

/** How a span is cut: the end of each part. */
interface Cut {
  readonly score: Score
  readonly ends: readonly number[]
}

/**
 * The most probable derivation by filling every cell with every rule, in maps and lists: slow, without any shortcut. It says
 * in code which of equally probable derivations is the one: published witnesses hang on it to the last bit.
 */
export function plainBestDerivation(grammar: Pcfg, tokens: readonly number[]): readonly number[] | null {
  const n = tokens.length
  const cells = new Map<string, { readonly score: Score; readonly rule: number }>()
  const key = (nonterminal: number, start: number, end: number) => `${nonterminal} ${start} ${end}`
  const numbered = grammar.rules.map((rule, r) => ({ ...rule, r }))

  const offer = (at: string, score: Score, rule: number): boolean => {
    const held = cells.get(at)
    if (held !== undefined && !isMore(score, held.score)) return false
    cells.set(at, { score, rule })
    return true
  }
  const cut = (right: readonly number[], start: number, end: number): Cut | null => {
    let layer = new Map<number, Cut>([[start, { score: sure, ends: [] }]])
    for (const [i, symbol] of right.entries()) {
      const last = end - (right.length - 1 - i)
      const next = new Map<number, Cut>()
      for (const [from, so] of layer)
        for (let to = i === right.length - 1 ? Math.max(end, from + 1) : from + 1; to <= last; to++) {
          const score = part(symbol, from, to)
          if (score === undefined) continue
          const whole = times(so.score, score)
          const held = next.get(to)
          if (held === undefined || isMore(whole, held.score)) next.set(to, { score: whole, ends: [...so.ends, to] })
        }
      layer = next
    }
    return layer.get(end) ?? null
  }
  const part = (symbol: number, from: number, to: number): Score | undefined => {
    if (!isTerminal(symbol)) return cells.get(key(symbol, from, to))?.score
    return to === from + 1 && terminalCode(tokens[from] as number) === symbol ? sure : undefined
  }

  for (let width = 1; width <= n; width++)
    for (let start = 0; start + width <= n; start++) {
      const end = start + width
      for (const rule of numbered) {
        if (isUnit(rule)) continue
        const best = cut(rule.right, start, end)
        if (best !== null) offer(key(rule.left, start, end), times(best.score, plain(rule.probability)), rule.r)
      }
      for (let changed = true; changed; ) {
        changed = false
        for (const rule of numbered) {
          if (!isUnit(rule)) continue
          const below = cells.get(key(rule.right[0] as number, start, end))
          if (
            below !== undefined &&
            offer(key(rule.left, start, end), times(below.score, plain(rule.probability)), rule.r)
          )
            changed = true
        }
      }
    }

  const write = (nonterminal: number, start: number, end: number): readonly number[] => {
    const { rule } = cells.get(key(nonterminal, start, end)) ?? { rule: -1 }
    const { right } = grammar.rules[rule] as PcfgRule
    const ends = right.length === 1 ? [end] : (cut(right, start, end)?.ends ?? [])
    return [
      rule,
      ...right.flatMap((symbol, i) => (isTerminal(symbol) ? [] : write(symbol, ends[i - 1] ?? start, ends[i] ?? end))),
    ]
  }
  return cells.has(key(0, 0, n)) ? write(0, 0, n) : null
}

const step = 2 ** 256
const plain = (mantissa: number): Score => ({ mantissa, steps: 0 })

function times(a: Score, b: Score): Score {
  const product = a.mantissa * b.mantissa
  const steps = a.steps + b.steps
  return product * step > 1 ? { mantissa: product, steps } : { mantissa: product * step, steps: steps + 1 }
}

const isMore = (a: Score, b: Score): boolean => a.steps < b.steps || (a.steps === b.steps && a.mantissa > b.mantissa)
