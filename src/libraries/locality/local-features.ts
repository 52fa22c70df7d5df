import type { AnonymizedQuestion } from '../../core/index.ts'
import { termGraph } from './graph.ts'
import { type Counts, candidateCounts, statementCounts } from './statements.ts'
import { localCounts } from './strings.ts'

/** What is seen of a question, or of one candidate of it where answers are terms of the question. */
export type LocalFeatures = (candidate?: number) => Counts

/** What a reader of a level sees of a question. */
export function featuresAtLevel(structure: AnonymizedQuestion, level: number): LocalFeatures {
  if (structure.kind === 'string') {
    const counts = localCounts(structure, level)
    return () => counts
  }
  const graph = termGraph(structure)
  const counts = statementCounts(structure, graph, level)
  return (candidate) =>
    candidate === undefined
      ? counts
      : new Map([...counts, ...candidateCounts(structure, graph, candidate, Math.max(1, level))])
}

/** The choices that name a term of the question, each with its place among the choices. */
export const candidatesOf = (structure: AnonymizedQuestion): { readonly term: number; readonly place: number }[] =>
  structure.kind === 'string'
    ? []
    : (structure.candidates ?? []).flatMap((term, place) => (term === null ? [] : [{ term, place }]))
