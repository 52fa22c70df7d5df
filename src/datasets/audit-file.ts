import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Extraction, type Json, UsageError } from '../core/index.ts'
import { type AuditOptions, auditItems, withVerdict } from './audit/audit.ts'
import type { AuditedTask, AuditItem } from './audit/prepare.ts'
import type { Audit, Check } from './audit/report.ts'
import { words } from './audit/subject.ts'
import {
  type AnswerBase,
  answerBase,
  chosen,
  columnNames,
  type FieldColumns,
  fieldColumns,
  type QuestionRow,
  questionRows,
  type ReadQuestion,
  readQuestion,
  textOf,
} from './question-rows.ts'

export interface FileAuditOptions extends Pick<AuditOptions, 'alpha' | 'minEffect'> {
  /** Column of each field; fields that are not named are guessed. */
  readonly fields?: { readonly [field: string]: string }
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** The audit of files, with the columns that were read as fields. */
export interface FileAudit extends Audit {
  readonly fields: { readonly [field: string]: string }
}

interface Entry {
  readonly file: number
  readonly question: string
  readonly answer: string
  readonly group: string | null
  readonly choices: readonly string[] | null
}

/**
 * Audits questions with answers of any origin (JSON lines, CSV or Parquet) by the probes and statistics of datasets. Several
 * files are one set; repeats are counted inside and between files.
 *
 * @throws UsageError if there is no column of questions or of answers.
 */
export async function auditFiles(paths: readonly string[], options: FileAuditOptions = {}): Promise<FileAudit> {
  const hash = createHash('sha256')
  const rows: { readonly file: number; readonly row: QuestionRow }[] = []
  for (const [file, path] of paths.entries())
    for await (const batch of questionRows(path)) {
      options.signal?.throwIfAborted()
      for (const row of batch) {
        rows.push({ file, row })
        hash.update(JSON.stringify(row))
      }
      options.onProgress?.(rows.length, rows.length)
    }
  const first = rows[0]
  if (first === undefined) throw new UsageError(`expected rows, ${paths.join(', ')} has none`)
  const names = columnNames(rows.map(({ row }) => row))
  const fields = columnsOf(names, options.fields ?? {})
  const read = rows.map(({ row }, at) => requireQuestion(row, fields, at))
  const base = answerBase(read)
  const entries = withCandidates(read.map((one, at) => entryOf(one, base, rows[at]?.file ?? 0)))
  const task = taskOf(entries)
  const groups = new Map<string, number>()
  const items = entries.map((entry, index): AuditItem => {
    const group = entry.group === null ? index : (groups.get(entry.group) ?? groups.size)
    if (entry.group !== null) groups.set(entry.group, group)
    return {
      index,
      group,
      stratum: null,
      shared: null,
      given: { question: entry.question, choices: entry.choices === null ? null : [...entry.choices] },
      answer: entry.answer,
      features: {},
      request: { kind: 'chat', messages: [{ role: 'user', content: entry.question }] },
    }
  })
  const batches = (async function* () {
    yield items
  })()
  const audit = await auditItems(task, batches, {
    ...options,
    root: hash.digest('hex'),
    groups: groups.size === 0 ? items.length : groups.size,
    style: 'as stored',
    declaredShortcuts: [
      { probe: 'gold-in-prompt', why: 'an answer may be quoted from its text', gain: [0, 1] },
      // Counted below, inside and between files.
      { probe: 'duplicates', why: 'counted by file', gain: [0, 1] },
    ],
    layout: null,
  })
  const checks = [...audit.checks.filter(({ name }) => name !== 'duplicates'), ...repeats(entries, paths)]
  const failed = checks.some(({ status }) => status === 'fail')
  return {
    ...withVerdict({ ...audit, checks, status: failed ? 'fail' : audit.status }),
    fields: Object.fromEntries(Object.entries(fields).map(([field, columns]) => [field, columns.join(', ')])),
    notes: [priorOf(entries), ...audit.notes.filter((note) => !note.startsWith('the declared shortcut'))],
  }
}

/** @throws UsageError where no column is the question, or the answer */
function columnsOf(names: readonly string[], asked: { readonly [field: string]: string }): FieldColumns {
  const found = fieldColumns(names, asked)
  for (const field of ['question', 'answer'] as const)
    if (found[field] === undefined)
      throw new UsageError(
        `no column looks like the ${field}. Name it with --field ${field}=COLUMN. Columns: ${names.join(', ')}`,
      )
  return found
}

/** @throws UsageError where a row has no question, or no answer */
function requireQuestion(row: QuestionRow, fields: FieldColumns, at: number): ReadQuestion {
  const read = readQuestion(row, fields)
  if (read.messages.length > 0 && read.answers.length > 0) return read
  throw new UsageError(`row ${at + 1}: expected a question and an answer, got ${JSON.stringify(row).slice(0, 200)}`)
}

/** Of several answers the first. */
function entryOf({ messages, answers, choices, group }: ReadQuestion, base: AnswerBase, file: number): Entry {
  const [answer = ''] = answers
  const at = choices === null ? null : chosen(choices, answer, base)
  return {
    file,
    question: messages.map(({ content }) => content).join('\n'),
    answer: (at === null ? undefined : choices?.texts[at]) ?? textOf(answer).trim(),
    group,
    choices: choices?.texts ?? null,
  }
}

/** Fraction of answers that are quoted from their question, for the candidates to be the answers that it quotes. */
const MIN_QUOTED = 0.9
const MAX_ANSWERS = 2000

/** Where answers are words of their questions, the choices are the words that answer some question of the set. */
function withCandidates(entries: readonly Entry[]): readonly Entry[] {
  if (entries.some(({ choices }) => choices !== null)) return entries
  const answers = new Set(entries.map(({ answer }) => answer))
  if (answers.size > MAX_ANSWERS || [...answers].some((answer) => words(answer).length !== 1)) return entries
  const candidates = entries.map(({ question }) => [...new Set(words(question))].filter((word) => answers.has(word)))
  const quoted = entries.filter(({ answer }, i) => candidates[i]?.includes(answer)).length
  const lists = new Set(candidates.map((list) => list.toSorted().join('\n')))
  if (quoted < MIN_QUOTED * entries.length || lists.size <= 4) return entries
  return entries.map((entry, i) => {
    const own = candidates[i] as readonly string[]
    return own.length > 1 && own.includes(entry.answer) ? { ...entry, choices: own } : entry
  })
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ').trim()

type Given = { readonly question: string; readonly choices: readonly string[] | null }

/** Rows of a file as a task: questions and answers alone. */
function taskOf(entries: readonly Entry[]): AuditedTask {
  const closed = entries.some(({ choices }) => choices !== null)
  const parser = (text: string): Extraction<Json> => ({
    kind: 'extracted',
    answer: text.trim(),
    rule: 'text',
    span: [0, text.length],
  })
  return {
    features: z.object({}),
    styles: ['as stored'],
    parsers: { strict: parser, lenient: parser },
    grade: ({ answer }, given) => ({ value: plain(given as string) === plain(answer as string) ? 1 : 0 }),
    gold: ({ answer }) => answer as string,
    ...(closed ? { choices: ({ given }) => (given as Given).choices ?? [] } : {}),
    canonical: ({ given }) => plain((given as Given).question),
  }
}

/** Questions asked again: inside files, between files, and with another answer. */
function repeats(entries: readonly Entry[], paths: readonly string[]): Check[] {
  const seen = new Map<string, { readonly file: number; readonly answer: string }>()
  let [inside, between, contradicted] = [0, 0, 0]
  for (const { file, question, answer, choices } of entries) {
    const key = plain(`${question}\n${choices === null ? '' : choices.toSorted().join('\n')}`)
    const before = seen.get(key)
    if (before === undefined) {
      seen.set(key, { file, answer })
      continue
    }
    if (before.file === file) inside++
    else between++
    if (plain(before.answer) !== plain(answer)) contradicted++
  }
  const count = (name: string, failed: number, message: string): Check => ({
    name,
    status: failed === 0 ? 'pass' : 'fail',
    checked: entries.length,
    failed,
    message,
  })
  return [
    count('duplicates', inside, `${inside} questions repeat one of their file`),
    ...(paths.length > 1 ? [count('shared', between, `${between} questions repeat one of another file`)] : []),
    count('contradictions', contradicted, `${contradicted} questions repeat one that has another answer`),
  ]
}

const MAX_SHOWN = 5

function priorOf(entries: readonly Entry[]): string {
  const counts = new Map<string, number>()
  for (const { answer } of entries) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  const ranked = [...counts].sort((a, b) => b[1] - a[1])
  const shown = ranked
    .slice(0, MAX_SHOWN)
    .map(([answer, count]) => `${answer.slice(0, 40)} ${(count / entries.length).toFixed(3)}`)
  return `answer priors: ${shown.join(', ')}${ranked.length > MAX_SHOWN ? ` (${ranked.length} answers in all)` : ''}; whoever always gives the commonest is right that often`
}
