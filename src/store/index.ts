export type { BatchLease } from './batch-lease.ts'
export { type ChainState, type Link, linkHash, rawHash, responseHash } from './chain.ts'
export type { ColumnSpec, ColumnType, Row, RowWriter, WrittenFile } from './columns.ts'
export { DiskReserve } from './disk-reserve.ts'
export { requireDuck, trimMemory } from './duck.ts'
export { explained, isStoreError, StoreError, type StoreErrorCode } from './errors.ts'
export { makeFolder, partial, replace, writeFileAtomic } from './files.ts'
export { type FrameOptions, loadFrames, type RunFrames } from './frame.ts'
export { adjacentItems, callsOfItem, type ItemCall, responseTexts } from './item-calls.ts'
export { readJsonlLines, readLines } from './jsonl.ts'
export { Ledger, type LedgerOptions } from './ledger.ts'
export { type Holder, lockHolder, lockRun, type RunLock } from './lock.ts'
export type { RowNames } from './names.ts'
export { readParquet } from './parquet.ts'
export { parquetWriter } from './parquet-writer.ts'
export { outcomeOf, parseStored, settingsIn } from './records.ts'
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
  BatchLine,
  CallState,
  Counts,
  FinishedCall,
  GroupedOutcome,
  ImportedCall,
  LeasedCall,
  OpenBatch,
  PlanBatch,
  PlannedCall,
  RunEvent,
  RunStore,
  ScorableResponse,
  Scored,
  SharedRunStore,
  StoredGroup,
  StoredItem,
  StoredResponse,
  UnitSize,
  Usage,
  WaitingCall,
} from './run-store.ts'
export { RUN_KEY } from './run-store.ts'
export { type Salvaged, salvage } from './salvage.ts'
export { type Choice, choiceSchema, readSelection, SELECTION_FILE } from './selection.ts'
export {
  type BucketRate,
  type Granted,
  LocalLimits,
  type PeerStatus,
  type Rate,
  type SharedLimits,
  type TokenBuckets,
} from './shared-limits.ts'
export type { CallSnapshot } from './snapshots.ts'
export { strictRows } from './strict-rows.ts'
export { folderTree } from './tree.ts'
