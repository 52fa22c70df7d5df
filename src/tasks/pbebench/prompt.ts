import type { Json, TemplateParts } from '../../core/index.ts'
import { type Rule, runCascade } from '../../libraries/rewriting/index.ts'
import { type Examples, type Pairs, ruleText } from './types.ts'

const list = (words: readonly string[]): string => `[${words.map((word) => JSON.stringify(word)).join(', ')}]`

/** The pairs of a question, as two aligned lists. */
export const pairsText = ({ inputs, outputs }: Pairs): string => `inputs  = ${list(inputs)}\noutputs = ${list(outputs)}`

/** The parts of a question that shows pairs. */
export const pairParts = {
  texts: {
    pairs: ({ given }: { readonly given: Pairs }) => pairsText(given),
    inputs: ({ given }: { readonly given: Pairs }) => list(given.inputs),
    outputs: ({ given }: { readonly given: Pairs }) => list(given.outputs),
  },
  needs: ['pairs|inputs', 'pairs|outputs'],
}

/** The parts of a question that asks for rules; the limits of an answer are numbers. */
export const cascadeParts: TemplateParts<Json, Examples> = {
  texts: {
    ...pairParts.texts,
    rules: ({ given }) => String(given.limits.rules),
    side: ({ given }) => String(given.limits.side),
    letters: ({ given }) => given.limits.letters,
  },
  needs: pairParts.needs,
}

/** An answer as the prompts ask for it. */
export const answerBlock = (rules: readonly Rule[]): string =>
  `\`\`\`python\n[${rules.map((rule) => JSON.stringify(ruleText(rule))).join(', ')}]\n\`\`\``

const EXAMPLE_INPUTS = ['tako', 'kato', 'okka']
const EXAMPLE_RULES: readonly Rule[] = [
  ['ta', 'da'],
  ['k', 'g'],
]

const EXAMPLE = `For example, given
inputs  = ${list(EXAMPLE_INPUTS)}
outputs = ${list(runCascade(EXAMPLE_INPUTS, EXAMPLE_RULES))}
a correct answer is
${answerBlock(EXAMPLE_RULES)}
The first rule turns "tako" into "dako"; the second one then reads "dako", "kato" and "okka" and writes "dago", "gato" and "ogga".`

/** The question and the answer format. */
export function cascadePrompt(
  question: Examples,
  options: { readonly example: boolean; readonly alphabet: boolean; readonly intro?: string },
): string {
  const { limits } = question
  const unit =
    limits.count === 'graphemes' ? 'characters each, a letter with its diacritics counting as one' : 'characters each'
  const rules = [
    `- Every rule is a call replace('x', 'y'), which means what Python's str.replace means: all occurrences of x that do not overlap, from left to right, become y.`,
    `- The rules run in the order of your list; each rule reads what the rule before it wrote, on every string.`,
    `- x and y have at most ${limits.side} ${unit}. x must not be empty; y may be.`,
    `- The list has at most ${limits.rules} rules. Rules after that are ignored, and a rule that breaks these conditions does nothing.`,
    ...(options.alphabet && limits.letters !== ''
      ? [
          `- For your information: there is a solution with only these characters: ${limits.letters}. Others are allowed, too.`,
        ]
      : []),
  ]
  return [
    options.intro ??
      'Find an ordered list of string rewrite rules that turns every input string into its output string.',
    '',
    'Conditions:',
    ...rules,
    '- The order matters: an early rule can create or destroy places where a later rule applies.',
    ...(limits.determined === true
      ? ['- Your list is also run on other words, which are not shown: find the rules that hold for them, too.']
      : []),
    '',
    ...(options.example ? [EXAMPLE, ''] : []),
    'Now solve this one:',
    pairsText(question),
    '',
    'End your answer with one fenced block marked python that holds only the list, each rule as a string.',
  ].join('\n')
}
