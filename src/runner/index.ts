export { type ExecuteOptions, type ExecuteResult, executeRun } from './execute.ts'
export { type Experiment, experimentSchema, parseExperiment, readExperiment } from './experiment.ts'
export type { PlanProgress } from './plan.ts'
export type { Progress } from './progress.ts'
export type { GeneratedSource, ImportedSource, RunModel, RunSource, TaskLookup } from './resolve.ts'
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
} from './run.ts'
export type { RunFile } from './run-file.ts'
export { scoreResponse } from './score.ts'
