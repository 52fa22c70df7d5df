import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { hint, isArray, isObject, type Json, jsonOrNull, type Message, UsageError } from '../core/index.ts'
import { csvLines, decoded, explained, readJsonl, readParquet } from '../store/index.ts'

/** A row of a file of questions and answers of any origin. */
export type QuestionRow = { readonly [column: string]: Json }

/** What a column of foreign data may be. */
export const FIELDS = ['question', 'answer', 'choices', 'group', 'context', 'rubric'] as const
export type Field = (typeof FIELDS)[number]
/** The columns of each field; several only for choices that have a column each. */
export type FieldColumns = { readonly [field in Field]?: readonly string[] }

const ENDINGS = ['.jsonl', '.ndjson', '.json', '.csv', '.tsv', '.parquet']

/** Does a path name rows of anybody's data, and not the folder of a dataset? */
export const isDataFile = (path: string): boolean => ENDINGS.includes(extname(path).toLowerCase())

/** Rows with well-formed texts: others cannot be hashed. @throws UsageError for a file that is no table. */
export async function* questionRows(path: string): AsyncGenerator<readonly QuestionRow[]> {
  for await (const batch of rowsOf(path)) yield batch.map((row) => wellFormed(row) as QuestionRow)
}

/** Deepest nesting of a row. */
const MAX_DEPTH = 100

function wellFormed(value: Json, depth = 0): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (depth > MAX_DEPTH) throw new UsageError(`expected rows nested at most ${MAX_DEPTH} levels deep`)
  if (isArray(value)) return value.map((one) => wellFormed(one, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one, depth + 1)]))
}

async function* rowsOf(path: string): AsyncGenerator<readonly QuestionRow[]> {
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
    case '.ndjson':
      return yield* readJsonl(path)
    case '.parquet':
      return yield* readParquet(path)
    case '.json':
      return yield rowsOfJson(decoded(await explained(path, () => readFile(path))), path)
    case '.csv':
    case '.tsv': {
      const text = decoded(await explained(path, () => readFile(path)))
      const tabs = path.toLowerCase().endsWith('.tsv') && text.includes('\t')
      return yield withHead(Array.from(csvLines(text, tabs ? '\t' : null), ({ row }) => row))
    }
    default:
      throw new UsageError(`expected a file that ends in ${ENDINGS.join(', ')}, got ${path}`)
  }
}

/** MMLU as its authors publish it has no head: a question, its choices, and the letter of one of them. */
function withHead(rows: readonly QuestionRow[]): readonly QuestionRow[] {
  const first = Object.keys(rows[0] ?? {})
  const marks = letters(first.slice(1, -1))
  const all = [first, ...rows.map(Object.values)] as readonly (readonly string[])[]
  if (marks.length < 2 || !all.every((cells) => marks.includes(cells.at(-1) ?? ''))) return rows
  const names = ['question', ...marks, 'answer']
  return all.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])))
}

/** A list of rows, or a mapping with one in it, such as `{"examples": [...]}`. @throws UsageError */
function rowsOfJson(text: string, path: string): readonly QuestionRow[] {
  let value: Json
  const bare = text.replace(/^\ufeff/u, '').trim()
  try {
    // Some call JSON lines .json.
    const lines = /^\{[^\n]*\}\r?\n\s*\{/u.test(bare) ? bare.split('\n').filter((line) => line.trim() !== '') : null
    value = lines === null ? (JSON.parse(bare) as Json) : lines.map((line) => JSON.parse(line) as Json)
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const isTable = (one: Json): boolean => isArray(one) && one.length > 0 && one.every(isObject)
  const found = isObject(value) ? Object.values(value).find(isTable) : value
  if (found === undefined || !isTable(found))
    throw new UsageError(`expected a list of objects in ${path}, or an object that holds one`)
  return found as unknown as readonly QuestionRow[]
}

/** Usual names of columns, the likeliest first; compared without case, blanks and signs. */
const USUAL: { readonly [field in Field]: readonly string[] } = {
  question: (
    'messages question prompt input problem query instruction goal ctx sentence statement text conclusion ' +
    'hypothesis premise sentence2 inputs request conversation claim squestion'
  ).split(' '),
  answer: (
    'answer answers correctanswer correct target targets label output gold ideal expected expectedoutput answerkey ' +
    'correctoption bestanswer groundtruth reference referenceanswer finalanswer solution completion regex pattern lsolutions goldlabel'
  ).split(' '),
  choices: 'choices options candidates answerchoices endings targetscores'.split(' '),
  group: 'group groupid cluster storyid passageid contextid'.split(' '),
  context: 'context passage article story document body premises premise sentence1 instruction text code'.split(' '),
  rubric: 'rubric rubrics criteria gradingcriteria'.split(' '),
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Names of choices that have a column each: `A`, `option1`, `Choice B`, `sol2`, `ending0`. */
const CHOICE_COLUMN = /^(?:option|choice|opt|sol|ending|ans|answer|incorrectanswer)?(?<mark>[a-z]|\d)$/u

/** Columns with something in them: of several with usual names, an empty one is none. */
export const columnNames = (rows: readonly QuestionRow[]): readonly string[] =>
  [...new Set(rows.slice(0, 1000).flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => textOf(row[name] ?? null).trim() !== ''),
  )

/**
 * The column of each field: as asked, else by its usual name.
 *
 * @throws UsageError for a field or column that does not exist
 */
export function fieldColumns(names: readonly string[], asked: { readonly [field: string]: string }): FieldColumns {
  const found: { [field in Field]?: readonly string[] } = {}
  for (const field of FIELDS) {
    const own = asked[field]
    const usual = USUAL[field]
      .flatMap((one) => names.filter((name) => plain(name) === one))
      .find((name) => field !== 'context' || name !== found.question?.[0])
    const columns = own === undefined ? (usual === undefined ? [] : [usual]) : named(field, own, names)
    if (columns.length > 0) found[field] = columns
  }
  for (const [field, column] of Object.entries(asked))
    if (!FIELDS.some((known) => known === field))
      throw new UsageError(`${field}=${column}: expected one of ${FIELDS.join(', ')}`)
  const each = choiceColumns(names.filter((name) => found.question?.[0] !== name && found.answer?.[0] !== name))
  if (found.choices === undefined && each.length > 1) found.choices = each
  return found
}

/** One column, or several between commas. */
function named(field: Field, wanted: string, names: readonly string[]): readonly string[] {
  if (names.includes(wanted)) return [wanted]
  const parts = wanted.split(',').map((part) => part.trim())
  const missing = parts.find((part) => !names.includes(part))
  if (missing === undefined) return parts
  throw new UsageError(`${field}=${wanted}: no such column${hint(missing, names)}. Columns: ${names.join(', ')}`)
}

/** The longest series of columns of one name that count from A, 0 or 1. */
function choiceColumns(names: readonly string[]): readonly string[] {
  const series = Map.groupBy(
    names.filter((name) => CHOICE_COLUMN.test(plain(name))),
    (name) => plain(name).slice(0, -1),
  )
  const whole = [...series.values()].map((list) => list.toSorted((a, b) => (plain(a) < plain(b) ? -1 : 1)))
  return whole
    .filter((list) => ['a', '0', '1'].includes(plain(list[0] as string).slice(-1)))
    .reduce((best, list) => (list.length > best.length ? list : best), [] as readonly string[])
}

/** The answers that are offered with a question. */
export interface Offered {
  readonly texts: readonly string[]
  readonly labels: readonly string[]
}

/** A row as a question with its answers, each right alone. */
export interface ReadQuestion {
  readonly messages: readonly Message[]
  readonly answers: readonly Json[]
  readonly choices: Offered | null
  readonly group: string | null
  /** The judge's rubric; empty: none. */
  readonly rubric: string
}

/** How answers name choices: by text or label, or by number from 0 or 1. */
export type AnswerBase = 'label' | 0 | 1

const NOTHING: ReadQuestion = { messages: [], answers: [], choices: null, group: null, rubric: '' }

/**
 * What a row asks, without messages where it asks nothing. Its answers name choices as they stand there ({@link chosen}). Its
 * context is its group, but an instruction is none.
 */
export function readQuestion(row: QuestionRow, columns: FieldColumns): ReadQuestion {
  const cell = (field: Field): Json => row[columns[field]?.[0] ?? ''] ?? null
  const written = messagesOf(cell('question'))
  // An instruction without an input.
  const asked = written.length > 0 ? written : messagesOf(cell('context'))
  const own = columns.answer === undefined && asked.at(-1)?.role === 'assistant' ? asked.at(-1)?.content : undefined
  const messages = own === undefined ? asked : asked.slice(0, -1)
  if (messages.length === 0) return NOTHING
  const given = cell('context')
  const context = (isArray(given) ? given.map(textOf).join('\n') : textOf(given)).trim()
  const [first, ...rest] = messages as [Message, ...Message[]]
  const scored = bestOf(cell('choices'))
  const answers = own !== undefined ? [own] : scored.length > 0 ? scored : answersOf(cell('answer'))
  const group = cell('group')
  const isInstruction = plain(columns.context?.[0] ?? '') === 'instruction'
  return {
    messages: messages.some(({ content }) => content.includes(context))
      ? messages
      : [{ ...first, content: `${context}\n\n${first.content}` }, ...rest],
    answers,
    choices: offeredIn(row, columns.choices ?? [], cell('question'), answers),
    group: group === null ? (context === '' || isInstruction ? null : context) : textOf(group),
    rubric: textOf(cell('rubric')),
  }
}

export const textOf = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)

const ROLES: { readonly [role: string]: Message['role'] } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  gpt: 'assistant',
}

/** Chat messages (`role` and `content`, or `from` and `value`), also as JSON text; else one message of the user. */
function messagesOf(value: Json): readonly Message[] {
  const list = typeof value === 'string' ? (jsonIn(value) ?? value) : value
  if (isArray(list) && list.length > 0 && list.every(isObject)) {
    const said = list.map((one) => ({
      role: ROLES[textOf(one['role'] ?? one['from'] ?? null)],
      content: contentOf(one['content'] ?? one['value'] ?? null),
    }))
    if (said.every((one): one is Message => one.role !== undefined)) return said
  }
  const stem = isObject(value) ? (value['stem'] ?? value['text']) : undefined
  if (stem !== undefined) return messagesOf(stem)
  const content = isArray(value) ? value.map(textOf).join('\n') : textOf(value)
  return content.trim() === '' ? [] : [{ role: 'user', content }]
}

/** The text of a message, whose content may be parts. */
const contentOf = (content: Json): string =>
  isArray(content)
    ? content.map((part) => (isObject(part) ? textOf(part['text'] ?? null) : textOf(part))).join('')
    : textOf(content)

/** A list or mapping that is written as JSON. */
const jsonIn = (text: string): Json => (/^\s*[[{]/u.test(text) ? jsonOrNull(text) : null)

/**
 * One answer, or several: a list, `{text: [..]}`, or `{value, aliases: [..]}`, also as JSON text, whose lists are of texts: the text
 * `[1, 2]` is an answer itself. Blank ones are none.
 */
function answersOf(value: Json): readonly Json[] {
  const read = typeof value === 'string' ? (jsonIn(value) ?? value.trim()) : value
  if (isArray(read)) {
    const isText = typeof value === 'string' && !(read.length > 0 && read.every((one) => typeof one === 'string'))
    return isText ? [value.trim()] : read.flatMap(answersOf)
  }
  if (!isObject(read)) return read === null || read === '' ? [] : [read]
  const { text, value: main, aliases } = read
  if (text !== undefined && isArray(text)) return answersOf(text)
  if (main !== undefined && aliases !== undefined && isArray(aliases)) return answersOf([main, ...aliases])
  return [read]
}

/** A label before the text of a choice. */
const LABELLED = /^\(?(?<label>[A-Z])[).:]\s*/u

const letters = (list: readonly unknown[]): string[] => list.map((_, i) => String.fromCharCode(65 + i))

function offeredIn(
  row: QuestionRow,
  columns: readonly string[],
  asked: Json,
  answers: readonly Json[],
): Offered | null {
  const [only] = columns
  // Exams of schools nest them: `{"question": {"stem": .., "choices": [..]}}`.
  if (only === undefined) return isObject(asked) ? choicesOf(asked['choices'] ?? null) : null
  if (columns.length === 1) return choicesOf(row[only] ?? null)
  const full = columns.filter((column) => textOf(row[column] ?? null).trim() !== '')
  const texts = full.map((column) => textOf(row[column] ?? null).trim())
  // Only wrong ones have columns: the right one stands where its text sorts, not always first.
  if (plain(only).startsWith('incorrect')) {
    const all = [...new Set([...texts, ...answers.map((answer) => textOf(answer))])].sort()
    return { texts: all, labels: letters(all) }
  }
  return texts.length < 2 ? null : { texts, labels: full.map((column) => plain(column).slice(-1).toUpperCase()) }
}

/** Choices with a score each, of which the right ones have the greatest. */
const isScored = (value: Json): value is { readonly [choice: string]: number } =>
  isObject(value) && Object.keys(value).length > 1 && Object.values(value).every((one) => typeof one === 'number')

const bestOf = (value: Json): readonly Json[] =>
  isScored(value) ? Object.keys(value).filter((one) => value[one] === Math.max(...Object.values(value))) : []

/** Choices as a list, a mapping of labels, or lists `text` and `label`; or any of these as JSON text. */
function choicesOf(value: Json): Offered | null {
  if (typeof value === 'string') {
    const read = jsonIn(value)
    return read === null ? null : choicesOf(read)
  }
  if (isArray(value)) {
    if (value.length < 2) return null
    const texts = value.map((one) => (isObject(one) ? textOf(one['text'] ?? one['label'] ?? null) : textOf(one)))
    const own = value.map((one) => (isObject(one) && one['text'] !== undefined ? textOf(one['label'] ?? null) : ''))
    // "A) 21" holds its label.
    const rests = texts.map(
      (text, i) => LABELLED.exec(text)?.groups?.['label'] === letters(texts)[i] && text.replace(LABELLED, ''),
    )
    if (rests.every((rest) => rest !== false && rest !== ''))
      return { texts: rests as string[], labels: letters(texts) }
    return { texts, labels: own.includes('') ? letters(texts) : own }
  }
  if (!isObject(value)) return null
  const { text, label } = value
  if (text !== undefined && isArray(text))
    return {
      texts: text.map(textOf),
      labels: label !== undefined && isArray(label) ? label.map(textOf) : letters(text),
    }
  const pairs = Object.entries(value).filter(([, one]) => one !== null)
  if (isScored(value)) return { texts: Object.keys(value), labels: letters(pairs) }
  return pairs.length > 1 ? { texts: pairs.map(([, one]) => textOf(one)), labels: pairs.map(([name]) => name) } : null
}

/** How the answers of a whole file name its choices: what fits all rows decides, so that "1" has one meaning. */
export function answerBase(rows: readonly Pick<ReadQuestion, 'answers' | 'choices'>[]): AnswerBase {
  const said = rows.flatMap(({ answers, choices }) =>
    choices === null ? [] : answers.map((answer) => ({ text: textOf(answer), choices })),
  )
  const fits = (base: AnswerBase): boolean =>
    said.every(({ text, choices: { texts, labels } }) => {
      if (texts.includes(text) || (base === 'label' && labels.includes(text))) return true
      return base !== 'label' && /^\d+$/u.test(text) && texts[Number(text) - base] !== undefined
    })
  return (['label', 0, 1] as const).find(fits) ?? 'label'
}

/** The index of the choice that an answer names; null: none. */
export function chosen({ texts, labels }: Offered, answer: Json, base: AnswerBase): number | null {
  const text = textOf(answer).trim()
  const at = texts.indexOf(text)
  if (at !== -1) return at
  // Of labels that stand in brackets, or before their text.
  const label = /^\(?(?<label>[A-Z])[).:](?:\s|$)/u.exec(text)?.groups?.['label'] ?? ''
  if (base === 'label' && labels.includes(label)) return labels.indexOf(label)
  const found = base === 'label' ? labels.indexOf(text) : Number(text) - base
  return texts[found] === undefined ? null : found
}
