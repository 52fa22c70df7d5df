export { blindSets } from './analyses/accuracy.ts'
export { readsAnswers } from './analyses/index.ts'
export { type BlindItems, blindFrames, blindOf } from './blind.ts'
export { type Comparison, compareSides, type LevelEffect, MIN, type PairedEffect } from './compare.ts'
export { compareMeasure, type MeasureComparison, type MeasuredEffect, measuresOf } from './compare-measure.ts'
export { type ContaminationPlan, type ContaminationReport, contaminationOf } from './contamination.ts'
export { figurePng } from './figures/png.ts'
export { figureSvg } from './figures/svg.ts'
export { csvTable } from './formats/csv.ts'
export { leftOutName } from './formats/how-read.ts'
export { htmlPage } from './formats/html.ts'
export { jsonReport } from './formats/json.ts'
export { markdownReport, markdownTable } from './formats/markdown.ts'
export { plainTable } from './formats/plain.ts'
export { shortNumber } from './formats/values.ts'
export type { Plan } from './headline.ts'
export type { Axis, Side } from './pairs.ts'
export { type KeyReport, keyReport, parseKey } from './published-key.ts'
export {
  isWanted,
  makeReport,
  makeReportInTurns,
  type Report,
  type ReportedAnalysis,
  type ReportFrames,
  type ReportInput,
} from './report.ts'
export { framesFromRows } from './rows.ts'
export { type Chosen, type SelectionCost, selectFromRows, totalCost } from './select.ts'
export { SELECTED, selectedFrames } from './selected.ts'
export { besideOurs } from './side-by-side.ts'
export {
  type ReportFormat,
  type WriteOptions,
  type WrittenReport,
  writeReport,
  writeReportFiles,
} from './write.ts'
