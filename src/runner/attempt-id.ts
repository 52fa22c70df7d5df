import { hash } from 'node:crypto'
import type { RunFile } from './run-file.ts'

/**
 * The name of an attempt for the outside: unique, and telling nothing of the item to who does not hold run.json, by whose
 * `id` a provider's log is matched with the ledger.
 */
export const attemptId = (file: Pick<RunFile, 'id' | 'created'>, cell: number, attempt: number): string =>
  hash('sha256', `${file.id ?? file.created}/${cell}/${attempt}`, 'hex').slice(0, 32)
