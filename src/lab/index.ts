/**
 * What the functions of a lab take and return, by name.
 *
 * @module
 */

export type { Announcement, ItemProof } from '../datasets/index.ts'
export type { SealVerification } from '../extras/seals/index.ts'
export type { MetricComparison } from '../report/index.ts'
export type { DryRun, Mirrored, RepairResult, TransferResult } from '../runner/index.ts'
export type { Agreement } from './agreement.ts'
export type { AuditedConfig } from './audit-grid.ts'
export type { ContractReport } from './check.ts'
export type { RunComparison, RunMeasureComparison } from './compare.ts'
export type { FoundContamination } from './contamination.ts'
export type { ItemSpec } from './datasets.ts'
export type { Committed, Revealed } from './exams.ts'
export type { Exported } from './exports.ts'
export type { Imported } from './imports.ts'
export type { Started } from './init.ts'
export type { DatasetItems } from './items-of-dataset.ts'
export type { JudgeResult } from './judge.ts'
export { type Lab, openLab } from './lab.ts'
export type { Reproduction } from './reproduce.ts'
export type {
  AuditGridRequest,
  AuditRequest,
  CheckTaskRequest,
  CompareRequest,
  ContaminationRequest,
  ExamRequest,
  ExperimentInput,
  ExportLinesRequest,
  ExportRequest,
  GenerateRequest,
  GradeRequest,
  ImportRequest,
  ItemsInput,
  JudgeRequest,
  LabOptions,
  ModelInput,
  OverlapRequest,
  PlanRequest,
  ProveRequest,
  ReportRequest,
  ReproduceRequest,
  ResponsesRequest,
  ResumeRequest,
  RevealRequest,
  RunImportedRequest,
  RunRequest,
  ScoreRequest,
  SealRequest,
  SelectRequest,
  ServeRequest,
  StoreRequest,
  StoreStatusRequest,
  VerifyRequest,
  WorkerRequest,
} from './requests/index.ts'
export type { Responses } from './responses.ts'
export type { CallCounts, RunEnd, RunResult, WorkResult } from './run-result.ts'
export type { ReportResult } from './runs.ts'
export type { ScoreResult } from './score.ts'
export type { Sealed } from './seals.ts'
export type { Selection } from './select.ts'
export { describeDifference, type SetupDifference } from './setup-differences.ts'
export type { Worked } from './shared.ts'
export type { RunStatus } from './status.ts'
export type { StoreStatus } from './store-address.ts'
