import { z } from 'zod'
import type { AnalysisResult } from '../../core/analysis.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import {
  callback,
  content,
  count,
  detail,
  fraction,
  out,
  seed,
  shard,
  split,
  style,
  text,
  texts,
  threads,
  watched,
  yes,
} from './fields.ts'

export const generateRequest = z.strictObject({
  ...content,
  ...watched,
  split,
  seed,
  count: count(100, 'First N indices, group by group (default: all of a finite preset)'),
  shard,
  out: out(),
  format: z
    .enum(['parquet', 'jsonl'])
    .meta({ placeholder: 'parquet|jsonl', description: 'File format (default: parquet)' })
    .optional(),
  prompts: yes('Also write prompts'),
  solutions: yes('Also write prompts with worked solutions'),
  detail,
  style,
  witnesses: yes('Store no proofs', { negated: true }),
  threads,
})
/** What to generate, how much of it, and where to. */
export type GenerateRequest = z.input<typeof generateRequest>

export const verifyRequest = z.strictObject({
  ...watched,
  hashOnly: yes('Check only the files and the root hash'),
  sample: count(1000, 'Regenerate only N random items'),
  oracles: yes('Also check every answer and proof'),
  audit: yes('Also repeat the audit'),
  threads,
  signer: text('FILE|SHA256:...', 'For a seal: require this signer (SSH public key file, or its fingerprint)'),
})
/** How much of a dataset to regenerate. */
export type VerifyRequest = z.input<typeof verifyRequest>

export const overlapRequest = z.strictObject({
  ...watched,
  other: text('DATASET', 'Only check that no content is shared (up to renaming)', { flag: 'disjoint-from' }),
  write: yes('Do not write overlap.json', { negated: true }),
  /** Default: `overlap.json` in the folder. */
  out: out('File to write (default: overlap.json in the dataset)').optional(),
  /** Folder for sorted runs. Default: that of the system for temporary files. */
})
/** The other dataset of an overlap check, and where the result is written. */
export type OverlapRequest = z.input<typeof overlapRequest>

const auditing = {
  style,
  minEffect: fraction(
    'GAIN',
    0.02,
    'Minimum detectable gain required to pass (default: 0.02); if given, an inconclusive audit exits with 1',
  ),
  alpha: fraction('P', 0.01, 'False-alarm rate (default: 0.01)'),
  ignoreDeclared: yes('Treat declared shortcuts as undeclared (a control that must fail)'),
}
export const auditRequest = z.strictObject({
  ...auditing,
  ...watched,
  /** Receives the locality profile, which is computed only then. */
  onProfile: callback<(profile: AnalysisResult) => void>(),
  /** Columns of questions, answers, groups and choices in a file of other data; what is not named is guessed. */
  fields: z.custom<{ readonly [field: string]: string }>((value) => isObject(value as JsonObject)).optional(),
  /** Further files of other data, which are audited as one set with the first. */
  also: z.array(z.string()).readonly().optional(),
  /** Default: true, except with `ignoreDeclared`. */
  write: yes('Do not write audit.json', { negated: true }),
})
/** How to audit a dataset. */
export type AuditRequest = z.input<typeof auditRequest>

export const auditGridRequest = z.strictObject({
  ...content,
  ...auditing,
  ...watched,
  /** Parameters (`a.b` sets a nested key) with the values to try: every combination is audited. */
  grid: z.custom<{ readonly [parameter: string]: readonly JsonObject[string][] }>(
    (value) => isObject(value as JsonObject) && Object.values(value as object).every(Array.isArray),
    'expected a mapping of parameters to lists of values',
  ),
  count: count(5000, 'With --grid: items per set (default: 5000)'),
  split,
  seed,
})
/** A task and the parameter values to audit it with. */
export type AuditGridRequest = z.input<typeof auditGridRequest>

export const checkTaskRequest = z.strictObject({ ...watched, presets: texts('preset', 'NAME', 'Only these presets') })
/** The presets that contract tests run on. */
export type CheckTaskRequest = z.input<typeof checkTaskRequest>
