import { relations } from '../question.ts'

const MORE = ['great', 'step', 'half', 'god', 'foster', 'ex']

/**
 * How relations are said, and which of the eighteen each is: `mother in law` is one of them, `step-mother` and
 * `brother-in-law` are none (null), and no mother or brother either.
 */
export const said: ReadonlyMap<string, string | null> = new Map<string, string | null>(
  relations.flatMap((relation): (readonly [string, string | null])[] => {
    const others = [
      ...MORE.flatMap((more) => [`${more}-${relation}`, `${more} ${relation}`]),
      ...(relation.endsWith('-in-law') ? [] : [`${relation}-in-law`, `${relation} in law`]),
    ].filter((other) => !relations.some((one) => one === other.replaceAll(' ', '-')))
    const spelt = relation.replaceAll('-', ' ')
    return [
      [relation, relation],
      ...(spelt === relation ? [] : [[spelt, relation] as const]),
      ...others.map((other) => [other, null] as const),
    ]
  }),
)
