import type { Json } from '../../../core/index.ts'

/** An answer beside its truth: what it says of the same things. A reading may keep more, for analyses: how an order was come by. */
export function besideTruth(answer: Json, truth: Json): Json {
  if (!isRecord(answer) || !isRecord(truth)) return answer
  const same = Object.entries(answer).filter(([name]) => Object.hasOwn(truth, name))
  return same.length === 0 ? answer : Object.fromEntries(same)
}

const isRecord = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
