export type { AdaptedModel, AdaptState, Choices } from './adaptive/adaptive-plan.ts'
export { adaptOf, choicesOf } from './adaptive/adaptive-sampler.ts'
export type { PathEnd, Round, RoundTold } from './adaptive/model-schedule.ts'
export { type RepairResult, repairRun } from './folder/repair.ts'
export {
  type CreateOptions,
  createRun,
  type OpenOptions,
  openRun,
  RUN_FILES,
  type Run,
  type RunContext,
  refreshRunRows,
  withRun,
} from './folder/run.ts'
export type { RunFile } from './folder/run-file.ts'
export { type AskImportedOptions, createRunOfImport } from './importing/ask-imported.ts'
export { type ImportReleaseOptions, type ImportReleaseResult, importRelease } from './importing/import-release.ts'
export {
  type ImportResponsesResult,
  importResponses,
  type ResponseProblem,
  type ResponseText,
} from './importing/import-responses.ts'
export { openReplay } from './importing/replay.ts'
export { type Stopped, stoppedOf } from './limits/stopped-models.ts'
export { giveBack, keepHeapSmall, lettingGo } from './memory.ts'
export { type MergeResult, mergeRuns } from './moving/merge-runs.ts'
export { type Mirrored, mirrorRun, pushOf } from './moving/mirror.ts'
export { MOVED_MARK, type Moved, pullRun, pushRun } from './moving/transfer.ts'
export { storedFile, workOnShared } from './moving/worker.ts'
export { type DryRun, type DryRunModel, dryRun } from './plan/dry-run.ts'
export { type Experiment, parseExperiment, readExperiment, UNNAMED } from './plan/experiment.ts'
export { type Reach, runReach } from './plan/group-coverage.ts'
export type { PlanProgress } from './plan/plan.ts'
export { type PromptLine, runPrompts } from './plan/prompts.ts'
export type { GeneratedSource, ImportedSource, RunModel, RunSource, TaskLookup } from './plan/resolve.ts'
export type { RunShard } from './plan/shard.ts'
export { spreadOver } from './plan/subsample.ts'
export { type Live, readLive } from './progress/live-file.ts'
export type { ModelFailure, ModelProgress, SoFar, Wait } from './progress/model-progress.ts'
export { waitText } from './progress/model-progress.ts'
export type { Progress } from './progress/progress.ts'
export { type ExecuteOptions, type ExecuteResult, executeRun, retryFailed } from './schedule/execute.ts'
export { type ShownCell, shownCell } from './scoring/call-details.ts'
export { takeChangedScorers } from './scoring/changed-scorer.ts'
export { groupFacts } from './scoring/group-facts.ts'
export { blindItems } from './scoring/item-references.ts'
export { type RescoreResult, type RescueResult, rescoreRun, rescueRun } from './scoring/rescore.ts'
export { parseSeal, SEAL_FILE, type Seal, sealOf } from './seal/seal.ts'
export { type RunFault, type RunVerification, verifyRun } from './seal/verify-run.ts'
export { type SealVerification, verifySeal } from './seal/verify-seal.ts'
export { type StoredRun, sealStored, verifyStored } from './seal/verify-stored.ts'
export { untilOf } from './sequential/open.ts'
export type { Look, UntilState } from './sequential/sequential-test.ts'
