import type { Request } from '../../../core/index.ts'
import { HttpError } from '../errors.ts'

/** A question as one text, for those who put it to the model themselves. @throws Refusal for a task that measures. */
export function questionText(request: Request): string {
  if (request.kind === 'score')
    throw new HttpError(422, 'no-chat', 'this task measures log-probabilities: use POST /v1/items and POST /v1/score')
  const [only, ...others] = request.messages
  if (only !== undefined && others.length === 0) return only.content
  return request.messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
}
