import { type Rule, runCascade } from '../../../libraries/rewriting/index.ts'
import type { Examples } from '../types.ts'

/**
 * Solves words one by one, without looking for a regularity: each changed word gets a private rule, whose left side
 * stands in no other word before or after. Returns the rules that fit within the limit, the shortest sides first where
 * a word leaves a choice.
 */
export function patch({ inputs, outputs, limits }: Examples): readonly Rule[] {
  const rules: Rule[] = []
  for (const [at, word] of inputs.entries()) {
    if (rules.length === limits.rules) break
    const rule = word === outputs[at] ? null : privateRule({ inputs, outputs, limits }, at)
    if (rule !== null) rules.push(rule)
  }
  return rules
}

/** A rule that makes one output of its input and touches no other word; null: there is none within the limits. */
function privateRule({ inputs, outputs, limits }: Examples, at: number): Rule | null {
  const [before, after] = [[...(inputs[at] as string)], [...(outputs[at] as string)]]
  let [head, tail] = [0, 0]
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const others = [...inputs.filter((_, i) => i !== at), ...outputs.filter((_, i) => i !== at)]
  for (let kept = 0; kept <= head + tail; kept++)
    for (let left = Math.max(0, kept - tail); left <= Math.min(head, kept); left++) {
      const [from, cut] = [head - left, tail - (kept - left)]
      const [x, y] = [before, after].map((word) => word.slice(from, word.length - cut)) as [string[], string[]]
      const rule: Rule = [x.join(''), y.join('')]
      if (x.length === 0 || x.length > limits.side || y.length > limits.side) continue
      if (others.some((word) => word.includes(rule[0]))) continue
      if (runCascade([inputs[at] as string], [rule])[0] === outputs[at]) return rule
    }
  return null
}
