import { canonicalJson, isArray, isObject, type Json } from '../core/index.ts'

/** Near misses of an answer, `limit` at most: one leaf changed, dropped, doubled or swapped. */
export function mutants(answer: Json, limit: number): readonly Json[] {
  const found = new Map<string, Json>()
  for (const mutant of mutate(answer)) {
    const key = canonicalJson(mutant)
    if (key !== canonicalJson(answer)) found.set(key, mutant)
    if (found.size >= limit) break
  }
  return [...found.values()]
}

function* mutate(value: Json): Generator<Json> {
  if (typeof value === 'boolean') yield !value
  if (typeof value === 'number') {
    yield value + 1
    yield value - 1
  }
  if (typeof value === 'string') {
    yield `${value}${value.at(-1) ?? 'x'}`
    if (value.length > 1) yield value.slice(1)
  }
  if (isArray(value)) {
    for (let i = 0; i + 1 < value.length; i++)
      yield [...value.slice(0, i), value[i + 1] as Json, value[i] as Json, ...value.slice(i + 2)]
    for (let i = 0; i < value.length; i++) {
      if (value.length > 1) yield [...value.slice(0, i), ...value.slice(i + 1)]
      for (const part of mutate(value[i] as Json)) yield [...value.slice(0, i), part, ...value.slice(i + 1)]
    }
  }
  if (isObject(value))
    for (const [key, part] of Object.entries(value))
      for (const changed of mutate(part)) yield { ...value, [key]: changed }
}
