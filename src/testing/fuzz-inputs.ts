import { canonicalJson, isArray, isObject, type Json } from '../core/index.ts'

/** A response without an answer, and its name. */
export type Junk = readonly [name: string, text: string]

/**
 * Responses without an answer: no parser may throw on them, and strict must leave them unparsed. The long ones take
 * minutes where a parser is not linear; `length` is the fraction of their full length.
 */
export const fuzzInputs = (length: number): readonly Junk[] =>
  SHAPES.map(([name, ...parts]) => [
    name,
    parts.map((part) => (typeof part === 'string' ? part : part[0].repeat(Math.ceil(length * part[1])))).join(''),
  ])

/** A text, or a text repeated. */
type Part = string | readonly [text: string, times: number]

const SHAPES: readonly (readonly [name: string, ...parts: readonly Part[]])[] = [
  ['empty', ''],
  ['blank', ' \n\t\r\n  '],
  ['line ends', '\n\n\n'],
  ['boxes within boxes', ['\\boxed{', 20_000], 'x', ['}', 20_000]],
  ['a table', '| a | b |\n|---|---|\n', ['| 1 | 2 |\n', 20_000]],
  ['denials', ['not not, ', 20_000], 'x'],
  ['NUL', '\0\0\0'],
  ['an unclosed fence', '```python\n['],
  ['an unclosed thought', '<think>'],
  ['nested tags', ['<div><p>', 2000]],
  ['brackets', ['[', 40_000]],
  ['closing brackets', [')]}', 15_000]],
  ['quotes', ['"\'`', 30_000]],
  ['backslashes', ['\\', 100_000]],
  ['fences', ['```\n', 30_000]],
  ['letters', ['a', 300_000]],
  ['stars', ['*_', 80_000]],
  ['blanks before the end', [' ', 150_000], 'x'],
  ['emoji', ['🧪🪨', 1000]],
  ['lone surrogates', '\ud800 \udfff \ud800'],
  ['right-to-left marks', '\u202e\u200f\ufeff'],
  ['HTML', '<script>alert(1)</script><b>&amp;</b>'],
  ['a hostile pattern', ['(a+)+', 20_000], '$'],
  ['stars inside a list of arrows', '```\na -> b', ['*', 60_000], 'b\n```'],
  ['stars inside a line of arrows', 'a -> b', ['*', 60_000], 'b'],
  ['visible spans without a line end', ['-<think></think>', 16_000]],
  ['calls and arrows between thoughts', ['replace(->[<think></think>', 10_000]],
  ['fences that a mark spoils', [`${'~'.repeat(350)}\`\n`, 600]],
  ['labels', ['Answer:\n', 10_000]],
  ['brackets that share an opening', '[', [']', 60_000]],
  ['prototype', '__proto__ constructor toString'],
]

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
