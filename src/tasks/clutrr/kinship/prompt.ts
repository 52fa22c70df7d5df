import { enc, sha256 } from '../../../core/hash.ts'
import { pick, shuffle } from '../../../core/random.ts'
import type { ChatRequest } from '../../../core/request.ts'
import { streamFromKey } from '../../../core/streams.ts'
import type { TemplateParts } from '../../../core/template.ts'
import { type Fact, type Facts, familiesOf, type Given, type Question, relations, type Shared } from './question.ts'

export const styles = ['one-example', 'answer-line', 'think'] as const

/** Conventions that the relation words leave open. */
const conventions =
  'In these families everybody has a mother and a father who are married to one another, brothers and sisters have both parents in common, nobody has married twice or married a relative, an aunt or uncle is the sister or brother of a parent, and a name stands for one person only.'

const example = [
  'Example',
  "Ruth is the daughter of Oscar. Oscar is Helen's son.",
  'How is Ruth related to Helen?',
  'granddaughter',
].join('\n')

const story = ({ shared, given }: Question): string =>
  given.kind === 'story' ? given.story : [conventions, '', ...storyOf(shared, given)].join('\n')

const asked = ({ given }: Question): readonly string[] =>
  given.kind === 'story' ? given.asked : given.asked.map((person) => given.people[person] as string)

function questionLine(question: Question): string {
  const [who, of] = asked(question)
  return `How is ${who} related to ${of}?`
}

export const parts: TemplateParts<Shared, Given> = {
  texts: {
    story: ({ shared, given }) => (given.kind === 'story' ? given.story : storyOf(shared, given).join('\n')),
    question: questionLine,
    who: (question) => asked(question)[0] ?? null,
    of: (question) => asked(question)[1] ?? null,
    conventions: () => conventions,
    relations: () => relations.join(', '),
  },
  needs: ['story', 'question|who', 'question|of'],
}

/** The story and the question; one worked example and the eighteen relations go before it in `one-example`. */
export function request(question: Question, style: string): ChatRequest {
  const terms = `The relation is one of these eighteen: ${relations.join(', ')}.`
  const text = `${story(question)}\n\n${questionLine(question)}`
  const content =
    style === 'one-example'
      ? `Read a story about relatives and say what one of them is to another. ${terms} Reply with the relation alone.\n\n${example}\n\nNow your turn\n${text}`
      : `${text}\n${terms} ${style === 'think' ? 'Think it over first. ' : ''}Close with a line that reads "Answer:" followed by the relation.`
  return { kind: 'chat', messages: [{ role: 'user', content }] }
}

/** The sentences in prompt order: shuffled, or the first of each family, then the second of each, and so on. */
export function shownFacts(shared: Shared, given: Facts): readonly Fact[] {
  const { facts } = given
  const stream = streamFromKey(sha256(enc('clutrr/view/1', ...shared.view, 'order')))
  if (shared.order === 'random') return shuffle(stream, facts)
  const rounds = Math.ceil(facts.length / familiesOf(given))
  return Array.from({ length: rounds }, (_, round) =>
    shuffle(
      stream,
      facts.filter((_fact, at) => at % rounds === round),
    ),
  ).flat()
}

const sentences: readonly ((who: string, word: string, of: string) => string)[] = [
  (who, word, of) => `${who} is ${of}'s ${word}.`,
  (who, word, of) => `${who} is the ${word} of ${of}.`,
  (who, word, of) => `${of} went for a walk with ${who}, ${of}'s ${word}.`,
  (who, word, of) => `${of} rang up ${who}, who is ${of}'s ${word}.`,
  (who, word, of) => `A letter came for ${of} from ${who}, ${of}'s ${word}.`,
]

/** The story: one sentence a fact, in words that the view picks. */
export function storyOf(shared: Shared, given: Facts): readonly string[] {
  const stream = streamFromKey(sha256(enc('clutrr/view/1', ...shared.view, 'sentences')))
  return shownFacts(shared, given).map(([who, word, of]) =>
    pick(stream, sentences)(given.people[who] as string, word, given.people[of] as string),
  )
}
