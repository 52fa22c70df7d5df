import type { ChatRequest, Json, Question, TemplateParts } from '../../../core/index.ts'
import { pairParts, pairsText } from '../prompt.ts'
import { ruleText } from '../types.ts'
import type { Scrambled } from './types.ts'

export const styles = ['standard', 'plain'] as const

const BACKGROUND = `Why order matters:
- Feeding: a rule makes places for a later one. With replace('k', 't') before replace('ta', 'da'), "kan" becomes "tan" and then "dan"; the other way round it stays "tan".
- Bleeding: a rule destroys places of a later one. With replace('o', 'u') before replace('so', 'zo'), "sok" becomes "suk" and the second rule finds nothing; the other way round "sok" becomes "zok" and then "zuk".

A way to work:
1. For each pair of rules, see whether one of them can feed or bleed the other.
2. Compare each input with its output to see which of these interactions took place.
3. Put the rules in an order that agrees with all of them.
4. Run your order on every input and compare with the outputs.
`

const rulesText = ({ rules }: Scrambled): string => rules.map((rule, k) => `[${k}] ${ruleText(rule)}`).join('\n')

export const parts: TemplateParts<Json, Scrambled> = {
  texts: { ...pairParts.texts, rules: ({ given }) => rulesText(given) },
  needs: [...pairParts.needs, 'rules'],
}

export function request({ given }: Question<unknown, Scrambled>, style: string): ChatRequest {
  const { rules } = given
  const content = [
    `Below are ${rules.length} string rewrite rules in no particular order. Run one after another in the right order, they turn every input string into its output string. A rule replace('x', 'y') turns all occurrences of x that do not overlap, from left to right, into y, and reads what the rule before it wrote.`,
    '',
    ...(style === 'plain' ? [] : [BACKGROUND]),
    'Find an order that turns every input into its output.',
    '',
    pairsText(given),
    '',
    'Rules:',
    rulesText(given),
    '',
    `End your answer with one fenced block marked json that holds only a list of rule numbers in the order in which they run. It must name every rule exactly once.`,
  ].join('\n')
  return { kind: 'chat', messages: [{ role: 'user', content }] }
}
