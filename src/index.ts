/**
 * Touchstone as a library: a lab that does all that the command line does, and the nouns it speaks of. What the author of a task
 * needs is under `/task`, readers of model output under `/answers`, the libraries under `/grammars`, `/rewriting` and
 * `/statistics`, the shipped tasks without a file system under `/tasks`, the parts of the lab under `/node`.
 *
 * @module
 */
export { defineTask, type Family, type Task } from './core/define.ts'
export { isUsageError } from './core/errors.ts'
export type { Hole, Item } from './core/item.ts'
export type { Json, JsonObject } from './core/json.ts'
export { itemsRoot } from './core/root.ts'
export type { Source, SourceKey } from './core/source.ts'
export type { Announcement, Audit, Commitment, ItemProof, Manifest, Overlap, Verification } from './datasets/index.ts'
export {
  type Agreement,
  type AuditedCell,
  type AuditGridRequest,
  type AuditRequest,
  type Bound,
  type CompareRequest,
  type ContaminationRequest,
  type Content,
  type ExamRequest,
  type ExperimentInput,
  type Exported,
  type ExportRequest,
  type FoundContamination,
  type GenerateRequest,
  type Imported,
  type ImportRequest,
  type ItemsInput,
  type Lab,
  type LabOptions,
  type LinesRequest,
  type ModelInput,
  type OverlapRequest,
  openLab,
  type ReportRequest,
  type ReportResult,
  type Responses,
  type ResponsesRequest,
  type ResumeRequest,
  type Revealed,
  type RevealRequest,
  type RunRequest,
  type RunResult,
  type RunStatus,
  type ScoreRequest,
  type ScoreResult,
  type Sealed,
  type SealRequest,
  type Selection,
  type SelectRequest,
  type ServeRequest,
  type Started,
  type StoreRequest,
  type StoreStatus,
  type VerifyRequest,
  type Watched,
  type Worked,
  type WorkRequest,
} from './lab/index.ts'
export type { Model, PriceTable, Provider } from './models/index.ts'
export type { Comparison, MeasureComparison, Report, ReportFormat } from './report/index.ts'
export {
  type DryRun,
  type Experiment,
  type Mirrored,
  type Moved,
  type Progress,
  type RepairResult,
  type RunVerification,
  readExperiment,
  type SealVerification,
} from './runner/index.ts'
export type { Graded, GradeRequest } from './serve/grade.ts'
export type { Listening } from './serve/listen.ts'
export { isStoreError } from './store/index.ts'
export { families } from './tasks/index.ts'
