import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { runCli } from '../src/cli/app.ts'
import { buildView } from './view/build.ts'

// A tour of one minute: generate and verify a small dataset, run baselines on four families, write reports, open the view.
// Arguments are added to each run, and --count to the dataset: npm run demo -- --count 20
const more = process.argv.slice(2)
const count = more.indexOf('--count')
const fewer = count < 0 ? [] : more.slice(count, count + 2)
if (more.includes('--help') || more.includes('-h')) {
  process.stdout.write(`npm run demo [-- ARGS]

Generates and verifies a small dataset, runs built-in baselines on four families, writes reports and opens the view.
About a minute, no network, no API key. The output stays in a new folder below ${tmpdir()}.

  ARGS   Added to each of the four runs, e.g. --count 20 (see: ./touchstone run --help)
`)
  process.exit()
}

const root = join(import.meta.dirname, '..')
const out = mkdtempSync(join(tmpdir(), 'touchstone-demo-'))

async function touchstone(...args: readonly string[]): Promise<void> {
  process.stdout.write(`\n$ touchstone ${args.join(' ')}\n`)
  await runCli(args, { process })
  if (Number(process.exitCode ?? 0) !== 0) process.exit()
}

const title = (text: string): void => void process.stdout.write(`\n${styleText('bold', text)}\n`)

const grammars = ['relic/recognize', '--preset', 'relic-demo', '--seed', '1'] as const
const dataset = join(out, 'dataset')
title('1. Generate a small dataset: does this grammar generate this string?')
await touchstone('generate', ...grammars, '--out', dataset, ...fewer)
title('2. Regenerate every item, check every answer and proof')
await touchstone('verify', dataset, '--oracles')

interface Question {
  readonly asks: string
  readonly items: readonly string[]
  /** Items; the whole preset without it. `--count` of the command line takes its place. */
  readonly count?: number
  readonly baselines: readonly string[]
  readonly run: string
}

const questions: readonly Question[] = [
  {
    asks: 'Does the grammar generate the string? Positives and negatives look alike',
    items: grammars,
    baselines: ['cyk', 'bigram', 'length', 'random'],
    run: join(out, 'grammars'),
  },
  {
    asks: 'Who is taller, from statements in any order?',
    items: ['recoglab/comparison', '--preset', 'symbolic-distance'],
    count: 300,
    baselines: ['oracle', 'one-hop', 'last-mentioned', 'random'],
    run: join(out, 'comparisons'),
  },
  {
    asks: 'Which cascade of string rewrites explains these examples?',
    items: ['pbebench/induce', '--preset', 'pbebench-lite'],
    count: 40,
    baselines: ['cascade-search-short', 'greedy', 'identity'],
    run: join(out, 'cascades'),
  },
  {
    asks: 'How well does a model learn a probabilistic language from examples?',
    items: ['proficiency/discriminate', '--preset', 'g1'],
    baselines: ['oracle', 'ppm', 'markov:3', 'unigram'],
    run: join(out, 'languages'),
  },
]

title('3. Run built-in baselines on four families (no network, no API key)')
for (const { asks, items, count: some, baselines, run } of questions) {
  process.stdout.write(`\n${asks}\n`)
  await touchstone(
    'run',
    ...items,
    ...(some === undefined || count >= 0 ? [] : ['--count', String(some)]),
    ...baselines.flatMap((name) => ['--model', `baseline:${name}`]),
    '--out',
    run,
    ...more,
  )
}
title('4. Write tables and figures')
for (const { run } of questions) await touchstone('report', run)

await buildView(join(root, 'dist/view/client'))
const report = (run: string, ...path: readonly string[]): string => join(out, run, 'report', ...path)
process.stdout.write(`
Next
  ${report('languages', 'figures', 'proficiency-figure4-loss.svg')}   loss by number of examples, for strings of the language and 1 to 3 edits away
  ${report('grammars', 'index.html')}   a report for the browser
  ${join(dataset, 'README.md')}   the card of the dataset
  ./touchstone view ${out}   every response beside the drawn proof
  ./touchstone list   families, tasks and presets
  ./touchstone run relic/recognize --preset relic-demo --model openai:MODEL --out runs/mine   (OPENAI_API_KEY)
`)

// In a terminal the view opens at once.
if (process.stdout.isTTY) {
  title('5. Open the view (Ctrl-C ends it)')
  await touchstone('view', out)
}
