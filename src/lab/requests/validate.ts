import type { z } from 'zod'
import { type Defined, defined } from '../../core/defined.ts'
import { UsageError } from '../../core/errors.ts'
import { parseWithSchema } from '../../core/schema-errors.ts'

/** A validated request: undefined keys are absent. */
export type Valid<S extends z.ZodType> = Defined<z.output<S>>

/**
 * A request as its schema reads it, without undefined keys.
 *
 * @param name - the function of the lab, for messages.
 * @throws UsageError that names the function, the key, what was expected and what came.
 */
export function validateRequest<S extends z.ZodObject>(schema: S, given: unknown, name: string): Valid<S> {
  const request = given === undefined ? {} : given
  if (typeof request !== 'object' || request === null)
    throw new UsageError(
      `${name} takes an object with the keys ${Object.keys(schema.shape).join(', ')}; got ${String(request)}`,
    )
  return defined(parseWithSchema(schema, request, () => `${name}: `) as object) as Valid<S>
}

/** A path or a name. @throws UsageError */
export function requireText(given: unknown, what = 'the path of a folder or file'): string {
  if (typeof given === 'string' && given !== '') return given
  throw new UsageError(`expected ${what}, got ${given === '' ? 'an empty text' : typeof given}`)
}

/** Shards of one dataset or run. @throws UsageError */
export function requireFolders(folders: readonly string[]): readonly [string, ...string[]] {
  const [first, ...others] = Array.isArray(folders) ? folders : []
  if (first !== undefined) return [first, ...others]
  throw new UsageError('expected a list of folders: the shards of one dataset or run')
}

/** One run, or two to compare. @throws UsageError */
export function requireRuns<Runs extends readonly string[]>(runs: Runs): Runs {
  if (Array.isArray(runs) && runs.length > 0 && runs.length < 3) return runs
  throw new UsageError('expected a list of one run or two: [run] or [run, other]')
}

/** Options that are lists: their flags are typed once for each value. */
const LISTS: readonly string[] = ['models', 'styles', 'templates', 'judges', 'judgedModels', 'errorCodes', 'batchIds']

/** The flag of an option. */
const flagName = (option: string): string =>
  option === 'settings'
    ? '--set-model'
    : `--${(LISTS.includes(option) ? option.slice(0, -1) : option).replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`

/** Options that have no effect here are mistakes. @throws UsageError where one of them is given. */
export function rejectOptions<Request extends object>(
  request: Request,
  names: readonly (keyof Request & string)[],
  why: string,
): void {
  const given = names.filter((name) => request[name] !== undefined && request[name] !== false)
  if (given.length > 0) throw new UsageError(`${given.map(flagName).join(', ')}: ${why}`)
}
