/** Literal of variable x: 2x is "x", 2x+1 is "not x". */
export type Literal = number
export const positive = (variable: number): Literal => 2 * variable
export const negative = (variable: number): Literal => 2 * variable + 1

/** Clauses of one or two literals over variables 0..variables-1. */
export interface TwoSat {
  readonly variables: number
  readonly clauses: readonly (readonly [Literal] | readonly [Literal, Literal])[]
}

/**
 * A satisfying assignment, or null. Strongly connected components of the implication graph (Aspvall, Plass and Tarjan
 * 1979), found by an iterative Tarjan; linear.
 */
export function solveTwoSat(formula: TwoSat): boolean[] | null {
  const size = 2 * formula.variables
  const next: number[][] = Array.from({ length: size }, () => [])
  for (const clause of formula.clauses) {
    const a = clause[0]
    const b = clause[1] ?? a
    next[a ^ 1]?.push(b)
    if (a !== b) next[b ^ 1]?.push(a)
  }
  const component = components(next)
  const values: boolean[] = []
  for (let x = 0; x < formula.variables; x++) {
    const yes = component[2 * x] as number
    const no = component[2 * x + 1] as number
    if (yes === no) return null
    // Tarjan numbers components in reverse topological order: the later in the order is the true one.
    values.push(yes < no)
  }
  return values
}

function components(next: readonly (readonly number[])[]): Int32Array {
  const n = next.length
  const index = new Int32Array(n).fill(-1)
  const low = new Int32Array(n)
  const component = new Int32Array(n).fill(-1)
  const edge = new Int32Array(n)
  const stack: number[] = []
  let count = 0
  let found = 0
  for (let root = 0; root < n; root++) {
    if (index[root] !== -1) continue
    const calls = [root]
    while (calls.length > 0) {
      const v = calls.at(-1) as number
      if (edge[v] === 0 && index[v] === -1) {
        index[v] = low[v] = count++
        stack.push(v)
      }
      const list = next[v] as readonly number[]
      let descended = false
      while ((edge[v] as number) < list.length) {
        const w = list[edge[v]!++] as number
        if (index[w] === -1) {
          calls.push(w)
          descended = true
          break
        }
        if (component[w] === -1) low[v] = Math.min(low[v] as number, index[w] as number)
      }
      if (descended) continue
      calls.pop()
      if (low[v] === index[v]) {
        for (;;) {
          const w = stack.pop() as number
          component[w] = found
          if (w === v) break
        }
        found++
      }
      const parent = calls.at(-1)
      if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[v] as number)
    }
  }
  return component
}
