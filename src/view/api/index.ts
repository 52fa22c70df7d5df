/**
 * What the server of the view and its pages say to one another. The pages parse every document that arrives, so that a server
 * of another version is told apart from a mistake.
 */

export * from './documents/blind.ts'
export { type Board, board, type Chosen } from './documents/board.ts'
export * from './documents/compare.ts'
export * from './documents/dataset.ts'
export * from './documents/item.ts'
export * from './documents/items.ts'
export { type Outline, outline } from './documents/outline.ts'
export {
  type DatasetSummary,
  fault,
  type LiveModel,
  type PlaceSummary,
  type Places,
  places,
  type RunSummary,
  stopped,
} from './documents/places.ts'
export * from './documents/scored.ts'
export * from './documents/surface.ts'
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
export { storedWords, valueWords } from './value-words.ts'
