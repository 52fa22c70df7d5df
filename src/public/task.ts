/**
 * What the author of a task needs: the contract, randomness, layouts, JSON. Nothing here needs Node.
 *
 * @example
 * import { coin, type RandomStreams } from '@touchstone-eval/touchstone/task'
 *
 * export const toss = (draws: RandomStreams): 'heads' | 'tails' => (coin(draws.stream('toss')) ? 'heads' : 'tails')
 *
 * @module
 */
export type {
  Analysis,
  AnalysisOptions,
  AnalysisResult,
  Column,
  Estimate,
  Figure,
  Frame,
  Table,
} from '../core/analysis.ts'
export { type AnswerBlock, type BlockDesign, balancedBlocks } from '../core/balanced-blocks.ts'
export { canonicalJson } from '../core/canonical-json.ts'
export { defineTask, type Family, type Task } from '../core/define.ts'
export { hint, isUsageError, UsageError } from '../core/errors.ts'
export type { ExportedFile, Exporter } from '../core/exporter.ts'
export { enc, hex, sha256Hex } from '../core/hash.ts'
export { type FileTree, type Imported, type Importer, type ImportProblem, importProblem } from '../core/importer.ts'
export { interleave } from '../core/interleave.ts'
export type { EmptyIndex, Item } from '../core/item.ts'
export { freeze, isArray, isObject, type Json, type JsonObject } from '../core/json.ts'
export { memoize } from '../core/memo.ts'
export { itemsRoot } from '../core/merkle.ts'
export { modelShortNames } from '../core/model-names.ts'
export type { FinishReason, Outcome, ParserResult } from '../core/outcome.ts'
export {
  below,
  belowBig,
  between,
  coin,
  float,
  pick,
  sample,
  sampleIndices,
  shuffle,
  weighted,
} from '../core/random.ts'
export type { ChatRequest, LoglikelihoodRequest, Message, Request } from '../core/request.ts'
export { rounded } from '../core/rounded.ts'
export type { Source, SourceKey } from '../core/source.ts'
export { namedStream, type Stream } from '../core/streams.ts'
export { type Cell, column, everyTwo, figure, heatMarks, marksBy, optional, table, tableOf } from '../core/tables.ts'
export type {
  AnonymizedQuestion,
  Baseline,
  ChatTask,
  CountedAnswer,
  DeclaredShortcut,
  DrawContext,
  DrawResult,
  EmptyDraw,
  Extraction,
  Features,
  Gold,
  Grade,
  ItemSlot,
  Layout,
  LoglikelihoodTask,
  NgramModel,
  Parser,
  Parsers,
  Preset,
  Problem,
  Question,
  RandomStreams,
  Statement,
  StratumLevels,
  TaskDefinition,
  TaskSpec,
  TokenLogprob,
} from '../core/task.ts'
export type { TemplateParts } from '../core/template.ts'
export { type TokenCounter, withTokenCounters } from '../core/token-counter.ts'
export { drawTwins } from '../core/twins.ts'
