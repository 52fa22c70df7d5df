/** One thing that is not as the manifest says. */
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
    | 'fence'
    | 'audit'
  /** null: about the set as a whole. */
  readonly index: number | null
  /** JSON path of the first difference. */
  readonly path?: string
  readonly message: string
}

const kept = 1000

/** All problems counted, the first thousand kept. */
export class Problems {
  readonly list: Mismatch[] = []
  count = 0

  report(problem: Mismatch): void {
    this.count++
    if (this.list.length < kept) this.list.push(problem)
  }

  /** A problem of the set as a whole. */
  whole(check: Mismatch['check'], message: string): void {
    this.report({ check, index: null, message })
  }
}
