import { z } from 'zod'
import { isObject, type JsonObject } from '../../core/json.ts'
import { solutionDetails } from '../../core/solution.ts'

/*
 * One schema for each request of the lab: its type, its validation, and the flags of the command line with their help
 * (`cli/flags.ts`) come from it. `meta` holds what only the command line needs: `flag`, where it is not the key in kebab case;
 * `placeholder`, what help shows for the value; `example`, a value that fits.
 */

interface FlagFacts {
  readonly flag?: string
  readonly example?: string | number
}

export const text = (placeholder: string, description: string, facts: FlagFacts = {}) =>
  z
    .string()
    .meta({ placeholder, description, ...facts })
    .optional()
export const texts = (flag: string, placeholder: string, description: string) =>
  z.array(z.string()).readonly().meta({ flag, placeholder, description }).optional()
/** A switch; where its description begins with the opposite (`negated`), it is on unless `--no-NAME` is given. */
export const yes = (description: string, facts: FlagFacts & { readonly negated?: true } = {}) =>
  z
    .boolean()
    .meta({ description, ...facts })
    .optional()
export const whole = (from: number, example: number, description: string, to = Number.MAX_SAFE_INTEGER) =>
  z.int().min(from).max(to).meta({ placeholder: 'N', description, example }).optional()
export const count = (example: number, description: string, to?: number) => whole(1, example, description, to)
/** A number above 0. */
export const positive = (placeholder: string, example: number, description: string) =>
  z.number().gt(0).meta({ placeholder, description, example }).optional()
/** A share or probability, neither 0 nor 1. */
export const fraction = (placeholder: string, example: number, description: string, below = 1) =>
  z.number().gt(0).lt(below).meta({ placeholder, description, example }).optional()

export const callback = <F extends (...given: never[]) => unknown>() =>
  z.custom<F>((value) => typeof value === 'function', 'expected a function').optional()
export const signal = z
  .custom<AbortSignal>(
    (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
    'expected an AbortSignal, such as that of an AbortController',
  )
  .optional()
/** Objects that are checked where they are used. */
export const object = <T extends object>(expected = 'expected an object') =>
  z.custom<T>((value) => typeof value === 'object' && value !== null, expected)

// ---- What several requests share

export const out = (description = 'Folder to write') => z.string().min(1).meta({ placeholder: 'DIR', description })
export const config = z.custom<JsonObject>((value) => isObject(value as JsonObject), 'expected a mapping').optional()
export const content = {
  task: z.string().min(1),
  preset: text('NAME', 'Named configuration (touchstone list TASK)'),
  /** Keys of the configuration; the others have the values of the preset, else the defaults. */
  config,
}
export const split = text('NAME', 'train, validation, test, or any other name (default: test)')
export const seed = z
  .union([z.string(), z.int()])
  .meta({ placeholder: 'TEXT', description: 'Seed of the items: any text or integer (default: 1)' })
  .optional()
export const style = text('NAME', 'Prompt style (touchstone list TASK)')
export const styles = texts('style', 'NAME', 'Prompt style; repeatable (default: first of the task)')
export const templates = texts(
  'template',
  'FILE',
  'Prompt template, used as an additional style; repeatable (docs/running.md)',
)
export const parser = text('NAME', 'Parser that decides correctness (default: strict)')
export const where = text('SQL', 'SQLite condition on the columns of export RUN --to csv')
export const threads = whole(0, 2, 'Worker threads; 0 = one per core (default: 1)', 1024)
export const shard = z
  .strictObject({ index: z.int().min(0), of: z.int().min(1) })
  .meta({ placeholder: 'I/N', description: 'Only part I of N (0-based); join with cluster merge' })
  .optional()
export const detail = z
  .enum(solutionDetails)
  .meta({ placeholder: solutionDetails.join('|'), description: 'Level of detail of worked solutions (default: full)' })
  .optional()
export const formats = z
  .array(z.enum(['html', 'md', 'json', 'csv', 'svg', 'png']))
  .readonly()
  .meta({ flag: 'format', placeholder: 'F', description: 'Only this format; repeatable (default: all but png)' })
  .optional()
/** Progress of work that can be stopped: items done of how many; an aborted call throws an `AbortError`. */
export const watched = { onProgress: callback<(done: number, total: number) => void>(), signal }
export const store = { store: text('URL', 'postgres://user:password@host/database (default: TOUCHSTONE_STORE_URL)') }
