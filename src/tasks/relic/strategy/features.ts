import { z } from 'zod'
import { summarizeTrace } from '../../../core/index.ts'
import { stated } from '../recognize/reading/stated.ts'
import type { StrategyQuestion } from './prompt.ts'

/** What is known of a judged response. */
export const features = z.object({
  respondent: z.string().describe('Who wrote the response').meta({ role: 'id' }),
  length: z.int().describe('Tokens in the string').meta({ role: 'difficulty', unit: 'tokens' }),
  label: z.boolean().describe('Is the string in the language?').meta({ role: 'truth' }),
  right: z
    .boolean()
    .nullable()
    .describe('Did the strict parser read the right verdict? null: it read none')
    .meta({ role: 'truth' }),
  finish: z.string().describe('How the response ended').meta({ role: 'nuisance' }),
  characters: z.int().describe('Characters of the response').meta({ role: 'nuisance', unit: 'characters' }),
  steps: z.int().describe('Steps that it states').meta({ role: 'nuisance' }),
  trueSteps: z
    .number()
    .nullable()
    .describe('Share of its stated steps that are true; null: it states none')
    .meta({ role: 'nuisance', unit: 'share' }),
  firstFalse: z
    .number()
    .nullable()
    .describe('Where in the text, 0 to 1, the first step stands that is not true; null: there is none')
    .meta({ role: 'nuisance', unit: 'share' }),
  strangers: z
    .int()
    .describe('Different symbols in its steps that the grammar does not have')
    .meta({ role: 'nuisance' }),
})

/** The trace checker's columns of a response. */
export function traced(question: StrategyQuestion) {
  const { response } = question.given
  const { steps, trueSteps: holding, firstFalse, unknown } = summarizeTrace(stated(question, response), null)
  return {
    characters: response.length,
    steps,
    trueSteps: steps === 0 ? null : holding / steps,
    firstFalse: firstFalse === null ? null : firstFalse[0] / response.length,
    strangers: unknown.length,
  }
}
