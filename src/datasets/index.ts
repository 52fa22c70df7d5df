export { type AuditOptions, auditItems } from './audit/audit.ts'
export type { AuditedTask, AuditItem } from './audit/prepare.ts'
export type { Audit, Test } from './audit/report.ts'
export { auditDataset, type DatasetAuditOptions, writeAudit } from './audit-dataset.ts'
export { auditFiles, type FileAudit } from './audit-file.ts'
export { type Chunk, type ChunkJob, type ChunkMaker, type DatasetJob, makeChunk } from './chunk.ts'
export {
  type Announcement,
  announce,
  type Commitment,
  checkAnnounced,
  checkProof,
  checkReveal,
  commitTo,
  examSeed,
  type ItemProof,
  parseAnnouncement,
  parseCommitment,
  parseProof,
  proveItem,
} from './commit.ts'
export { type GenerateOptions, generate } from './generate.ts'
export { type Manifest, manifestId, parseManifest, type Shard } from './manifest.ts'
export { merge } from './merge.ts'
export {
  columnsOf,
  type Dataset,
  datasetPrompts,
  datasetRows,
  featuresOf,
  openDataset,
  type Prompt,
  shardsOf,
  sourceOf,
} from './open.ts'
export { type Overlap, type OverlapOptions, overlap } from './overlap/overlap.ts'
export { type Feature, rowFeatures } from './question-features.ts'
export {
  type AnswerBase,
  answerBase,
  chosen,
  columnNames,
  FIELDS,
  type FieldColumns,
  fieldColumns,
  isDataFile,
  type Offered,
  type QuestionRow,
  questionRows,
  type ReadQuestion,
  readQuestion,
  textOf,
} from './question-rows.ts'
export { validityOf } from './validity.ts'
export type { Mismatch } from './verify/problems.ts'
export { type Verification, type VerifyOptions, verify } from './verify/verify.ts'
