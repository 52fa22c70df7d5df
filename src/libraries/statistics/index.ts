export * from './adaptive.ts'
export * from './agreement.ts'
export * from './anytime.ts'
export * from './auc.ts'
export * from './bootstrap.ts'
export * from './clustered-gap.ts'
export { type ClusteredMean, clusteredMean, clusteredMeanEstimate, clusteredShare } from './clustered-mean.ts'
export { type Clustering, type Clusters, clustering, clusterMeans, clusterSums } from './clusters.ts'
export * from './confusion.ts'
export * from './contamination.ts'
export * from './correlation.ts'
export * from './distinct-groups.ts'
export { binomialUpper } from './distributions/binomial.ts'
export { normalQuantile, normalTwoSided, normalUpper } from './distributions/normal.ts'
export { chiSquaredQuantile, chiSquaredUpper, tQuantile, tUpper } from './distributions/test-statistics.ts'
export * from './divergence.ts'
export {
  type Condition,
  type Conditions,
  conditions,
  type RowKey,
  type SystemRows,
  shareOver,
  systemsIn,
  titled,
  varying,
} from './frames/conditions.ts'
export { memoryFrame, selectRows } from './frames/frame.ts'
export * from './frames/outcomes.ts'
export { allRows, inOrder, type Part, partition, rowsByLevel, rowsWhere, take, takeKnown } from './frames/partition.ts'
export { bySystem, type Systems, systems } from './frames/systems.ts'
export * from './grouped-curve.ts'
export { type Ability, type CrossedFit, type CrossedUnfit, crossed, type Spread } from './mixed/crossed.ts'
export type { Trials } from './mixed/layout.ts'
export * from './moments.ts'
export * from './paired.ts'
export * from './pass-at-k.ts'
export * from './permutation.ts'
export * from './power.ts'
export * from './prediction-powered.ts'
export * from './psychometric.ts'
export * from './random-effects.ts'
export * from './rank-sets.ts'
export * from './rankings.ts'
export { type Design, design, pairwise, type Term, type TermColumns, type Variable } from './regression/design.ts'
export type { Coefficient, Fit, Unfit, WaldTest } from './regression/fit.ts'
export { type LinearFit, linear, type RegressionOptions } from './regression/linear.ts'
export { type LogisticFit, type LogisticOptions, logistic } from './regression/logistic.ts'
export { type Selected, type StyleParserScore, selectStyleAndParser, tieRule } from './select-pair.ts'
export * from './tests.ts'
export { wilson } from './wilson.ts'
