import {
  type ExportedFile,
  type RunContent,
  type RunExporter,
  type RunResponse,
  rounded,
  sha256Hex,
  UsageError,
} from '../../../core/index.ts'
import { grammarStatistics } from '../../../libraries/grammars/grammar/statistics.ts'
import { parseRelicGrammar } from '../../../libraries/grammars/notation/relic.ts'
import { mean, median } from '../../../libraries/statistics/index.ts'
import { compressed } from '../import/compression.ts'

/** Strings that are full coverage in the release: ten a length and class, up to 50 tokens. */
const POSSIBLE = 1000

interface Row {
  readonly item: string
  readonly string: string
  readonly positive: boolean
  readonly length: number
  readonly depth: number | null
}

interface Folder {
  readonly name: string
  readonly grammar: string
  readonly rows: Row[]
}

/**
 * A run in the layout of the release (docs/families/relic.md): a folder a grammar with its rules, labelled strings and statistics, and a
 * file of requests and one of results for each model and style. `import relic` reads it back into the same numbers.
 */
export const releaseLayout: RunExporter = {
  describe: 'grammars, strings and responses in the layout of the published release',
  async *files(content) {
    const folders = await foldersOf(content)
    for (const folder of folders.values()) yield* aboutGrammar(folder)
    const places = new Map(
      [...folders.values()].flatMap((folder) => folder.rows.map((row, at) => [row.item, { folder, row, at }] as const)),
    )
    const asked = new Set<string>()
    for await (const response of content.responses()) {
      const place = places.get(response.item)
      if (place === undefined) continue
      const { folder, row, at } = place
      const shots = shotsOf(response.style)
      const key = JSON.stringify([response.item, response.model, shots])
      if (asked.has(key))
        throw new UsageError(
          `the release has one response per model and string, but ${response.model} has several (samples or settings). Export a run with one`,
        )
      asked.add(key)
      const batch = sha256Hex(
        `touchstone/relic-batch/1\n${JSON.stringify([folder.name, response.model, shots])}`,
      ).slice(0, 32)
      const file = `data/grammars/${folder.name}/batch_${batch}`
      yield { path: `${file}_inputs.jsonl`, text: line(requestOf(folder, row, at, response, shots)) }
      if (response.text !== null)
        yield { path: `${file}_results.jsonl`, text: line(resultOf(at, response, response.text)) }
    }
  },
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

async function foldersOf(content: RunContent): Promise<ReadonlyMap<string, Folder>> {
  const folders = new Map<string, Folder>()
  for await (const { id, group, shared, given, answer, features } of content.items()) {
    const folder = folders.get(group) ?? {
      name: nameOf(group),
      grammar: (shared as { readonly grammar: string }).grammar,
      rows: [],
    }
    folders.set(group, folder)
    const { string } = given as { readonly string: string }
    const { depth } = features
    folder.rows.push({
      item: id,
      string,
      positive: answer === true,
      length: string.split(' ').length,
      // The height of a tree counts the token's own level, the released depth does not.
      depth: typeof depth === 'number' ? depth - 1 : null,
    })
  }
  // The order of the release; strings of one length and class keep theirs.
  for (const { rows } of folders.values())
    rows.sort((a, b) => a.length - b.length || Number(b.positive) - Number(a.positive))
  return folders
}

/** Imported grammars keep their names, drawn ones are named by their group. */
function nameOf(group: string): string {
  const last = group.split('/').at(-1) ?? ''
  return last.startsWith('grammar_') ? last : `grammar_${group.replaceAll(/\W+/gu, '_')}`
}

async function* aboutGrammar({ name, grammar, rows }: Folder): AsyncGenerator<ExportedFile> {
  const folder = `data/grammars/${name}`
  yield { path: `${folder}/${name}.cfg`, text: grammar }
  const samples = rows.map(
    ({ string, depth, positive, length }) =>
      `${string},${depth === null ? '' : depth.toFixed(1)},${positive ? 'positive' : 'negative'},${length}`,
  )
  yield {
    path: `${folder}/filtered_samples.csv`,
    text: `${['sample,parse_depth,type,length', ...samples].join('\n')}\n`,
  }
  const { terminals, nonterminals, lexical, nonlexical } = grammarStatistics(parseRelicGrammar(grammar))
  const sizes = {
    n_terminals: terminals,
    n_nonterminals: nonterminals,
    n_lexical_productions: lexical,
    n_nonlexical_productions: nonlexical,
    grammar_name: name,
  }
  yield { path: `${folder}/grammar_stats.json`, text: JSON.stringify(sizes, null, 4) }
  const positives = rows.filter(({ positive }) => positive)
  const compression = await compressed(positives.map(({ string }) => string))
  // Without positives no sizes can be given.
  if (compression === null) return
  const depths = positives.flatMap(({ depth }) => depth ?? []).sort((a, b) => a - b)
  const strings = {
    uncompressed_size: compression.plain,
    compressed_size: compression.gzipped,
    compression_ratio: compression.ratio,
    mean_positive_depth: depths.length === 0 ? null : rounded(mean(depths)),
    median_positive_depth: median(depths),
    coverage: rows.length / POSSIBLE,
    total_samples: rows.length,
    total_possible_samples: POSSIBLE,
  }
  yield { path: `${folder}/filtered_samples_stats.json`, text: JSON.stringify(strings, null, 4) }
}

/** @throws UsageError for a style that the release has no file names for. */
function shotsOf(style: string): number {
  if (style === 'zero-shot') return 0
  const shots = /^few-shot-(\d+)$/u.exec(style)?.[1]
  if (shots === undefined)
    throw new UsageError(
      `the layout of the release has no place for the style ${style}, only for zero-shot and few-shot styles`,
    )
  return Number(shots)
}

const requestOf = (folder: Folder, row: Row, at: number, response: RunResponse, shots: number) => ({
  custom_id: `request-${at}`,
  method: 'POST',
  url: '/v1/chat/completions',
  body: {
    model: response.model,
    messages: response.messages,
    metadata: {
      sample_type: row.positive ? 'positive' : 'negative',
      sample: row.string,
      grammar_file: folder.name,
      model: response.model,
      n_shots: String(shots),
    },
    store: true,
  },
})

const REASONS: { readonly [finish: string]: string } = { stop: 'stop', truncated: 'length', refused: 'content_filter' }

function resultOf(at: number, { model, finish, usage }: RunResponse, content: string) {
  const { inputTokens, outputTokens, reasoningTokens } = usage
  return {
    custom_id: `request-${at}`,
    response: {
      body: {
        model,
        choices: [
          { index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: REASONS[finish] ?? null },
        ],
        usage: {
          ...(inputTokens === undefined ? {} : { prompt_tokens: inputTokens }),
          ...(outputTokens === undefined ? {} : { completion_tokens: outputTokens }),
          ...(inputTokens === undefined || outputTokens === undefined
            ? {}
            : { total_tokens: inputTokens + outputTokens }),
          ...(reasoningTokens === undefined
            ? {}
            : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
        },
      },
    },
    error: null,
  }
}
