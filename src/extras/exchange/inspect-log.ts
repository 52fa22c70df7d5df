import { createHash } from 'node:crypto'
import type { FinishReason, ParserResult } from '../../core/index.ts'
import { mean } from '../../libraries/statistics/index.ts'
import { settingsAs } from '../../models/index.ts'
import { settingsIn } from '../../store/index.ts'
import { type Evaluation, evaluations, fileName, gradeOf } from './answers.ts'
import { type About, type ExportAnswer, keyOf, promptOf, type Sink } from './line.ts'
import { zip } from './zip.ts'

/** Above this many samples the viewer wants an archive. */
const MAX_IN_JSON = 5000

const STOP: { readonly [finish in FinishReason]: string } = {
  stop: 'stop',
  truncated: 'max_tokens',
  refused: 'content_filter',
  unknown: 'unknown',
}

/**
 * Logs of Inspect (schema version 2), one an evaluation: `.json`, or `.eval` where there are many samples. What was not read is N
 * with its reason; what was not judged is an error, so that it stays out of the means.
 */
export async function writeInspectLogs(
  pages: AsyncIterable<readonly ExportAnswer[]>,
  sink: Sink,
  about: About,
): Promise<void> {
  for (const evaluation of await evaluations(pages)) {
    const log = logOf(evaluation, about)
    const stamp = log.eval.created.slice(0, 19).replaceAll(':', '-')
    const id = log.eval.run_id.slice(0, 8)
    const name = `${stamp}_${fileName(evaluation.task, evaluation.config, evaluation.style, evaluation.model)}_${id}`
    if (evaluation.answers.length > MAX_IN_JSON) await sink.whole(`${name}.eval`, await archived(log))
    else await sink.append(`${name}.json`, `${JSON.stringify(log)}\n`)
  }
}

type Log = ReturnType<typeof logOf>

function archived({ samples, ...header }: Log): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const file = (path: string, value: unknown) => ({ path, bytes: encoder.encode(JSON.stringify(value)) })
  const summaries = samples.map(({ id, epoch, input, target, scores }) => ({ id, epoch, input, target, scores }))
  return zip([
    file('_journal/start.json', { version: header.version, eval: header.eval, plan: header.plan }),
    ...samples.map((sample) => file(`samples/${sample.id}_epoch_${sample.epoch}.json`, sample)),
    file('summaries.json', summaries),
    file('header.json', header),
  ])
}

function logOf(evaluation: Evaluation, about: About) {
  const { task, config, style, model, settings, answers } = evaluation
  const samples = answers.map((answer) => sampleOf(answer))
  const values = answers.map(gradeOf)
  const judged = values.filter((value) => value !== null)
  const parsers = [...new Set(samples.flatMap(({ scores }) => Object.keys(scores ?? {})))]
  const created = isoSeconds(answers.find(({ started }) => started !== null)?.started ?? Date.parse(about.created))
  const id = createHash('sha256')
    .update(JSON.stringify([about.name, task, config, style, model, settings]))
    .digest('hex')
  const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
  for (const { response } of answers) {
    usage.input_tokens += response?.usage.inputTokens ?? 0
    usage.output_tokens += response?.usage.outputTokens ?? 0
  }
  usage.total_tokens = usage.input_tokens + usage.output_tokens
  return {
    version: 2,
    status: 'success',
    eval: {
      eval_id: id.slice(0, 22),
      run_id: id.slice(22, 44),
      created,
      task,
      task_id: id.slice(44),
      task_args: { config, style },
      dataset: { name: config, samples: new Set(samples.map((sample) => sample.id)).size, shuffled: false },
      model,
      model_generate_config: settingsAs('inspect', settingsIn(settings)),
      config: { epochs: Math.max(1, ...samples.map(({ epoch }) => epoch)) },
      packages: { touchstone: about.version },
      metadata: { run: about.name, settings: settingsIn(settings) },
      scorers: parsers.map((name) => ({ name })),
    },
    plan: { name: 'plan', steps: [{ solver: 'generate', params: {} }], config: {} },
    results: {
      total_samples: samples.length,
      completed_samples: judged.length,
      scores: parsers.includes('strict')
        ? [
            {
              name: 'strict',
              scorer: 'strict',
              scored_samples: judged.length,
              unscored_samples: samples.length - judged.length,
              metrics: judged.length === 0 ? {} : { accuracy: { name: 'accuracy', value: mean(judged) } },
            },
          ]
        : [],
    },
    stats: { started_at: created, completed_at: created, model_usage: { [model]: usage } },
    samples,
  }
}

/** As Python writes it: seconds, and the zone as numbers. */
const isoSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}+00:00`

function sampleOf(answer: ExportAnswer) {
  const { item, style, group, request, gold, choices, model, sample, response, outcome, features } = answer
  const input =
    request.kind === 'chat' ? request.messages.map(({ role, content }) => ({ role, content })) : promptOf(request)
  const reply = response === null ? null : assistantOf(answer, response.text, response.reasoning)
  const { inputTokens = 0, outputTokens = 0 } = response?.usage ?? {}
  const asked = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const scores = outcome.kind === 'answered' ? scoresOf(outcome.results, outcome.finish) : null
  return {
    id: keyOf(answer),
    epoch: sample + 1,
    input,
    target: gold ?? '',
    ...(choices === null ? {} : { choices }),
    messages: reply === null ? asked : [...asked, reply],
    output: {
      model,
      choices: reply === null ? [] : [{ message: reply, stop_reason: STOP[response?.finish ?? 'unknown'] }],
      usage: { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    },
    ...(scores === null ? {} : { scores }),
    ...(outcome.kind === 'error'
      ? { error: { message: `${outcome.code}: ${outcome.message}`, traceback: '', traceback_ansi: '' } }
      : {}),
    metadata: { item, style, group, ...features, ...(outcome.kind === 'measured' ? { measured: outcome.values } : {}) },
    model_usage: {},
  }
}

function assistantOf({ model }: ExportAnswer, text: string, reasoning: string | null) {
  const content =
    reasoning === null
      ? text
      : [
          { type: 'reasoning', reasoning },
          { type: 'text', text },
        ]
  return { role: 'assistant', content, model, source: 'generate' }
}

const scoresOf = (verdicts: { readonly [parser: string]: ParserResult }, finish: FinishReason) =>
  Object.fromEntries(
    Object.entries(verdicts).map(([parser, verdict]) => {
      if (verdict.kind === 'unparsed')
        return [parser, { value: 'N', explanation: verdict.reason, metadata: { finish } }]
      const { value, answer, rule, span } = verdict
      const shown = finish === 'refused' || finish === 'truncated' ? 'N' : value === 1 ? 'C' : value === 0 ? 'I' : value
      return [
        parser,
        {
          value: shown,
          answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
          explanation: `rule ${rule}, characters ${span[0]} to ${span[1]}`,
          metadata: { finish },
        },
      ]
    }),
  )
