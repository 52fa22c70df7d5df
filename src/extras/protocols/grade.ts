import { randomBytes } from 'node:crypto'
import type { Line, Task } from '../../core/index.ts'
import { inlineWorkers } from './engine.ts'
import { HttpError, isDeeper, LIMITS, misfit } from './http.ts'
import type { JobError, Scored } from './job.ts'
import { failed } from './job.ts'
import { gradeLine } from './schemas.ts'
import { serviceOf } from './service.ts'
import { keysOf } from './token.ts'

/** How lines of answers are graded in bulk. */
export interface GradeRequest {
  /** That of the server whose tokens the lines have; left out: lines say task, preset or config, split, seed and index. */
  readonly secret?: string
  /** Tokens are of a server with plain seeds. */
  readonly plainSeeds?: boolean
  /** Whose reading is the reward; left out: `strict`. */
  readonly parser?: string
}

/** What became of a line. */
export type Graded = Scored & {
  readonly line: number
  /** That of the line, where it has one. */
  readonly id?: string | number
}

/** @throws UsageError for a secret that is too short. */
export async function* gradeLines(
  tasks: readonly Task[],
  batches: AsyncIterable<readonly Line[]>,
  { secret, plainSeeds = false, parser = 'strict' }: GradeRequest,
): AsyncGenerator<readonly Graded[]> {
  const workers = inlineWorkers(tasks)
  const service = (keys: string, plain: boolean) =>
    serviceOf({ tasks, workers, keys: keysOf(keys), splits: ['test'], anySplit: true, plainSeeds: plain })
  const own = service(randomBytes(32).toString('hex'), true)
  const served = secret === undefined ? null : service(secret, plainSeeds)

  async function graded({ number: line, text }: Line): Promise<Graded> {
    const read = readLine(text)
    const id = read.id === undefined ? {} : { id: read.id }
    const wrong = (trouble: JobError): Graded => ({ line, ...id, ...failed(trouble) })
    if (read.kind === 'wrong') return wrong({ code: 'bad-line', message: read.message })
    const { said } = read
    const { text: answer, finish, logprobs } = said
    try {
      if ('token' in said && served === null)
        return wrong({ code: 'no-secret', message: 'the line has a token, and no secret was given to open it' })
      const by = 'token' in said ? (served ?? own) : own
      const token = 'token' in said ? said.token : own.token(said, said.index)
      const [scored] = await by.score([{ token, text: answer, finish, logprobs }], parser)
      return { line, ...id, ...(scored ?? failed({ code: 'not-scored', message: 'no score' })) }
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
  if (isDeeper(text, LIMITS.depth)) return wrong(`nested deeper than ${LIMITS.depth} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return wrong(`not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const id = idOf(value)
  const read = gradeLine(value).safeParse(value)
  if (read.success) return { kind: 'read', said: read.data, id } as const
  return wrong(`${misfit(read.error, 'the line')}; ${FORM}`, id)
}

function idOf(value: unknown): string | number | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : undefined
}
