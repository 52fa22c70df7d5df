import { type Pcfg, prefixAutomaton } from '../../../formal/pcfg/index.ts'

const mostLayers = 2000
const least = 1e-9

/**
 * The expected shares of neighbouring tokens `left right` in strings of the language, exact up to 1e-9 of the
 * probability; the empty name stands for the end of string, before the first token and after the last.
 */
export function expectedBigrams(grammar: Pcfg): Map<string, number> {
  const automaton = prefixAutomaton(grammar)
  const counts = new Map<string, number>()
  const add = (left: string, right: string, p: number) => {
    const key = `${left} ${right}`
    counts.set(key, (counts.get(key) ?? 0) + p)
  }
  // Probability of (last token, state) after n tokens.
  let layer = new Map<string, { last: string; state: number; p: number }>([['start', { last: '', state: 0, p: 1 }]])
  let alive = 1
  for (let n = 0; n < mostLayers && alive > least; n++) {
    const next = new Map<string, { last: string; state: number; p: number }>()
    alive = 0
    for (const { last, state, p } of layer.values()) {
      const { end, next: arcs } = automaton.state(state)
      if (end > 0) add(last, '', p * end)
      for (const [terminal, { probability, to }] of arcs) {
        const token = grammar.terminals[terminal] as string
        add(last, token, p * probability)
        const key = `${token}/${to}`
        const found = next.get(key)
        if (found === undefined) next.set(key, { last: token, state: to, p: p * probability })
        else found.p += p * probability
        alive += p * probability
      }
    }
    layer = new Map([...next].filter(([, cell]) => cell.p > least * 1e-6))
  }
  let total = 0
  for (const count of counts.values()) total += count
  return new Map([...counts].map(([key, count]) => [key, count / total]))
}
