import type { Json } from '../../core/index.ts'

/** A difference from the manifest or from the regenerated dataset. */
export interface Mismatch {
  readonly check:
    | 'file'
    | 'form'
    | 'manifest'
    | 'card'
    | 'order'
    | 'hash'
    | 'root'
    | 'groups'
    | 'item'
    | 'strata'
    | 'prompts'
    | 'oracle'
    | 'witness'
    | 'partition'
    | 'audit'
  /** null: not about one index. */
  readonly index: number | null
  /** JSON path of the first difference. */
  readonly path?: string
  readonly message: string
}

const MAX_KEPT = 1000

/** Counts all problems and keeps the first thousand. */
export class Problems {
  readonly list: Mismatch[] = []
  count = 0

  report(problem: Mismatch): void {
    this.count++
    if (this.list.length < MAX_KEPT) this.list.push(problem)
  }

  /** Reports a problem that is not about one index. */
  whole(check: Mismatch['check'], message: string): void {
    this.report({ check, index: null, message })
  }
}

/** A value for a message, shortened. */
export function brief(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 97)}...` : text
}
