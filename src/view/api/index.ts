/** The documents that the server of the view sends to its pages, which parse each of them. */

export * from './address.ts'
export * from './address.ts'
export * from './ask.ts'
export * from './documents/accuracy.ts'
export * from './documents/accuracy.ts'
export * from './documents/accuracy.ts'
export * from './documents/accuracy.ts'
export * from './documents/folders.ts'
export * from './documents/folders.ts'
export {
  type DatasetSummary,
  type FolderSummary,
  type Folders,
  folders,
  type LiveModel,
  type Outline,
  type Overview,
  outline,
  overview,
  type RunSummary,
  type SubsetSize,
  stopped,
  viewError,
} from './documents/folders.ts'
export * from './documents/items.ts'
export * from './documents/items.ts'
export * from './documents/tokens.ts'
export * from './documents/tokens.ts'
export {
  estimate,
  figure,
  type ShownEstimate,
  type ShownFigure,
  type ShownTable,
  table,
} from './documents/values.ts'
export { dateWords, featureMeanings, storedWords, valueWords } from './words.ts'
