import type { Structure } from '../core/index.ts'
import { type Counts, candidateCounts, statementCounts } from './statements.ts'
import { localCounts } from './strings.ts'

/** What a reader of a level sees of a question, and of one candidate of it where answers are terms of the question. */
export function viewOf(structure: Structure, level: number, candidate?: number): Counts {
  if (structure.kind === 'string') return localCounts(structure, level)
  const counts = statementCounts(structure, level)
  return candidate === undefined
    ? counts
    : new Map([...counts, ...candidateCounts(structure, candidate, Math.max(1, level))])
}

/** The choices that name a term of the question, each with its place among the choices. */
export const candidatesOf = (structure: Structure): { readonly term: number; readonly place: number }[] =>
  structure.kind === 'string'
    ? []
    : (structure.candidates ?? []).flatMap((term, place) => (term === null ? [] : [{ term, place }]))
