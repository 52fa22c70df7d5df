export { type ChainState, type Link, linkHash, rawHash, responseHash } from './chain.ts'
export type { ColumnSpec, ColumnType, Row, RowWriter, WrittenFile } from './columns.ts'
export { csvLines, decoded } from './csv.ts'
export { DiskReserve } from './disk-reserve.ts'
export { explained, isStoreError, StoreError, type StoreErrorCode } from './errors.ts'
export {
  inTemporaryFolder,
  makeFolder,
  partial,
  replace,
  requireNoLinks,
  textOfFile,
  writeFileAtomic,
} from './files.ts'
export { adjacentItems, callsOfItem, type ItemCall, responseTexts } from './item-calls.ts'
export { linesWriter, readJsonl, readJsonlLines, readLines } from './jsonl.ts'
export { Ledger, type LedgerOptions } from './ledger.ts'
export { type Holder, lockHolder, lockRun, type RunLock } from './lock.ts'
export { readParquet } from './parquet.ts'
export { parquetWriter } from './parquet-writer.ts'
export { outcomeOf, parseStored, settingsIn } from './records.ts'
export { noRedaction, type Redact, redactor } from './redact.ts'
export type { ColumnNames } from './rows/column-names.ts'
export { framesOf, type RunColumns, type RunFrames } from './rows/frames.ts'
export { type FrameOptions, loadColumns, loadFrames } from './rows/ledger-frames.ts'
export { isOfParser, type ModelAttributes } from './rows/row-columns.ts'
export { columnTypesIn } from './rows/where-clause.ts'
export { type RowFormat, readRows, rowWriter } from './rows.ts'
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
export type { BatchLease } from './shared-limits.ts'
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
