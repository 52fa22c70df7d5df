/**
 * What the author of a task needs: the contract, randomness, layouts, JSON. Nothing here needs Node.
 *
 * @example
 * import { coin, type Streams } from '@touchstone-eval/touchstone/task'
 *
 * export const toss = (draws: Streams): 'heads' | 'tails' => (coin(draws.stream('toss')) ? 'heads' : 'tails')
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
export { canonicalJson } from '../core/canonical-json.ts'
export { column } from '../core/columns.ts'
export { defineTask, type Family, type Task } from '../core/define.ts'
export { hint, isUsageError, UsageError } from '../core/errors.ts'
export type { ExportedFile, Exporter } from '../core/exporter.ts'
export { enc, hex, sha256Hex } from '../core/hash.ts'
export { type FileTree, type Imported, type Importer, type ImportProblem, importProblem } from '../core/importer.ts'
export { interleave } from '../core/interleave.ts'
export type { Hole, Item } from '../core/item.ts'
export { freeze, isArray, isObject, type Json, type JsonObject } from '../core/json.ts'
export { remember } from '../core/memo.ts'
export type { Finish, Outcome, Verdict } from '../core/outcome.ts'
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
export type { ChatRequest, Message, Request, ScoreRequest } from '../core/request.ts'
export { itemsRoot } from '../core/root.ts'
export { rounded } from '../core/rounded.ts'
export { type Design, rounds, type Unit } from '../core/rounds.ts'
export type { Source, SourceKey } from '../core/source.ts'
export { namedStream, type Stream } from '../core/stream.ts'
export type {
  Baseline,
  Cell,
  ChatTask,
  Cue,
  Drawn,
  Extracted,
  Features,
  Gold,
  Grade,
  Layout,
  Levels,
  LocalModel,
  Parser,
  Parsers,
  Place,
  Preset,
  Problem,
  Question,
  ScoredTask,
  Statement,
  Streams,
  Structure,
  TaskDefinition,
  TaskSpec,
  TokenLogprob,
  Unreachable,
  Worked,
} from '../core/task.ts'
export { type TokenCounter, withTokenCounters } from '../core/token-counter.ts'
export { drawTwins } from '../core/twins.ts'
