/**
 * What the functions of a lab take and give, by name.
 *
 * @module
 */
export type { Announcement, ItemProof } from '../datasets/index.ts'
export type { GradeRequest } from '../extras/protocols/grade.ts'
export type { MetricComparison } from '../report/index.ts'
export type { DryRun, Mirrored, RepairResult, SealVerification, TransferResult } from '../runner/index.ts'
export type { Agreement } from './agreement.ts'
export type { AuditedCell, AuditGridRequest } from './audit-grid.ts'
export type { Checked, CheckRequest } from './check.ts'
export type { CompareMeasureRequest, CompareRequest, RunComparison, RunMeasureComparison } from './compare.ts'
export type { ContaminationRequest, FoundContamination } from './contamination.ts'
export type { AuditRequest, Content, GenerateRequest, VerifyRequest, Watched } from './datasets.ts'
export type { Bound, ExamRequest, Revealed, RevealRequest } from './exams.ts'
export type { ExperimentInput, ItemsInput, ModelInput } from './experiment.ts'
export type { Exported, ExportRequest, LinesRequest } from './exports.ts'
export type { Imported, ImportRequest } from './imports.ts'
export type { Started } from './init.ts'
export type { DatasetItems } from './items-of-dataset.ts'
export type { JudgeRequest, JudgeResult } from './judge.ts'
export { type Lab, type LabOptions, openLab } from './lab.ts'
export type { OverlapRequest } from './overlaps.ts'
export type { ReproduceRequest, Reproduction } from './reproduce.ts'
export type { Responses, ResponsesRequest } from './responses.ts'
export type {
  AskImportedRequest,
  ReportRequest,
  ReportResult,
  ResumeRequest,
  RunRequest,
  RunResult,
} from './runs.ts'
export type { ScoreRequest, ScoreResult } from './score.ts'
export type { Sealed, SealRequest } from './seals.ts'
export type { Selection, SelectRequest } from './select.ts'
export type { ServeRequest } from './serve.ts'
export type { StoreRequest, StoreStatus, Worked, WorkRequest } from './shared.ts'
export type { RunStatus } from './status.ts'
export { type Unlike, unlikeWords } from './unlike.ts'
