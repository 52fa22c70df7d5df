import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Outcome, ParserResult } from '../../core/index.ts'
import { explained } from '../../store/index.ts'
import { RUN_FILES } from '../folder/run.ts'

const file = z.strictObject({
  schema: z.literal('touchstone/people/1'),
  /** By call: the share of them who call its response right. */
  truth: z.record(z.string(), z.number().min(0).max(1)),
})

/** The truth of responses by call, 0..1; empty where nobody has labelled any. */
export type PeoplesLabels = ReadonlyMap<number, number>

export function readPeople(dir: string): PeoplesLabels {
  const path = join(dir, RUN_FILES.people)
  if (!existsSync(path)) return new Map()
  const { truth } = file.parse(JSON.parse(readFileSync(path, 'utf8')))
  return new Map(Object.entries(truth).map(([call, value]) => [Number(call), value]))
}

export async function writePeople(dir: string, labels: PeoplesLabels): Promise<void> {
  const document: z.infer<typeof file> = { schema: 'touchstone/people/1', truth: Object.fromEntries(labels) }
  await explained(dir, () => writeFile(join(dir, RUN_FILES.people), `${JSON.stringify(document, null, 1)}\n`))
}

/** An outcome whose scores have the truth beside them, as a subscore; undefined: nobody has labelled it. */
export function withTruth(outcome: Outcome, truth: number | undefined): Outcome {
  if (truth === undefined || outcome.kind !== 'answered') return outcome
  const results = Object.entries(outcome.results).map(([name, result]): [string, ParserResult] => [
    name,
    result.kind === 'graded' ? { ...result, parts: { ...result.parts, truth } } : result,
  ])
  return { ...outcome, results: Object.fromEntries(results) }
}
