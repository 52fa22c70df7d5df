export type {
  Analysis,
  AnalysisOptions,
  AnalysisResult,
  Axis,
  Column,
  Estimate,
  Figure,
  Frame,
  Mark,
  Table,
} from './analysis.ts'
export { canonicalConfig, canonicalJson, parseJson, sortedJson } from './canonical-json.ts'
export { column } from './columns.ts'
export { defineTask, type Family, type Judging, type Task } from './define.ts'
export { hint, isUsageError, nearest, UsageError } from './errors.ts'
export type { ExportedFile, Exporter, RunContent, RunExporter, RunItem, RunResponse } from './exporter.ts'
export { fenceRegion, fenceTries, splitRegions } from './fence.ts'
export { enc, hex, sha256, sha256Hex, unhex, utf8 } from './hash.ts'
export {
  type FileTree,
  type ImportCount,
  type Imported,
  type ImportedGroup,
  type ImportedItem,
  type ImportedResponse,
  type Importer,
  type ImportProblem,
  importProblem,
  loneItem,
  tooLong,
} from './importer.ts'
export { inWords } from './in-words.ts'
export { interleave } from './interleave.ts'
export {
  configHash,
  type DatasetKey,
  drawId,
  type Group,
  groupHash,
  type Hole,
  holeHash,
  type Item,
  idPrefix,
  itemHash,
  planHash,
} from './item.ts'
export { freeze, isArray, isObject, type Json, type JsonObject } from './json.ts'
export type { Judged, JudgedQuestion } from './judging.ts'
export { type Line, LONGEST_LINE, lineBatches, linesOf, wholeText, withoutMark } from './lines.ts'
export { LeastRecent, remember, rememberWeakly } from './memo.ts'
export { MerkleTree, merkleLeaf, merklePath, verifyPath } from './merkle.ts'
export { misfitInWords } from './misfit.ts'
export { type Finish, type Outcome, type State, stateOf, type Verdict } from './outcome.ts'
export type { Effort, Made, Paper, PaperItem, PrintedTable } from './paper.ts'
export { misfits, parsedInWords, type SchemaPath } from './parsed-in-words.ts'
export { type Permutation, swapOrNot } from './permutation.ts'
export { type PluginRecord, pluginRecords } from './plugin.ts'
export { cellText, printable, printableJson } from './printable.ts'
export { below, belowBig, between, coin, float, pick, sample, sampleIndices, shuffle, weighted } from './random.ts'
export type { ChatRequest, Message, Request, ScoreRequest } from './request.ts'
export { rightnessOf } from './rightness-of.ts'
export { rounded } from './rounded.ts'
export { type Design, rounds, type Unit } from './rounds.ts'
export { type ChangedPlugin, changedInWords, changedPlugins, refusePlugins } from './same-plugins.ts'
export { seedText } from './seed.ts'
export { type ColumnPlace, modelNames, ourColumn, type Placed, printedColumn, type SideBySide } from './side-by-side.ts'
export { type Detail, details, inFull, solutionText, type Told, worked } from './solution.ts'
export type { Source, SourceKey, Written } from './source.ts'
export { namedStream, Sfc32, type Stream, streamFromKey } from './stream.ts'
export { bindStreams, KeySpace, labelKey, rootKey, streamKey } from './streams.ts'
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
  Ladder,
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
} from './task.ts'
export { type TokenCounter, withTokenCounters } from './token-counter.ts'
export { LONGEST_TRACE, type Stated, type Step, type Trace, traceOf } from './trace.ts'
