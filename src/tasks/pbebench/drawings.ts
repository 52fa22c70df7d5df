import type { Json } from '../../core/index.ts'
import { type Rule, traceCascade } from '../../libraries/rewriting/index.ts'
import { ruleText } from './types.ts'

const shown = ([left, right]: Rule): string => `${left} → ${right === '' ? '∅' : right}`

/** Words after each rule (`first`: what they are before any), with the rules as data so that a reader can leave one out, and where each is named in the prompt. */
export function cascadeView(title: string, first: string, inputs: readonly string[], rules: readonly Rule[]): Json {
  const states = traceCascade(inputs, rules)
  return {
    kind: 'steps',
    title,
    steps: [first, ...rules.map(shown)],
    rows: inputs.map((word, i) => states.map((state) => state[i] ?? word)),
    rules: rules.map(([left, right]) => [left, right]),
    links: [
      ...rules.map((rule, k) => ({ text: ruleText(rule), parts: [`step/${k + 1}`] })),
      ...inputs.flatMap((word, i) =>
        [...new Set([word, states.at(-1)?.[i] ?? word])].map((text) => ({
          text: JSON.stringify(text),
          parts: [`row/${i}`],
        })),
      ),
    ],
  }
}
