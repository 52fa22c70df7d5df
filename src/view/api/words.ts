import type { Json, Task } from '../../core/index.ts'
import { trueMinus } from '../../core/text.ts'

/** A value as text: lists with commas, nested lists in brackets, objects by name, without empty parts. Different values may give the same text. */
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

/** Text of a value stored in a column: JSON is written as by `valueWords`, other text stays. */
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
  // Words with blanks or commas are separated by dots.
  return words.join(list.every((one, i) => isList(one) || !/[\s,]/u.test(words[i] ?? '')) ? ', ' : ' · ')
}

/** Inside another value: lists in brackets, empty texts in quotes. */
const innerWords = (value: Json): string =>
  value === '' ? '""' : isList(value) ? `(${listWords(value)})` : valueWords(value)

const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).every(isEmpty))

/** Local time of a date, as `27 Nov 2026, 12:37`. */
export function dateWords(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  return date.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
}

export const featureMeanings = (task: Task): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(task.features.shape).flatMap(([name, schema]) => {
      const { description } = schema as { readonly description?: string }
      return description === undefined || description === '' ? [] : [[name, description]]
    }),
  )
