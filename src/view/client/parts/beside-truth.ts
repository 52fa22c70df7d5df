import type { Json } from '../../../core/index.ts'

/** The part of a prediction that the target has too; a parser may keep more, for analyses. */
export function besideTruth(answer: Json, truth: Json): Json {
  if (!isRecord(answer) || !isRecord(truth)) return answer
  const same = Object.entries(answer).filter(([name]) => Object.hasOwn(truth, name))
  return same.length === 0 ? answer : Object.fromEntries(same)
}

const isRecord = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
