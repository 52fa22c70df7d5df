import type { Edge } from '../../../libraries/graphs/graph.ts'
import { sortNames } from '../common/names.ts'
import type { Answer, Given, MessageAsk, Shared } from '../social/question.ts'
import { asPublished, type PublishedRecord, publishedPresentation, pythonStrings, type Read } from './records.ts'

const ENDS =
  /(?<![\p{L}\p{M}'’-])(\p{L}[\p{L}\p{M}\w'’-]{0,40}) (?:wants|wishes|would like|needs) .{0,60}? message to (\p{L}[\p{L}\p{M}\w'’-]{0,40})/u
const WORD = /\p{L}[\p{L}\p{M}\w'’-]*/gu

/** The people in a sentence. A name may have an apostrophe, or one of possession. */
function peopleIn(sentence: string, index: ReadonlyMap<string, number>): number[] {
  const found = (sentence.match(WORD) ?? []).flatMap(
    (word) => index.get(word) ?? index.get(word.replace(/['’]s?$/, '')) ?? [],
  )
  return [...new Set(found)]
}

/**
 * Message records. Flavoured sentences need not be understood: the metadata lists everybody, and a sentence about two
 * of them is a tie between the two.
 */
export function toSocial(record: PublishedRecord): Read<Shared, Given, Answer> {
  const listed = record.metadata.get('answer/entities')
  if (listed === undefined || !/message/i.test(record.question)) return null
  const names = sortNames([...new Set(pythonStrings(listed))])
  const index = new Map(names.map((name, i) => [name, i]))
  const lines = record.question.split('\n')
  const asked = lines.findLastIndex((line) => ENDS.test(line))
  const ends = ENDS.exec(lines[asked] ?? '')
  const from = index.get(ends?.[1] ?? '')
  const to = index.get(ends?.[2] ?? '')
  if (from === undefined || to === undefined)
    return { kind: 'unread', reason: 'sender and receiver of the message are in an unknown form' }
  const edges: Edge[] = []
  for (const line of lines.slice(0, asked)) {
    const named = peopleIn(line, index)
    if (named.length === 2) edges.push(named as unknown as Edge)
  }
  const answer = record.answers[0] as string
  const path = answer.startsWith('[')
  const ask: MessageAsk = path
    ? { kind: 'path', from, to }
    : /^\d+$/.test(answer)
      ? { kind: 'hops', from, to, among: [1, names.length - 1] }
      : { kind: 'next-hop', from, to }
  const distance = Number(record.metadata.get('answer/symbolic_distance') ?? Number.NaN)
  return {
    kind: 'item',
    shared: { ...asPublished, wording: 'plain', nameOrder: 'fixed' },
    given: { relation: 'friend', oneWay: false, people: names, edges, ask },
    answer: path ? pythonStrings(answer) : sortNames([...new Set(record.answers)]),
    features: {
      people: names.length,
      edges: edges.length,
      distance: Number.isInteger(distance) ? distance : null,
      ask: ask.kind,
      network: 'published',
      relation: 'friend',
      directed: false,
      wording: 'published',
      accepted: path ? null : record.answers.length,
      label: ask.kind === 'hops' ? answer : null,
      ...publishedPresentation,
    },
  }
}
