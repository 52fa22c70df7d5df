import type { Frame } from '../../../../core/index.ts'

/** Test-time compute of each row: the tokens that a provider counted, of a baseline its own steps; NaN where neither is known. */
export function spentIn(frame: Frame): Float64Array {
  const column = (name: string): Float64Array =>
    frame.has(name) ? frame.number(name) : new Float64Array(frame.length).fill(Number.NaN)
  const [tokens, steps] = [column('outputTokens'), column('steps')]
  return tokens.map((count, row) => (Number.isNaN(count) ? (steps[row] as number) : count))
}
