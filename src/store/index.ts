export type { Keeping } from './batch-lease.ts'
export { type ChainState, type Link, linkHash, rawHash, responseHash } from './chain.ts'
export type { ColumnSpec, ColumnType, Row, RowWriter, WrittenFile } from './columns.ts'
export { Reserve } from './disk-reserve.ts'
export { needDuck, trimMemory } from './duck.ts'
export { explained, isStoreError, StoreError, type StoreErrorCode } from './errors.ts'
export { makeFolder, partial, replace, writeFileAtomic } from './files.ts'
export { type FrameOptions, loadFrames, type RunFrames } from './frame.ts'
export { type ItemCell, itemCells, neighbours, responseTexts } from './item-calls.ts'
export { readJsonlLines, readLines } from './jsonl.ts'
export { Ledger, type LedgerOptions } from './ledger.ts'
export { type Holder, lockHolder, lockRun, type RunLock } from './lock.ts'
export type { RowNames } from './names.ts'
export { readParquet } from './parquet.ts'
export { parquetWriter } from './parquet-writer.ts'
export { RUN_FACT } from './postgres/schema.ts'
export { PostgresStore } from './postgres/store.ts'
export { outcomeOf, settingsIn, written } from './records.ts'
export { noRedaction, type Redact, redactor } from './redact.ts'
export { type RowFormat, readRows, rowWriter } from './rows.ts'
export { compareRows, type Refreshing, type RowsPart, refreshRows, rowsRevision, writeRowsPart } from './rows-file.ts'
export { openRowsQuery, type RowsQuery, type SqlValue } from './rows-query.ts'
export type {
  ModelAttributes,
  RowFilter,
} from './run-rows.ts'
export type {
  BatchEvent,
  CellState,
  Counts,
  EndedCell,
  GroupedOutcome,
  ImportedCell,
  LeasedCell,
  OpenBatch,
  OpenLine,
  PlanBatch,
  PlannedCell,
  QueuedItem,
  RunEvent,
  RunStore,
  ScorableResponse,
  Scored,
  StoredGroup,
  StoredItem,
  StoredResponse,
  UnitSize,
  Usage,
  WorkStore,
} from './run-store.ts'
export { type Salvaged, salvage } from './salvage.ts'
export { type Choice, choiceSchema, readSelection, SELECTION_FILE } from './selection.ts'
export {
  type News,
  type Passed,
  type Rate,
  type Share,
  shareOf,
  type Traffic,
  type Turnstile,
} from './shared-limits.ts'
export type { WholeCell } from './snapshots.ts'
export { strictRows } from './strict-rows.ts'
export { folderTree } from './tree.ts'
