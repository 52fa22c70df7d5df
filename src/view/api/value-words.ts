import type { Json } from '../../core/index.ts'
import { trueMinus } from '../../core/text.ts'

/**
 * Any value as a person would write it down: lists with commas, lists in lists in brackets, objects name by name, without what is empty in
 * them. Not to tell values apart by: `["a, b"]` and `["a", "b"]` may look the same.
 */
export function valueWords(value: Json | undefined): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number')
    return trueMinus(String(Number.isInteger(value) ? value : Number(value.toPrecision(6))))
  if (isList(value)) return listWords(value) || 'nothing'
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one))
  return (
    entries.map(([name, one]) => `${name} ${isList(one) ? listWords(one) : innerWords(one)}`).join('; ') || 'nothing'
  )
}

/** A column of rows holds a text as it is, and all else as JSON; one that is no JSON, or not all of it, stays as it is. */
export function storedWords(text: string): string {
  if (!/^[[{]/u.test(text)) return text
  try {
    return valueWords(JSON.parse(text) as Json)
  } catch {
    return text
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

function listWords(list: readonly Json[]): string {
  const words = list.map(innerWords)
  // Where words of a list have blanks or commas, a comma does not say where one ends.
  return words.join(list.every((one, i) => isList(one) || !/[\s,]/u.test(words[i] ?? '')) ? ', ' : ' · ')
}

/** Within another value: what is a list by itself is in brackets, and an empty text can be seen. */
const innerWords = (value: Json): string =>
  value === '' ? '""' : isList(value) ? `(${listWords(value)})` : valueWords(value)

const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).every(isEmpty))
