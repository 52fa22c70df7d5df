import { z } from 'zod'
import { jsonOrNull, schemaErrorMap, schemaErrors, UsageError } from '../../../core/index.ts'
import { csvLines } from '../../../store/index.ts'
import type { ExternalResponse } from '../external-response.ts'

/** The model that people are in tables. */
export const PEOPLE = 'human'

const name = z.string().min(1).max(80)
const trial = z.looseObject({ part: z.string().exactOptional(), participant: name.exactOptional() })
const question = z.looseObject({
  part: z.literal('question'),
  participant: name,
  item: z.string(),
  style: z.string(),
  text: z.string().nullish(),
  // Milliseconds; a number as text in CSV.
  rt: z.union([z.number(), z.string()]).nullish(),
})
const check = z.looseObject({
  part: z.literal('check'),
  participant: name,
  expected: z.string().min(1),
  text: z.string().nullish(),
})

type Question = z.infer<typeof question>
interface Person {
  readonly answers: Question[]
  checks: number
  failed: number
}

/**
 * Data of jsPsych: files of CSV or JSON, each of one participant or of several one after another (JSON: a line each). All people are
 * one model, {@link PEOPLE}; the samples of an item are those who answered it, in the order of the files. Whoever failed an attention check, or
 * was asked none, is excluded and listed, and so is an answer that is empty or comes twice. Reaction times come along as seconds.
 */
export function* jsPsychResponses(files: readonly string[], model: string): Generator<ExternalResponse> {
  const people = new Map<string, Person>()
  for (const { where, row } of files.flatMap((text) => [...rowsOf(text)])) {
    const { part, participant } = readAs(trial, row, where)
    if (part !== 'question' && part !== 'check') continue
    if (participant === undefined)
      throw new UsageError(`${where}: a ${part} without a participant: this file is not from a jspsych export`)
    const person = people.get(participant) ?? { answers: [], checks: 0, failed: 0 }
    people.set(participant, person)
    if (part === 'question') person.answers.push(readAs(question, row, where))
    else {
      const { expected, text: chosen } = readAs(check, row, where)
      person.checks++
      if (chosen !== expected) person.failed++
    }
  }
  const answered = new Map<string, number>()
  for (const [who, { answers, checks, failed }] of people) {
    const out = excluded(who, checks, failed)
    const seen = new Set<string>()
    for (const { item, style, text, rt } of answers) {
      const key = JSON.stringify([item, style])
      const missing = out ?? (seen.has(key) ? `${who} answered a question twice: the first answer is kept` : undefined)
      seen.add(key)
      if (missing !== undefined) yield { item, style, missing }
      else if (text == null || text.trim() === '') yield { item, style, missing: 'an empty answer' }
      else {
        const sample = answered.get(key) ?? 0
        answered.set(key, sample + 1)
        yield { item, style, model, sample, text, ...timed(rt) }
      }
    }
  }
}

/** @throws UsageError with the place of the trial. */
function readAs<Schema extends z.ZodType>(schema: Schema, row: unknown, where: string): z.infer<Schema> {
  const read = schema.safeParse(row, { error: schemaErrorMap })
  if (read.success) return read.data
  throw new UsageError(`${where} is not a trial of a jspsych export: ${schemaErrors(read.error, schema).join('; ')}`)
}

/** A reaction time in seconds, where there is one that a day holds. */
function timed(rt: Question['rt']): Pick<ExternalResponse, 'seconds'> {
  const seconds = rt == null || rt === '' ? Number.NaN : Number(rt) / 1000
  return seconds >= 0 && seconds <= 86_400 ? { seconds } : {}
}

function excluded(who: string, checks: number, failed: number): string | undefined {
  if (checks === 0) return `${who} is excluded: no attention check was answered`
  return failed === 0 ? undefined : `${who} is excluded: failed ${failed} of ${checks} attention checks`
}

interface Placed {
  /** Its place in its file, for messages. */
  readonly where: string
  readonly row: unknown
}

/** Trials of CSV, of a JSON array, or of a JSON array a line. */
function* rowsOf(text: string): Generator<Placed> {
  const trimmed = text.replace(/^\ufeff/u, '').trimStart()
  if (!trimmed.startsWith('[') && !trimmed.startsWith('{')) {
    for (const { line, row } of csvLines(text))
      yield { where: `line ${line}`, row: Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')) }
    return
  }
  const whole = jsonOrNull(trimmed)
  let count = 0
  for (const [i, part] of (whole === null ? text.split('\n') : [whole]).entries()) {
    if (typeof part === 'string' && part.trim() === '') continue
    const trials = typeof part === 'string' ? jsonOrNull(part.replace(/^\ufeff/u, '')) : part
    if (trials === null)
      throw new UsageError(`line ${i + 1}: expected trials of jsPsych: CSV, a JSON array, or one JSON array per line`)
    // Servers keep the array of each participant in an array of theirs.
    for (const row of [trials].flat(2)) yield { where: `trial ${++count}`, row }
  }
}
