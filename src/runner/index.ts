export { adaptOf, choicesOf } from './adapt/open.ts'
export type { PathEnd, Round, RoundTold } from './adapt/path.ts'
export type { AdaptedModel, AdaptState, Choices } from './adapt/pilot.ts'
export { type AskImportedOptions, createRunOfImport } from './ask-imported.ts'
export { blindItems } from './blind.ts'
export { takeChangedScorers } from './changed-scorer.ts'
export { type DryRun, type DryRunModel, dryRun } from './dry-run.ts'
export { type ExecuteOptions, type ExecuteResult, executeRun } from './execute.ts'
export { type Experiment, parseExperiment, readExperiment, UNNAMED } from './experiment.ts'
export { groupFacts } from './group-facts.ts'
export { type ImportReleaseOptions, type ImportReleaseResult, importRelease } from './import-release.ts'
export {
  type ImportResponsesResult,
  importResponses,
  type ResponseProblem,
  type ResponseText,
} from './import-responses.ts'
export { type Live, readLive } from './live/live-file.ts'
export type { ModelFailure, ModelProgress, SoFar, Wait } from './live/progress.ts'
export { waitText } from './live/words.ts'
export { type MergeResult, mergeRuns } from './merge-runs.ts'
export type { PlanProgress } from './plan.ts'
export { type Reach, runReach } from './prefix.ts'
export type { Progress } from './progress.ts'
export { type PromptLine, runPrompts } from './prompts.ts'
export { type RepairResult, repairRun } from './repair.ts'
export { openReplay } from './replay.ts'
export { type RescoreResult, rescoreRun } from './rescore.ts'
export { type RescueResult, rescueRun } from './rescue.ts'
export type { GeneratedSource, ImportedSource, RunModel, RunSource, TaskLookup } from './resolve.ts'
export { retryFailed } from './retry-failed.ts'
export {
  type CreateOptions,
  createRun,
  type OpenOptions,
  openRun,
  RUN_FILES,
  type Run,
  type RunContext,
  withRun,
} from './run.ts'
export type { RunFile } from './run-file.ts'
export { parseSeal, SEAL_FILE, type Seal, sealOf } from './seal/seal.ts'
export { type RunFault, type RunVerification, verifyRun } from './seal/verify-run.ts'
export { type SealVerification, verifySeal } from './seal/verify-seal.ts'
export type { RunShard } from './shard.ts'
export { type Mirrored, mirrorRun, pushOf } from './shared/mirror.ts'
export { type Moved, pullRun, pushRun } from './shared/move.ts'
export { MOVED_MARK } from './shared/moved.ts'
export { storedFile, workOnShared } from './shared/shared-run.ts'
export { type StoredRun, sealStored, verifyStored } from './shared/verify-stored.ts'
export { type ShownCell, shownCell } from './shown.ts'
export { spreadOver } from './spread-over.ts'
export { type Stopped, stoppedOf } from './stopped.ts'
export { untilOf } from './until/open.ts'
export type { Look, UntilState } from './until/watch.ts'
