import { createHash } from 'node:crypto'
import { allRows, clusterCodes, clusteredShare, memoryFrame } from '../../libraries/statistics/index.ts'
import { settingsAs } from '../../models/index.ts'
import { settingsIn } from '../../store/index.ts'
import { type Evaluation, evaluations, fileName, gradeOf } from './answers.ts'
import { type About, type ExportAnswer, promptOf, type Sink } from './line.ts'

const SCHEMA = '0.3.0'

/** Aggregate and instances of Every Eval Ever, a pair of files an evaluation. What was not judged is left out and counted. */
export async function writeEveryEvalEver(
  pages: AsyncIterable<readonly ExportAnswer[]>,
  sink: Sink,
  about: About,
): Promise<void> {
  for (const evaluation of await evaluations(pages)) {
    const { task, config, style, model } = evaluation
    const folder = ['data', fileName(task), ...makerOf(model).map((part) => fileName(part))].join('/')
    const name = `${folder}/${uuidOf([about.name, task, config, style, model, evaluation.settings])}`
    const judged = evaluation.answers.filter((answer) => gradeOf(answer) !== null)
    if (judged.length === 0) continue
    const evaluationId = `${task}/${model}/${Math.floor(Date.parse(about.created) / 1000)}`
    const rows = judged.map((answer) => `${JSON.stringify(instanceOf(answer, evaluationId))}\n`).join('')
    await sink.append(`${name}_samples.jsonl`, rows)
    const checksum = createHash('sha256').update(rows).digest('hex')
    const detailed = {
      format: 'jsonl',
      file_path: `${name}_samples.jsonl`,
      hash_algorithm: 'sha256',
      checksum,
      total_rows: judged.length,
    }
    const aggregate = {
      ...aggregateOf({ ...evaluation, answers: judged }, evaluationId, about),
      detailed_evaluation_results: detailed,
    }
    await sink.append(`${name}.json`, `${JSON.stringify(aggregate, null, 1)}\n`)
  }
}

/** A model as maker and name. */
function makerOf(model: string): readonly [string, string] {
  const cut = model.search(/[:/]/u)
  return cut < 1 ? ['unknown', model] : [model.slice(0, cut), model.slice(cut + 1)]
}

/** The same name for the same content, in the form of a random UUID. */
function uuidOf(parts: readonly string[]): string {
  const digits = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const blocks = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
  return [...blocks, digits.slice(20, 32)].join('-')
}

const generationOf = (settings: string) => ({
  generation_args: settingsAs('everyEvalEver', settingsIn(settings)),
  additional_details: { settings },
})

function aggregateOf(
  { task, config, style, model, settings, answers }: Evaluation,
  evaluationId: string,
  about: About,
) {
  const values = answers.map((answer) => gradeOf(answer) ?? 0)
  const frame = memoryFrame({ item: answers.map(({ item }) => item), group: answers.map(({ group }) => group) })
  const estimate = clusteredShare(values, clusterCodes(frame, allRows(frame), values))
  const times = answers.flatMap(({ started }) => started ?? [])
  return {
    schema_version: SCHEMA,
    evaluation_id: evaluationId,
    ...(times.length === 0
      ? {}
      : { evaluation_timestamp: String(Math.floor(Math.min(...times.slice(0, 10_000)) / 1000)) }),
    retrieved_timestamp: String(Math.floor(Date.parse(about.created) / 1000)),
    source_metadata: {
      source_type: 'evaluation_run',
      source_organization_name: 'unknown',
      evaluator_relationship: 'third_party',
    },
    eval_library: { name: 'touchstone', version: about.version },
    model_info: {
      name: model,
      id: makerOf(model).join('/'),
      additional_details: { deployment_type: 'unknown', model_availability: 'unknown' },
    },
    evaluation_results: [
      {
        evaluation_result_id: `${evaluationId}/${config}/${style}/strict`,
        evaluation_name: evaluationName(task, config, style),
        source_data: { dataset_name: `${task} ${config}`, source_type: 'other' },
        metric_config: {
          metric_id: 'accuracy',
          metric_name: 'Accuracy',
          metric_unit: 'proportion',
          lower_is_better: false,
          score_type: 'continuous',
          min_score: 0,
          max_score: 1,
        },
        score_details: {
          score: estimate?.value ?? 0,
          uncertainty: {
            num_samples: answers.length,
            ...(estimate === null
              ? {}
              : {
                  confidence_interval: {
                    lower: estimate.low,
                    upper: estimate.high,
                    confidence_level: 0.95,
                    method: estimate.method,
                  },
                }),
          },
        },
        generation_config: generationOf(settings),
      },
    ],
  }
}

const evaluationName = (task: string, config: string, style: string): string => `${task} ${config} ${style}`

function instanceOf(answer: ExportAnswer, evaluationId: string) {
  const { item, task, config, style, model, request, gold, choices, response, outcome, sample } = answer
  const value = gradeOf(answer) ?? 0
  const raw = promptOf(request)
  const reference = gold === null ? [] : [gold]
  const verdict = outcome.kind === 'answered' ? outcome.results['strict'] : undefined
  const { inputTokens, outputTokens, reasoningTokens } = response?.usage ?? {}
  return {
    schema_version: SCHEMA,
    evaluation_id: evaluationId,
    model_id: makerOf(model).join('/'),
    evaluation_name: evaluationName(task, config, style),
    evaluation_result_id: `${evaluationId}/${config}/${style}/strict`,
    sample_id: item,
    sample_hash: createHash('sha256')
      .update(raw + reference.join(''))
      .digest('hex'),
    interaction_type: 'single_turn',
    input: { raw, reference, ...(choices === null ? {} : { choices }) },
    output: {
      raw: [response?.text ?? ''],
      ...(response?.reasoning == null ? {} : { reasoning_trace: [response.reasoning] }),
    },
    answer_attribution: [
      {
        turn_idx: 0,
        source: 'output.raw',
        extracted_value: verdict?.kind === 'graded' ? shown(verdict.answer) : '',
        extraction_method:
          verdict?.kind === 'graded' ? `${verdict.rule} at ${verdict.span.join('-')}` : (verdict?.reason ?? 'none'),
        is_terminal: true,
      },
    ],
    evaluation: { score: value, is_correct: value === 1 },
    ...(inputTokens === undefined || outputTokens === undefined
      ? {}
      : {
          token_usage: {
            input_tokens: inputTokens,
            output_tokens: outputTokens,
            total_tokens: inputTokens + outputTokens,
            ...(reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens }),
          },
        }),
    error: response?.finish === 'truncated' || response?.finish === 'refused' ? response.finish : null,
    metadata: { sample: String(sample), group: answer.group },
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
