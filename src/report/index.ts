export { referenceSets } from './analyses/accuracy.ts'
export { accuracyOver } from './analyses/conditions.ts'
export { hasResponses } from './analyses/index.ts'
export {
  type Comparison,
  compareMetric,
  compareSides,
  type LevelEffect,
  type MetricComparison,
  type MetricEffect,
  MIN_SHARED,
  metricsIn,
} from './compare.ts'
export { type ContaminationPlan, type ContaminationReport, contaminationOf } from './contamination.ts'
export { figurePng, figureSvg } from './figures/svg.ts'
export { csvLine, csvTable } from './formats/csv.ts'
export { htmlPage } from './formats/html.ts'
export { markdownReport, markdownTable, skippedName } from './formats/markdown.ts'
export { plainTable } from './formats/plain.ts'
export { textReport } from './formats/text.ts'
export { fileName, shortNumber } from './formats/values.ts'
export type { PlanProgress } from './headline.ts'
export type { JudgedPair, PairEffect } from './pair-effect.ts'
export type { ComparedBy, ComparisonSide } from './pairs.ts'
export { figuresWithPaper, paperTable } from './paper-table.ts'
export { type KeyReport, keyReport, parseKey } from './published-key.ts'
export { type ReferenceItems, referencesOf, withReferences } from './references.ts'
export {
  isWanted,
  makeReport,
  makeReportInTurns,
  type Report,
  type ReportedAnalysis,
  type ReportFrames,
  type ReportInput,
} from './report.ts'
export { meanOverConditions, type RunVerdict } from './run-verdict.ts'
export {
  type Chosen,
  SELECTED,
  type SelectionCost,
  selectedFrames,
  selectFromRows,
  totalCost,
} from './selection.ts'
export { withShortNames } from './short-names.ts'
export { inTwo, type Verdict, type VerdictInput, verdictOf } from './verdict.ts'
export {
  jsonReport,
  type ReportFormat,
  reportFiles,
  type WriteOptions,
  type WrittenReport,
  writeReport,
  writeReportFiles,
} from './write.ts'
