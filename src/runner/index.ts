export type { RunExtension } from './extensions.ts'
export { type RepairResult, repairRun } from './folder/repair.ts'
export {
  type CreateOptions,
  createRun,
  type OpenOptions,
  openRun,
  RUN_FILES,
  type Run,
  type RunContext,
  withRun,
} from './folder/run.ts'
export type { RunFile } from './folder/run-file.ts'
export { STORE_KEY } from './folder/run-file.ts'
export { type AskImportedOptions, createRunOfImport } from './importing/ask-imported.ts'
export { type ImportReleaseOptions, type ImportReleaseResult, importRelease } from './importing/import-release.ts'
export {
  type ImportResponsesResult,
  importResponses,
  type ResponseProblem,
  type ResponseText,
} from './importing/import-responses.ts'
export { openReplay } from './importing/replay.ts'
export { loadStopped, type StoppedModels } from './limits/circuit-breaker.ts'
export { type MergeResult, mergeRuns } from './moving/merge-runs.ts'
export { type Mirrored, mirrorRun, pullRun, pushOf, pushRun, type TransferResult } from './moving/transfer.ts'
export { storedFile, workOnShared } from './moving/worker.ts'
export type { RunShard } from './plan/call-order.ts'
export { evenlySpaced } from './plan/call-order.ts'
export { type DryRun, type DryRunModel, dryRun } from './plan/dry-run.ts'
export type {
  AdaptedModel,
  AdaptiveStep,
  AdaptState,
  EndReason,
  InterimAnalysis,
  StepEstimate,
  UntilState,
} from './plan/experiment.ts'
export { type Experiment, parseExperiment, readExperiment, UNNAMED } from './plan/experiment.ts'
export type { PlanProgress } from './plan/plan.ts'
export { type PromptLine, runPrompts } from './plan/prompts.ts'
export {
  askedStyles,
  type GeneratedSource,
  type ImportedSource,
  type RunModel,
  type RunSource,
  type TaskLookup,
} from './plan/resolve.ts'
export { runCoverage, type SourceCoverage } from './plan/source-indices.ts'
export type { ModelFailure, ModelProgress, RunningAccuracy, WaitReason } from './progress/model-progress.ts'
export { waitText } from './progress/model-progress.ts'
export type { Progress } from './progress/progress.ts'
export { type Live, readLive } from './progress/progress.ts'
export { type ExecuteOptions, type ExecuteResult, executeRun, retryFailed } from './schedule/execute.ts'
export { type CallDetails, callDetails, importedRequest } from './scoring/call-details.ts'
export { factsOfRun, loadReferences } from './scoring/item-references.ts'
export {
  type PeoplesLabels,
  type ReparseResult,
  type RescoreResult,
  readPeople,
  reparseBodies,
  rescoreRun,
  takeChangedScorers,
  writePeople,
} from './scoring/rescore.ts'
export { allowance, describeWant, type Trust, type Want, wantsOf } from './trust.ts'
