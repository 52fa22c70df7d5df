import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** What went wrong on disk; the message of each says what to do. */
export type StoreErrorCode =
  | 'full'
  | 'read-only'
  | 'missing'
  | 'folder'
  | 'exists'
  | 'damaged'
  | 'held'
  | 'newer'
  | 'io'

/**
 * A failure of storage. `kind` instead of `instanceof`, so that it survives two copies of the package.
 *
 * @example
 * import { StoreError } from '@touchstone-eval/touchstone/node'
 *
 * export const advice = (error: unknown): string => (error instanceof StoreError ? `the disk or the store: ${error.message}` : 'another trouble')
 */
export class StoreError extends Error {
  readonly kind = 'store'
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Was it the disk or the database that failed, and nobody's mistake?
 *
 * @example
 * import { isStoreError, openLab } from '@touchstone-eval/touchstone'
 *
 * const lab = await openLab()
 * try {
 *   await lab.report('runs/first')
 * } catch (error) {
 *   if (!isStoreError(error)) throw error
 *   console.log(error.message) // the disk: full, not there, not to be written
 * }
 */
export const isStoreError = (error: unknown): error is StoreError =>
  error instanceof Error && 'kind' in error && error.kind === 'store'

/**
 * Turns an error of the file system or of SQLite into a {@link StoreError} whose message names the path, the cause
 * and the next step. Errors that are not about storage come back as they are.
 */
export function explain(error: unknown, path: string): unknown {
  if (isStoreError(error) || !(error instanceof Error)) return error
  const found = codeOf(error)
  if (found === null) return error
  // SQLite cannot tell a folder that is absent from one that cannot be written.
  const code = found === 'missing' && 'errcode' in error && existsSync(dirname(path)) ? 'read-only' : found
  return new StoreError(code, `${path}: ${ADVICE[code]} (${error.message})`, { cause: error })
}

/** Runs `work`; what it throws about storage is explained for `path`. */
export async function explained<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explain(error, path)
  }
}

const ADVICE: { readonly [code in Exclude<StoreErrorCode, 'newer'>]: string } = {
  held: 'is being written by another process; wait until it is done',
  full: 'no space left on the device; free some space and run the same command again, what was saved is kept',
  'read-only': 'cannot be written; choose another folder or change its permissions',
  missing: 'there is no such file or folder; check the path',
  folder: 'is a folder; give a file',
  exists: 'is there already; choose another name or remove it',
  damaged:
    'is damaged: not what this program wrote; restore it from a copy (a ledger: `touchstone resume RUN --repair` saves what can be read)',
  io: 'reading or writing failed; check the disk',
}

const BY_ERRNO: { readonly [code: string]: keyof typeof ADVICE } = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EISDIR: 'folder',
  EEXIST: 'exists',
  ENOTEMPTY: 'exists',
  EIO: 'io',
  // An integer in a ledger that no number holds.
  ERR_OUT_OF_RANGE: 'damaged',
}

/** Primary result codes of SQLite (the low byte of `errcode`). */
const BY_SQLITE: { readonly [code: number]: keyof typeof ADVICE } = {
  5: 'held',
  6: 'held',
  8: 'read-only',
  10: 'io',
  11: 'damaged',
  13: 'full',
  14: 'missing',
  26: 'damaged',
}

function codeOf(error: Error): keyof typeof ADVICE | null {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (typeof errcode === 'number') return BY_SQLITE[errcode & 255] ?? null
  if (typeof code === 'string' && BY_ERRNO[code] !== undefined) return BY_ERRNO[code]
  if (/no space left on device/iu.test(error.message)) return 'full'
  if (/read-only file system|permission denied/iu.test(error.message)) return 'read-only'
  return null
}
