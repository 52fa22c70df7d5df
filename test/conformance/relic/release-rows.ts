import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../src/core/index.ts'
import { parsers } from '../../../src/tasks/relic/recognize/parsers.ts'

type Row = { [column: string]: Json }

/** The released responses below `folder` as rows of a report, one a result line; joined by (batch, custom id). */
export function* releaseRows(folder: string): Generator<Row> {
  for (const grammar of readdirSync(folder).sort()) {
    const inside = join(folder, grammar)
    const samples = readFileSync(join(inside, 'filtered_samples.csv'), 'utf8').trim().split('\n').slice(1)
    const read = (name: string) => JSON.parse(readFileSync(join(inside, name), 'utf8')) as { [name: string]: number }
    const stats = { ...read('filtered_samples_stats.json'), ...read('grammar_stats.json') }
    for (const file of readdirSync(inside)
      .filter((name) => name.endsWith('_results.jsonl'))
      .sort()) {
      for (const line of readFileSync(join(inside, file), 'utf8').trim().split('\n')) {
        yield responseRow(grammar, samples, stats, line)
      }
    }
  }
}

interface Result {
  readonly custom_id: string
  readonly response: {
    readonly body: {
      readonly model: string
      readonly choices: readonly { readonly message: { readonly content: string }; readonly finish_reason?: string }[]
      readonly usage?: { readonly completion_tokens: number }
    }
  }
}

function responseRow(
  grammar: string,
  samples: readonly string[],
  stats: { [name: string]: number },
  line: string,
): Row {
  const { custom_id, response } = JSON.parse(line) as Result
  const index = Number(custom_id.replace('request-', ''))
  const [sample, ...rest] = (samples[index] as string).split(',') as [string, ...string[]]
  const positive = rest.includes('positive')
  const choice = response.body.choices[0]
  const text = choice?.message.content ?? ''
  const question = { shared: null, given: null } as never
  const read = (name: 'published' | 'strict') => parsers[name](text, question)
  const finish =
    choice?.finish_reason === 'length' ? 'truncated' : choice?.finish_reason === 'stop' ? 'stop' : 'unknown'
  const verdict = (found: ReturnType<typeof read>, suffix: string): Row => {
    const graded = found.kind === 'extracted'
    return {
      [`status${suffix}`]: finish === 'truncated' ? 'truncated' : graded ? 'graded' : 'unparsed',
      [`score${suffix}`]: graded ? Number(found.answer === positive) : null,
      [`prediction${suffix}`]: graded ? String(found.answer) : null,
    }
  }
  return {
    item: `${grammar}/${index}`,
    group: grammar,
    task: 'relic/recognize',
    config: 'released',
    style: 'zero-shot',
    model: response.body.model,
    settings: '{}',
    sample: 0,
    finish_reason: finish,
    target: String(positive),
    output_tokens: response.body.usage?.completion_tokens ?? null,
    feature_length: sample.trim().split(' ').length,
    feature_label: positive,
    feature_terminals: stats['n_terminals'] as number,
    feature_nonterminals: stats['n_nonterminals'] as number,
    feature_lexical: stats['n_lexical_productions'] as number,
    feature_nonlexical: stats['n_nonlexical_productions'] as number,
    feature_coverage: stats['coverage'] as number,
    ...verdict(read('strict'), ''),
    ...verdict(read('published'), '@published'),
  }
}
