// The public API: one line a file. Functions take tasks and models as values; nothing here keeps state.
export * from './core/index.ts'
export {
  type Audit,
  type AuditItem,
  type AuditOptions,
  auditDataset,
  auditItems,
  type Dataset,
  type GenerateOptions,
  generate,
  type Manifest,
  manifestId,
  merge,
  openDataset,
  type Verification,
  verify,
} from './datasets/index.ts'
export * as grammars from './formal/index.ts'
export {
  type AuditRequest,
  type Content,
  type ExperimentInput,
  type GenerateRequest,
  type ItemsInput,
  type Lab,
  type LabOptions,
  type ModelInput,
  openLab,
  type ReportRequest,
  type ReportResult,
  type ResumeRequest,
  type RunRequest,
  type RunResult,
  type ScoreRequest,
  type ScoreResult,
  type VerifyRequest,
  type Watched,
} from './lab/index.ts'
export { type Model, type Provider, providers } from './models/index.ts'
export { makeReport, type Report, writeReport } from './report/index.ts'
export { replaceAll } from './rewriting/index.ts'
export {
  createRun,
  dryRun,
  type Experiment,
  executeRun,
  importRelease,
  importResponses,
  openRun,
  parseExperiment,
  type Run,
  readExperiment,
  rescoreRun,
} from './runner/index.ts'
export * as statistics from './stats/index.ts'
export { loadFrames } from './store/index.ts'
export { families } from './tasks/index.ts'
