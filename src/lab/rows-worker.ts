import { Ledger, noRedaction, type RowsPart, writeRowsPart } from '../store/index.ts'

/** A part of the rows of a run, by the file of its ledger. */
export interface RowsJob {
  readonly ledger: string
  readonly part: RowsPart
}

/** The entry of a worker thread: makes one part of rows.parquet, and only reads the ledger. */
export default async function run({ ledger, part }: RowsJob): Promise<void> {
  await using open = new Ledger(ledger, { readOnly: true, redact: { known: noRedaction, shapes: noRedaction } })
  await writeRowsPart(open, part)
}
