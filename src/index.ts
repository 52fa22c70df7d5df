/**
 * Touchstone as a library: a lab that does all that the command line does, and the nouns it speaks of. What each function of
 * the lab takes and gives is under `/lab`, what the author of a task needs under `/task`, readers of model output under
 * `/answers`, the libraries under `/grammars`, `/rewriting` and `/statistics`, the shipped tasks without a file system under
 * `/tasks`, the parts of the lab under `/node`.
 *
 * @module
 */

export { defineTask, type Family, type Task } from './core/define.ts'
export { isUsageError } from './core/errors.ts'
export type { EmptyIndex, Item } from './core/item.ts'
export type { Json, JsonObject } from './core/json.ts'
export { itemsRoot } from './core/merkle.ts'
export type { Source, SourceKey } from './core/source.ts'
export type { Audit, Commitment, Manifest, Overlap, Verification } from './datasets/index.ts'
export type { Graded } from './extras/protocols/grade.ts'
export type { Listening } from './extras/protocols/listen.ts'
export type { RunVerification } from './extras/seals/index.ts'
export {
  type Agreement,
  type ExperimentInput,
  type Exported,
  type GenerateRequest,
  type Imported,
  type ItemsInput,
  type Lab,
  type LabOptions,
  type ModelInput,
  openLab,
  type ReportResult,
  type Responses,
  type RunRequest,
  type RunResult,
  type RunStatus,
  type Selection,
} from './lab/index.ts'
export type { Model, PriceTable, Provider } from './models/index.ts'
export type { Comparison, Report, ReportFormat } from './report/index.ts'
export { type Experiment, type Progress, readExperiment } from './runner/index.ts'
export { isStoreError } from './store/index.ts'
export { families } from './tasks/index.ts'
