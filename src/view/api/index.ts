/** The documents that the server of the view sends to its pages, which parse each of them. */

export * from './ask.ts'
export * from './documents/by-feature.ts'
export * from './documents/compare.ts'
export * from './documents/dataset.ts'
export * from './documents/effects.ts'
export {
  type DatasetSummary,
  type FolderSummary,
  type Folders,
  folders,
  type LiveModel,
  type RunSummary,
  stopped,
  viewError,
} from './documents/folders.ts'
export * from './documents/history.ts'
export * from './documents/item.ts'
export * from './documents/items.ts'
export * from './documents/loglikelihood.ts'
export { type Outline, outline } from './documents/outline.ts'
export { type Overview, overview, type SubsetSize } from './documents/overview.ts'
export * from './documents/references.ts'
export * from './documents/tokens.ts'
export {
  estimate,
  figure,
  type ShownEstimate,
  type ShownFigure,
  type ShownTable,
  table,
} from './documents/values.ts'
export { featureMeanings } from './feature-meanings.ts'
export * from './filter.ts'
export * from './run-document.ts'
export { dateWords, storedWords, valueWords } from './value-words.ts'
