/**
 * The parts that a lab is put together from, for programs that put them together otherwise: datasets as streams of rows, open
 * runs, frames of columns, providers, and the view as a server or as files. They need Node. A lab (`openLab`) does all of it but the
 * view with fewer names.
 *
 * @example
 * import { openDataset } from '@touchstone-eval/touchstone/node'
 *
 * export const rootOf = async (folder: string): Promise<string> => (await openDataset(folder)).manifest.root
 *
 * @module
 */
export {
  type AuditedTask,
  type AuditItem,
  type AuditOptions,
  auditDataset,
  auditItems,
  type Dataset,
  datasetRows,
  type GenerateOptions,
  generate,
  manifestId,
  merge,
  openDataset,
  overlap,
  verify,
} from './datasets/index.ts'
export { providers } from './models/index.ts'
export { makeReport, writeReport } from './report/index.ts'
export {
  createRun,
  dryRun,
  executeRun,
  importRelease,
  importResponses,
  openReplay,
  openRun,
  parseExperiment,
  type Run,
  type RunContext,
  rescoreRun,
  retryFailed,
  withRun,
} from './runner/index.ts'
export { folderTree, loadFrames, readParquet, StoreError } from './store/index.ts'
export { type Exported as ExportedView, type ExportOptions, exportView } from './view/server/export.ts'
export { type ServeOptions, type Serving, serveView } from './view/server/serve.ts'
