import { z } from 'zod'
import { presentationShape } from '../common/presentation.ts'

export const config = z
  .strictObject({
    ask: z
      .enum(['size', 'hobby', 'larger', 'older', 'shared-hobbies'])
      .default('size')
      .describe(
        'How many members; does somebody have a hobby; which family is larger; who is older; which hobbies are shared',
      ),
    families: z.int().min(2).max(150).default(50).describe('Families in the records'),
    maxMembers: z.int().min(2).max(12).default(5).describe('Most members a family has; the least is one'),
    hopLength: z
      .int()
      .min(0)
      .default(0)
      .describe('Two families: how many records apart; 0: between half of them and all but one, equally often'),
    ties: z
      .enum(['excluded', 'alphabetical'])
      .default('alphabetical')
      .describe(
        'larger, older: no ties, or ties settled by a rule that the question states: the alphabetically first or last name, in turn by chance',
      ),
    format: z
      .enum(['json', 'yaml', 'xml', 'prose'])
      .default('json')
      .describe('Presentation: how the records are written'),
    ...presentationShape,
  })
  .superRefine((c, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (c.hopLength >= c.families) wrong('hopLength', `at most ${c.families - 1} with ${c.families} families`)
    if (c.filler === 'entities') wrong('filler', 'records have no entity filler; use "prose"')
  })
export type Config = z.infer<typeof config>

/** How many records apart two families are: the levels. */
export function hops(c: Pick<Config, 'ask' | 'families' | 'hopLength'>): readonly number[] {
  if (c.ask === 'size' || c.ask === 'hobby') return [0]
  if (c.hopLength > 0) return [c.hopLength]
  const low = Math.max(1, Math.floor(c.families / 2))
  return Array.from({ length: c.families - low }, (_, i) => low + i)
}
