import type { OrderAnswer, Scrambled } from './types.ts'

/** Does this order give the outputs? By splitting and joining word by word. */
export function orderIsRight({ inputs, outputs, rules }: Scrambled, { order }: OrderAnswer): boolean {
  const left = new Set(rules.keys())
  for (const k of order) if (!left.delete(k)) return false
  if (left.size > 0) return false
  return inputs.every((input, i) => {
    let word = input
    for (const k of order) {
      const [from, to] = rules[k] ?? ['', '']
      word = word.split(from).join(to)
    }
    return word === outputs[i]
  })
}
