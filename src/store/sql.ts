import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { explain } from './errors.ts'
import { guarded } from './sqlite.ts'

/** One row of a result. */
export type Record = { readonly [column: string]: SQLOutputValue }

/** An open database with its prepared statements; what it throws about storage names its file. */
export class Sql {
  readonly path: string
  private readonly db: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync, path: string) {
    this.db = db
    this.path = path
  }

  /** @returns how many rows were changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.prepared(sql).run(...values).changes)
  }

  /** Adds a row. @param or - what happens where it is there already. Default: an error @returns how many rows were added */
  insert(table: string, row: { readonly [column: string]: SQLInputValue }, or: 'OR IGNORE ' | 'OR REPLACE ' | '' = '') {
    const names = Object.keys(row)
    const sql = `INSERT ${or}INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    return this.run(sql, ...Object.values(row))
  }

  one(sql: string, ...values: readonly SQLInputValue[]): Record | undefined {
    return guarded(this.path, () => this.prepared(sql).get(...values))
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Record[] {
    return guarded(this.path, () => this.prepared(sql).all(...values))
  }

  /** A query whose rows are handed out one by one, as lists of values: a third of the time of records where rows are many. */
  arrays(sql: string): (...values: readonly SQLInputValue[]) => Generator<readonly SQLOutputValue[]> {
    const { path } = this
    const statement = guarded(path, () => this.db.prepare(sql))
    statement.setReturnArrays(true)
    return function* (...values) {
      try {
        yield* statement.iterate(...values) as Iterable<unknown> as Iterable<SQLOutputValue[]>
      } catch (error) {
        throw explain(error, path)
      }
    }
  }

  /** All of `work` or nothing of it. */
  transaction<T>(work: () => T): T {
    return guarded(this.path, () => {
      this.db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        this.db.exec('COMMIT')
        return result
      } catch (error) {
        if (this.db.isTransaction) this.db.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** What `work` commits survives power loss, whatever the mode of the file. */
  durably<T>(work: () => T): T {
    const { synchronous: before } = this.one('PRAGMA synchronous') ?? {}
    guarded(this.path, () => this.db.exec('PRAGMA synchronous = FULL'))
    try {
      return work()
    } finally {
      guarded(this.path, () => this.db.exec(`PRAGMA synchronous = ${Number(before ?? 2)}`))
    }
  }

  /** Moves the log into the file. */
  checkpoint(): void {
    guarded(this.path, () => this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  /** Closes the file; `checkpoint` first moves the log into it. */
  close(checkpoint: boolean): void {
    this.statements.clear()
    try {
      if (checkpoint) this.checkpoint()
    } finally {
      this.db.close()
    }
  }

  private prepared(sql: string): StatementSync {
    let statement = this.statements.get(sql)
    if (statement === undefined) {
      statement = this.db.prepare(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }
}
