import type { ChatRequest, TemplateParts } from '../../../core/index.ts'
import {
  attributeNames,
  commonFacts,
  EAST,
  type Given,
  type Question,
  type Shared,
  shownFacts,
  type Trains,
  usedValues,
  valueName,
  WEST,
} from './question.ts'

export const styles = ['rule', 'think'] as const

const ONE_FORM =
  'One rule decides. It asks for a car with certain properties, or for two cars with certain properties, one right in front of the other.'
const ANY_FORM = [
  'One rule decides. It asks for one of these:',
  '- a car with one property, or two',
  '- a car with one property and without another',
  '- a car with one property right in front of a car with another',
  '- a car with one property anywhere in front of a car with another',
  '- two cars, one right in front of the other, where the front one has fewer wheels than the other, or more, or as many',
  '- two cars, one right in front of the other, that have at least seven wheels together, or at most five',
  'In the last two cases one of the two cars may need a property, too.',
].join('\n')

const vocabulary = (given: Trains): readonly string[] => [
  '- has_car(T, C): C is a car of train T',
  '- front_of(C, D): car C is coupled right in front of car D',
  ...usedValues(given).map((values, at) => {
    const name = attributeNames[at] as string
    const what = name === 'wheels' ? 'number of wheels' : name
    return `- ${name}(C, V): V is the ${what} of car C, one of ${values.map((value) => valueName(at, value)).join(', ')}`
  }),
  ...(given.anyForm === true ? ['- amount(V, N): the word V stands for the number N'] : []),
]

const factBlocks = (given: Trains): readonly string[] =>
  [commonFacts(given).join('\n'), ...shownFacts(given)].filter((block) => block !== '')

function factsText(given: Trains): string {
  return [
    `Some trains are ${EAST}, the others are ${WEST}. ${given.anyForm === true ? `${ANY_FORM}\n` : `${ONE_FORM} `}A train that has what the rule asks for is ${EAST}, and no other train is. Facts in Prolog:`,
    ...vocabulary(given),
    '',
    factBlocks(given).join('\n\n'),
    '',
    `Find the simplest rule that is right about all of these trains, and about others of the kind. Write it in Prolog: ${given.anyForm === true ? `one clause with the head ${EAST}(T), with one or two clauses of a predicate of your own where you need it, and at most ${given.goals} goals in all` : `one clause with the head ${EAST}(T) and at most ${given.goals} goals in its body`}. No train and no car may be named in it.`,
  ].join('\n')
}

export const parts: TemplateParts<Shared, Given> = {
  texts: {
    prompt: (question) => request(question, 'rule').messages[0]?.content ?? null,
    facts: ({ given }) => (given.kind === 'published' ? null : factBlocks(given).join('\n\n')),
    vocabulary: ({ given }) => (given.kind === 'published' ? null : vocabulary(given).join('\n')),
    goals: ({ given }) => (given.kind === 'published' ? null : String(given.goals)),
  },
  needs: ['facts|prompt'],
}

/** A published question keeps its prompt. */
export function request({ given }: Question, style: string): ChatRequest {
  const content =
    given.kind === 'published'
      ? given.prompt
      : `${factsText(given)}\n${style === 'think' ? 'Think it over first. ' : ''}Give the ${given.anyForm === true ? 'program' : 'clause'} in a fenced code block${style === 'think' ? ' at the end' : ' and nothing else'}.`
  return { kind: 'chat', messages: [{ role: 'user', content }] }
}

export const answerBlock = (program: string): string => `\`\`\`prolog\n${program}\n\`\`\``
