import { randomBytes } from 'node:crypto'
import type { Line, Task } from '../../core/index.ts'
import { inlineWorkers } from './engine.ts'
import { errorMessage, firstSchemaError, HttpError, JsonShape } from './http.ts'
import { type JobError, notScored, type Scored } from './job.ts'
import { gradeLine } from './schemas.ts'
import { serviceOf } from './service.ts'
import { keysOf } from './token.ts'

/** How lines of responses are scored. */
export interface GradeRequest {
  /** Secret of the server that made the tokens of the lines; not needed for lines with task, config, seed and index. */
  readonly secret?: string
  /** The server that made the tokens used client seeds unchanged. */
  readonly rawSeeds?: boolean
  /** Parser whose score is the reward. Default: `strict`. */
  readonly parser?: string
}

/** The score of a line. */
export type Graded = Scored & {
  readonly line: number
  readonly id?: string | number
}

/** @throws UsageError for a secret that is too short. */
export async function* gradeLines(
  tasks: readonly Task[],
  batches: AsyncIterable<readonly Line[]>,
  { secret, rawSeeds = false, parser = 'strict' }: GradeRequest,
): AsyncGenerator<readonly Graded[]> {
  const workers = inlineWorkers(tasks)
  const service = (keys: string, raw: boolean) =>
    serviceOf({ tasks, workers, keys: keysOf(keys), splits: ['test'], anySplit: true, rawSeeds: raw })
  const own = service(randomBytes(32).toString('hex'), true)
  const served = secret === undefined ? null : service(secret, rawSeeds)

  async function graded({ number: line, text }: Line): Promise<Graded> {
    const read = readLine(text)
    const id = read.id === undefined ? {} : { id: read.id }
    const wrong = (error: JobError): Graded => ({ line, ...id, ...notScored(error) })
    if (read.kind === 'wrong') return wrong({ code: 'bad-line', message: read.message })
    const { response } = read
    const { text: answer, finish, logprobs } = response
    try {
      if ('token' in response && served === null)
        return wrong({ code: 'no-secret', message: 'the line has a token, but no secret was given to open it' })
      const by = 'token' in response ? (served ?? own) : own
      const token = 'token' in response ? response.token : own.token(response, response.index)
      const [scored] = await by.score([{ token, text: answer, finish, logprobs }], parser)
      return { line, ...id, ...(scored ?? notScored({ code: 'not-scored', message: 'no score' })) }
    } catch (error) {
      if (error instanceof HttpError) return wrong({ code: error.code, message: error.message })
      throw error
    }
  }

  for await (const batch of batches) {
    const out: Graded[] = []
    for (const line of batch) out.push(await graded(line))
    yield out
  }
}

const FORM = 'a line is {token, text, finish?, id?} or {task, preset | config, split, seed, index, text, id?}'

function readLine(text: string) {
  const wrong = (message: string, id?: string | number) => ({ kind: 'wrong', message, id }) as const
  let value: unknown
  try {
    value = JSON.parse(new JsonShape().add(text))
  } catch (error) {
    return wrong(error instanceof HttpError ? error.message : `not JSON: ${errorMessage(error)}`)
  }
  const id = idOf(value)
  const read = gradeLine(value).safeParse(value)
  if (read.success) return { kind: 'read', response: read.data, id } as const
  return wrong(`${firstSchemaError(read.error, 'the line')}; ${FORM}`, id)
}

function idOf(value: unknown): string | number | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : undefined
}
