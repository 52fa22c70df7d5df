import { z } from 'zod'
import { callback, config, content, count, detail, out, parser, style, text, texts, whole, yes } from './fields.ts'
import { ancestor, group } from './results.ts'

export const importRequest = z.strictObject({
  out: out('Run folder'),
  items: text('DATASET', 'Dataset that the responses answer'),
  model: text('NAME', 'Model, if the file does not name it'),
  group,
  ancestor,
})
/** The run folder of an import, and what its files do not say. */
export type ImportRequest = z.input<typeof importRequest>

export const exportRequest = z.strictObject({
  preset: content.preset,
  config,
  to: z.string().min(1).meta({
    placeholder: 'FORM',
    description:
      'prompts (default), csv or parquet (one row per response of a run), rows, a tool (docs/exchange.md), or a file type of the task',
  }),
  out: out('File or folder to write (default for lines: standard output)'),
  style,
  model: text('NAME', 'Model named in exported requests (default: MODEL)'),
  maxTokens: count(1000, 'Maximum output tokens in exported requests (default: 16384)'),
  detail,
  itemsPerPerson: count(20, 'jsPsych: maximum questions per person (default: all)'),
  jspsychDir: text('DIR', 'Folder with local jsPsych scripts (default: load from the network)'),
  seed: text('TEXT', 'Seed of the items (default: 1)'),
})
/** The format of an export, and where it is written. */
export type ExportRequest = z.input<typeof exportRequest>

export const exportLinesRequest = z.strictObject({ to: z.enum(['prompts', 'rows']), style })
/** Which lines to export: prompts or rows. */
export type ExportLinesRequest = z.input<typeof exportLinesRequest>

const rawSeeds = yes('Use client seeds unchanged; clients can then compute the answers')

export const gradeRequest = z.strictObject({
  /** Secret of the server that made the tokens. */
  secret: z.string().optional(),
  rawSeeds,
  parser,
})
/** How JSON lines of responses are scored. */
export type GradeRequest = z.input<typeof gradeRequest>

export const serveRequest = z.strictObject({
  host: text('HOST', 'Address to listen on (default: 127.0.0.1)'),
  port: whole(0, 8000, 'Port; 0 = any free port (default: 8000)', 65_535),
  open: yes('Let anyone who can reach the address use the server without a key'),
  /** Makes tokens and seeds, at least 16 bytes. Default: random, so that tokens end with the process. */
  secret: z.string().optional(),
  /** Clients send it as `authorization: Bearer`. Default: none needed. */
  apiKey: z.string().optional(),
  tasks: texts('task', 'TASK', 'Only this task; repeatable'),
  splits: texts('split', 'NAME', 'Split to serve; repeatable (default: train)'),
  rawSeeds,
  threads: whole(0, 2, 'Worker threads; 0 = one per core (default: 0)', 1024),
  /** Longest time for a batch of items or scores, ms. */
  timeout: z.number().gt(0).optional(),
  /** Receives internal errors of the server. */
  onError: callback<(error: unknown) => void>(),
})
/** Where a server of items and scores listens, and what it serves. */
export type ServeRequest = z.input<typeof serveRequest>

// ---- Exams

export const examRequest = z.strictObject({
  ...content,
  split: text('NAME', 'Name of the exam split, e.g. exam-2027 (default: exam)'),
  count: z.int().min(1).meta({ placeholder: 'N', description: 'Indices 0..N-1', example: 100 }),
  beacon: text('drand:ROUND:VALUE', 'Public randomness mixed into the seed'),
  secret: text('FILE', 'Reuse a secret (default: a new one)'),
  out: out(),
})
/** The items of an exam, its secret and its beacon. */
export type ExamRequest = z.input<typeof examRequest>

export const revealRequest = z.strictObject({
  secret: text('FILE', 'secret.json (default: beside the commitment)'),
  proof: text('FILE', 'Check one item without the secret'),
  announcement: text('FILE', 'Also check the announcement'),
})
/** The secret of an exam, or a proof to check. */
export type RevealRequest = z.input<typeof revealRequest>
export const proveRequest = revealRequest.pick({ secret: true })
/** The secret of an exam. */
export type ProveRequest = z.input<typeof proveRequest>

export const sealRequest = z.strictObject({
  out: out('File to write (default: seal.json in the run)').optional(),
  signKey: text('FILE', 'Sign with this Ed25519 private key (PEM)'),
})
/** Where a seal is written, and who signs it. */
export type SealRequest = z.input<typeof sealRequest>
