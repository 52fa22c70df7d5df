import { z } from 'zod'
import { type DeclaredShortcut, defineTask, type Extraction, type Json, type Task } from '../../src/core/index.ts'
import type { AuditItem } from '../../src/datasets/index.ts'

/** A task that is all surface: the audit sees its texts, features and guesses, and what they tell is up to the test. */

function read(text: string): Extraction<string> {
  const said = text.trim()
  return said === '' || said.length > 100
    ? { kind: 'unparsed', reason: 'nothing was said' }
    : { kind: 'extracted', answer: said, rule: 'whole', span: [0, text.length] }
}

export type ClaimGiven = { readonly text: string; readonly choices: readonly string[]; readonly guess: string }

const features = z.object({
  hardness: z.string().describe('a level').meta({ role: 'stratum' }),
  hint: z.number().describe('a number that may tell').meta({ role: 'nuisance' }),
  truth: z.number().describe('known only with the answer').meta({ role: 'truth' }),
  name: z.string().describe('an identifier').meta({ role: 'id' }),
})

/** `answer` is the accepted choice, or several of them. */
export function claimTask(cues: readonly DeclaredShortcut[] = []): Task {
  return defineTask<object, null, null, ClaimGiven, string | readonly string[], z.infer<typeof features>>({
    name: 'toy/claim',
    summary: 'whatever a test makes of it',
    version: 1,
    scorerVersion: 1,
    promptVersion: 1,
    config: z.strictObject({}),
    presets: {},
    features,
    layout: () => ({
      size: null,
      strata: [{}],
      layout: 'none',
      at: (group) => ({ stratum: 0, unit: 0, group, ordinal: 0 }),
    }),
    draw: () => ({ kind: 'unreachable', proved: true, reason: 'made by the test' }),
    styles: ['plain', 'other'],
    request: ({ given }) => ({ kind: 'chat', messages: [{ role: 'user', content: given.text }] }),
    parsers: { strict: read, lenient: read },
    grade: ({ answer }, said) => ({
      value: (typeof answer === 'string' ? answer === said : answer.includes(said as string)) ? 1 : 0,
    }),
    gold: ({ answer }) => (typeof answer === 'string' ? answer : (answer[0] as string)),
    oracle: () => true,
    witness: () => null,
    check: () => true,
    choices: ({ given }) => given.choices,
    canonical: ({ given }) => given.text,
    heuristics: { 'toy/guess': ({ given }) => given.guess },
    declaredShortcuts: () => cues,
    analyses: [],
  })
}

export interface Claim {
  readonly text: string
  readonly answer: string | readonly string[]
  readonly choices?: readonly string[]
  readonly guess?: string
  readonly group?: number
  readonly hardness?: string
  readonly hint?: number
  readonly stratum?: number
}

/** Claims as the audit gets them. */
export async function* asItems(claims: readonly Claim[]): AsyncGenerator<readonly AuditItem[]> {
  yield claims.map((claim, index): AuditItem => {
    const given: ClaimGiven = {
      text: claim.text,
      choices: claim.choices ?? ['yes', 'no'],
      guess: claim.guess ?? '',
    }
    return {
      index,
      group: claim.group ?? index,
      stratum: claim.stratum ?? null,
      shared: null,
      given: given as unknown as Json,
      answer: claim.answer,
      features: {
        hardness: claim.hardness ?? 'same',
        hint: claim.hint ?? 0,
        truth: claim.answer === 'yes' ? 1 : 0,
        name: String(claim.answer),
      },
      request: { kind: 'chat', messages: [{ role: 'user', content: claim.text }] },
    }
  })
}
