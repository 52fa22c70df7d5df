export {
  type Analysis,
  type AnalysisOptions,
  type AnalysisResult,
  type Axis,
  type Column,
  type Estimate,
  type Figure,
  type Frame,
  GRADED_COLUMNS,
  type Mark,
  QUESTIONS,
  type ReportQuestion,
  runAnalysis,
  type Table,
} from './analysis.ts'
export { type AnswerBlock, type BlockDesign, balancedBlocks } from './balanced-blocks.ts'
export { canonicalConfig, canonicalJson, parseJson, sortedJson } from './canonical-json.ts'
export {
  type CheckedStep,
  type CheckedSteps,
  MAX_TRACE,
  summarizeTrace,
  type TraceSummary,
} from './checked-steps.ts'
export { correctnessChecker } from './correctness.ts'
export { defineTask, type Family, type Judging, type Task } from './define.ts'
export { hint, isUsageError, nearest, UsageError } from './errors.ts'
export type { ExportedFile, Exporter, RunContent, RunExporter, RunItem, RunResponse } from './exporter.ts'
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
  jsonRecords,
  loneItem,
  tooLong,
} from './importer.ts'
export { interleave } from './interleave.ts'
export {
  configHash,
  type DatasetKey,
  drawId,
  type EmptyIndex,
  emptyIndexHash,
  type Group,
  groupHash,
  type Item,
  idPrefix,
  itemHash,
  planHash,
} from './item.ts'
export { freeze, isArray, isObject, type Json, type JsonObject } from './json.ts'
export type { JudgedResponse, JudgeItem } from './judging.ts'
export { type Line, lineBatches, linesOf, MAX_LINE, wholeText, withoutMark } from './lines.ts'
export { LruCache, memoize, memoizeWeak } from './memo.ts'
export { MerkleTree, merkleLeaf, merklePath, verifyPath } from './merkle.ts'
export { modelShortNames } from './model-names.ts'
export { type CallStatus, type FinishReason, type Outcome, type ParserResult, statusOf } from './outcome.ts'
export type { ComputeBudget, HowReproduced, Paper, PaperItem, PaperOverlay, PrintedTable } from './paper.ts'
export {
  type ColumnPlace,
  modelNames,
  type PaperComparison,
  type PaperValue,
  paperColumn,
  reportColumn,
} from './paper-comparison.ts'
export { type Permutation, swapOrNot } from './permutation.ts'
export { type PluginRecord, pluginRecords } from './plugin.ts'
export { below, belowBig, between, coin, float, pick, sample, sampleIndices, shuffle, weighted } from './random.ts'
export type { ChatRequest, LoglikelihoodRequest, Message, Request } from './request.ts'
export { rounded } from './rounded.ts'
export { type ChangedPlugin, changedPlugins, describeChangedPlugins, requireSamePlugins } from './same-plugins.ts'
export { parseWithSchema, type SchemaPath, schemaErrorMap, schemaErrors } from './schema-errors.ts'
export { type Detail, fullOnly, optionalStep, type SolutionStep, solutionDetails, solutionText } from './solution.ts'
export type { SerializedItem, Source, SourceKey } from './source.ts'
export { splitCamelCase } from './split-camel-case.ts'
export { bucketsOfSplit, maxPartitionRetries, partitionBucket } from './split-partition.ts'
export {
  bindStreams,
  KeySpace,
  labelKey,
  namedStream,
  rootKey,
  Sfc32,
  type Stream,
  seedText,
  streamFromKey,
  streamKey,
} from './streams.ts'
export { type Cell, column, everyTwo, figure, heatMarks, marksBy, optional, table, tableOf } from './tables.ts'
export type {
  AnonymizedQuestion,
  Baseline,
  ChatTask,
  CountedAnswer,
  Curriculum,
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
  ShownRecords,
  Statement,
  StratumLevels,
  TaskDefinition,
  TaskSpec,
  TokenLogprob,
} from './task.ts'
export {
  changedTemplates,
  checkTemplate,
  fillTemplate,
  isTemplateStyle,
  type TemplateParts,
  type Templates,
  templateStyle,
  templateText,
} from './template.ts'
export { cellText, printable, printableJson } from './text.ts'
export { type TokenCounter, withTokenCounters } from './token-counter.ts'
