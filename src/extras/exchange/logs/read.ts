import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { z } from 'zod'
import {
  isObject,
  type Json,
  type JsonObject,
  jsonOrNull,
  type Message,
  schemaErrorMap,
  sortedJson,
  UsageError,
  withoutNaN,
} from '../../../core/index.ts'
import { decoded, explained, readJsonl } from '../../../store/index.ts'
import { inspectRecords } from '../read-inspect.ts'
import { firstText, lmEvalSample, promptfooResults, promptfooSchema } from '../read-others.ts'
import { byOneScorer, type LogRecord, scoreOf } from './record.ts'

/** Programs whose logs of any task are read. */
export const LOG_TOOLS = ['inspect', 'lm-eval', 'promptfoo', 'every-eval-ever'] as const
export type LogTool = (typeof LOG_TOOLS)[number]

/** The program that wrote a log, by its content; null: none of these. */
export async function logTool(path: string): Promise<LogTool | null> {
  const ending = extname(path).toLowerCase()
  if (ending === '.eval') return 'inspect'
  if (ending !== '.json' && ending !== '.jsonl') return null
  const text = decoded(await explained(path, () => readFile(path)))
  const first = ending === '.jsonl' ? (text.split('\n', 1)[0] ?? '') : text
  const value = parsed(withoutNaN(first))
  if (value === null) return null
  if (isObject(value['eval'] ?? null)) return 'inspect'
  if ('doc_id' in value) return 'lm-eval'
  if ('evaluation_id' in value) return 'every-eval-ever'
  return 'results' in value || 'testCase' in value || 'promptIdx' in value ? 'promptfoo' : null
}

function parsed(text: string): JsonObject | null {
  const value = jsonOrNull(text)
  return isObject(value) ? value : null
}

/**
 * The samples of a log.
 *
 * @param model - its model, where the log does not say it.
 * @throws UsageError for a file that this program did not write
 */
export async function readLog(tool: LogTool, path: string, model: string | undefined): Promise<readonly LogRecord[]> {
  try {
    const tasks = Map.groupBy(await recordsOf(tool, path, model), ({ task }) => task)
    return [...tasks.values()].flatMap(byOneScorer)
  } catch (error) {
    if (error instanceof z.ZodError) throw new UsageError(`${path} is not a log of ${tool}: ${z.prettifyError(error)}`)
    throw error
  }
}

async function recordsOf(tool: LogTool, path: string, model: string | undefined): Promise<readonly LogRecord[]> {
  switch (tool) {
    case 'inspect':
      return inspectRecords(await explained(path, () => readFile(path)))
    case 'lm-eval':
      return lmEvalRecords(path, model ?? (await lmEvalModel(path)))
    case 'promptfoo':
      return promptfooRecords(path)
    case 'every-eval-ever':
      return evalEverRecords(path)
  }
}

const asked = (content: string): readonly Message[] => [{ role: 'user', content }]
const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)

async function rowsOf(path: string): Promise<readonly Json[]> {
  const rows: Json[] = []
  for await (const batch of readJsonl(path)) rows.push(...batch)
  return rows
}

// ---- lm-evaluation-harness

/** `samples_TASK_DATE.jsonl`: a line for each sample and filter; the first filter and metric count. */
async function lmEvalRecords(path: string, model: string): Promise<readonly LogRecord[]> {
  const task = /^samples_(?<task>.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.-]+)?\.jsonl$/u.exec(basename(path))?.groups?.['task']
  const found = new Map<string, LogRecord>()
  for (const row of await rowsOf(path)) {
    const read = lmEvalSample.parse(row, { error: schemaErrorMap })
    const { doc, filter = 'none', metrics, doc_hash: hash } = read
    // Until November 2024 no list named the metrics.
    const isScore = (name: string): boolean => name !== 'doc_id' && ['number', 'boolean'].includes(typeof read[name])
    const scores = (metrics ?? Object.keys(read).filter(isScore)).map(
      (metric) => [`${metric}${filter === 'none' ? '' : `, ${filter}`}`, scoreOf(read[metric])] as const,
    )
    const id = String(read.doc_id)
    const before = found.get(id)
    if (before !== undefined) {
      found.set(id, { ...before, scores: [...before.scores, ...scores] })
      continue
    }
    found.set(id, {
      task: task ?? 'lm-eval',
      id,
      // Prompts differ by the number of examples.
      content: hash ?? sortedJson(doc as Json),
      question: asked(firstText(read.arguments) ?? sortedJson(doc as Json)),
      choices: null,
      targets: [shown(read.target)],
      facts: doc as LogRecord['facts'],
      model,
      style: 'as-logged',
      sample: 0,
      settings: {},
      text: shown(firstIn(read.resps)),
      reasoning: null,
      finish: 'unknown',
      usage: {},
      scores,
      answer: shown(firstIn(read.filtered_resps ?? [])).slice(0, 200),
      error: null,
    })
  }
  return [...found.values()]
}

const firstIn = (value: unknown): unknown => (Array.isArray(value) && value.length > 0 ? firstIn(value[0]) : value)

/** The model that a `results_*.json` beside the samples names, else the folder. */
async function lmEvalModel(path: string): Promise<string> {
  const folder = dirname(path)
  const date = /\d{4}-\d{2}-\d{2}T[\d.-]+(?=\.jsonl$)/u.exec(path)?.[0] ?? ''
  const beside = (await readdir(folder)).find(
    (name) => name.startsWith('results') && name.includes(date) && name.endsWith('.json'),
  )
  const about = beside === undefined ? null : parsed(await readFile(join(folder, beside), 'utf8'))
  const named = about?.['model_name'] ?? about?.['model_source'] ?? null
  return typeof named === 'string' ? named : basename(folder).replace('__', '/')
}

// ---- promptfoo

/** promptfoo says ERROR by this number where no response came. */
const NO_RESPONSE = 2

/** The table of `results.json`, or a result a line. A sample is its variables; a prompt template is a style. */
async function promptfooRecords(path: string): Promise<readonly LogRecord[]> {
  const rows =
    extname(path) === '.jsonl' ? await rowsOf(path) : promptfooResults(JSON.parse(decoded(await readFile(path))))
  return rows.map((row): LogRecord => {
    const read = promptfooSchema.parse(row, { error: schemaErrorMap })
    const { provider, prompt, vars, testCase, response, score, success, error, namedScores } = read
    const values = vars ?? testCase?.vars ?? {}
    const output = response?.output
    const raw = typeof prompt === 'string' ? prompt : prompt?.raw
    const { prompt: inputTokens, completion: outputTokens } = response?.tokenUsage ?? {}
    const failed = output == null || read.failureReason === NO_RESPONSE
    return {
      task: 'promptfoo',
      id: testCase?.description?.slice(0, 60) ?? 'test',
      content: sortedJson(values as Json),
      question: asked(raw ?? sortedJson(values as Json)),
      choices: null,
      targets: [],
      facts: { ...values, ...testCase?.metadata },
      model: typeof provider === 'string' ? provider : provider?.label || provider?.id || 'imported',
      style: (typeof prompt === 'object' ? prompt?.label : null)?.slice(0, 60) ?? `prompt ${read.promptIdx ?? 0}`,
      sample: null,
      settings: {},
      text: shown(output),
      reasoning: null,
      finish: 'unknown',
      usage: { ...(inputTokens == null ? {} : { inputTokens }), ...(outputTokens == null ? {} : { outputTokens }) },
      scores: [
        ['score', scoreOf(score ?? success)],
        ...Object.entries(namedScores ?? {}).map(([name, value]) => [name, scoreOf(value)] as const),
      ],
      answer: null,
      error: failed ? (error ?? 'no output') : null,
    }
  })
}

// ---- Every Eval Ever

const texts = z.union([z.string(), z.array(z.string())]).nullish()
const instance = z.looseObject({
  evaluation_name: z.string(),
  model_id: z.string(),
  // Files of version 0.2 have numbers.
  sample_id: z.union([z.string(), z.number()]).transform(String),
  sample_hash: z.string().nullish(),
  input: z.looseObject({ raw: texts, reference: texts, choices: z.array(z.string()).nullish() }),
  output: z.looseObject({ raw: texts, reasoning_trace: texts }).nullish(),
  answer_attribution: z.array(z.looseObject({ extracted_value: z.string().nullish() })).nullish(),
  evaluation: z.looseObject({ score: z.unknown(), is_correct: z.boolean().nullish() }),
  token_usage: z
    .looseObject({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      reasoning_tokens: z.number().nullish(),
    })
    .nullish(),
  error: z.string().nullish(),
  metadata: z.record(z.string(), z.json()).nullish(),
})

/** Lines about instances; of a document about a whole evaluation, those of the file that it names. */
async function evalEverRecords(path: string): Promise<readonly LogRecord[]> {
  if (extname(path) === '.json') {
    const about = parsed(await readFile(path, 'utf8'))
    const detailed = about?.['detailed_evaluation_results'] ?? null
    const named = isObject(detailed) ? detailed['file_path'] : undefined
    const beside =
      typeof named === 'string' ? join(dirname(path), basename(named)) : path.replace(/\.json$/u, '_samples.jsonl')
    if (!existsSync(beside)) throw new UsageError(`${path} holds no samples. Name its *_samples.jsonl`)
    return evalEverRecords(beside)
  }
  return (await rowsOf(path)).map((row): LogRecord => {
    const read = instance.parse(row, { error: schemaErrorMap })
    const { input, output, evaluation, token_usage: usage, metadata } = read
    const sample = Number(metadata?.['sample'])
    const { input_tokens: inputTokens, output_tokens: outputTokens, reasoning_tokens: reasoningTokens } = usage ?? {}
    const reasoning = lines(output?.reasoning_trace)
    return {
      task: read.evaluation_name,
      id: read.sample_id,
      content: read.sample_hash ?? lines(input.raw),
      question: asked(lines(input.raw)),
      choices: input.choices ?? null,
      targets: [input.reference ?? []].flat(),
      facts: metadata ?? {},
      model: read.model_id,
      style: 'as-logged',
      sample: Number.isInteger(sample) && sample >= 0 ? sample : null,
      settings: {},
      text: lines(output?.raw),
      reasoning: reasoning === '' ? null : reasoning,
      finish: read.error === 'truncated' || read.error === 'refused' ? read.error : 'unknown',
      usage: {
        ...(inputTokens == null ? {} : { inputTokens }),
        ...(outputTokens == null ? {} : { outputTokens }),
        ...(reasoningTokens == null ? {} : { reasoningTokens }),
      },
      scores: [['score', scoreOf(evaluation.score ?? evaluation.is_correct)]],
      answer: read.answer_attribution?.at(-1)?.extracted_value ?? null,
      error: output == null && read.error != null ? read.error : null,
    }
  })
}

const lines = (value: string | readonly string[] | null | undefined): string => [value ?? []].flat().join('\n')
