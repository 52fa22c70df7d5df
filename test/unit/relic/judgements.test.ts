import { expect, it } from 'vitest'
import type { FileTree, Imported } from '../../../src/core/index.ts'
import { judgements } from '../../../src/tasks/relic/import/judgements.ts'
import { release } from '../../../src/tasks/relic/import/release.ts'

// Invented, in the documented layout; the released files are not available.
const GRAMMAR = "S -> A B\nA -> 't1'\nB -> 't2'\n"
const FENCE = '```'

const asked = (id: string | number, completion: string, metadata: { readonly [key: string]: unknown } = {}) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model: 'o4-mini',
      messages: [
        {
          role: 'user',
          content: `Classify: 'heuristic', 'rule-based', 'code'.\n\nHere is the LLM's completion:\n${FENCE}\n${completion}\n${FENCE}`,
        },
      ],
      metadata: {
        response_model: 'gpt-4.1-2025-04-14',
        'sample.length': 2,
        'sample.type.ground_truth': 'positive',
        sample: 't1 t2',
        correct: true,
        grammar_file: 'g',
        ...metadata,
      },
    },
  })

const said = (id: string | number, content: string | null) =>
  JSON.stringify({
    custom_id: id,
    response: { body: { model: 'o4-mini-2025-04-16', choices: [{ message: { content }, finish_reason: 'stop' }] } },
  })

const treeOf = (files: { readonly [path: string]: string }): FileTree => ({
  async *list() {
    for (const [path, text] of Object.entries(files)) yield { path, bytes: text.length }
  },
  async *text(path) {
    yield files[path] ?? ''
  },
})

async function read(importer: typeof judgements, files: { readonly [path: string]: string }): Promise<Imported[]> {
  const found: Imported[] = []
  for await (const one of importer.read(treeOf(files))) found.push(one)
  return found
}
const of = <K extends Imported['kind']>(all: readonly Imported[], kind: K) =>
  all.filter((one): one is Extract<Imported, { kind: K }> => one.kind === kind)

it('joins what the judge said with the response, grammar by grammar, though numbers begin anew in each', async () => {
  const found = await read(judgements, {
    'data/g1/g1.cfg': GRAMMAR,
    'data/g1/g1_gpt4.1_classification.jsonl': `${asked(0, `S -> A B\n${FENCE}\nt1 t2\n${FENCE}\nYes`)}\n`,
    'data/g1/g1_gpt4.1_classification-preds.jsonl': `${said(0, 'It is rule-based')}\n`,
    'data/g2/g2.cfg': GRAMMAR.replace('t2', 't3'),
    'data/g2/g2_gpt4.1_classification.jsonl': `${asked(0, 'Long, so Yes', { sample: 't1 t2', 'sample.type.ground_truth': 'negative', correct: 'False' })}\n`,
    'data/g2/g2_gpt4.1_classification-preds.jsonl': `${said('0', 'heuristic')}\n`,
  })
  expect(of(found, 'problem')).toEqual([])
  const items = of(found, 'item')
  expect(items.map(({ given }) => given)).toEqual([
    { string: 't1 t2', response: `S -> A B\n${FENCE}\nt1 t2\n${FENCE}\nYes` },
    { string: 't1 t2', response: 'Long, so Yes' },
  ])
  expect(items.map(({ features }) => [features['respondent'], features['label'], features['right']])).toEqual([
    ['gpt-4.1-2025-04-14', true, true],
    ['gpt-4.1-2025-04-14', false, false],
  ])
  expect(of(found, 'response').map(({ item, text, model }) => [item, text, model])).toEqual([
    [items[0]?.key, 'It is rule-based', 'o4-mini-2025-04-16'],
    [items[1]?.key, 'heuristic', 'o4-mini-2025-04-16'],
  ])
})

it('says what is wrong with a line, and goes on', async () => {
  const path = 'g/g_gpt4.1_classification.jsonl'
  const answers = 'g/g_gpt4.1_classification-preds.jsonl'
  const found = await read(judgements, {
    'g/g.cfg': GRAMMAR,
    [path]: [asked(0, 'Yes'), asked(0, 'Yes'), '{', '[]', asked(1, ''), asked(2, 'No')].join('\n'),
    [answers]: [said(0, 'code'), said(0, 'code'), said(9, 'code'), said(2, null), 'null'].join('\n'),
  })
  expect(of(found, 'problem').map(({ problem, line, path: where }) => [where, line, problem])).toEqual([
    [path, 2, 'repeated-line'],
    [path, 3, 'bad-line'],
    [path, 4, 'bad-line'],
    [path, 5, 'unusable-row'],
    [answers, 2, 'repeated-line'],
    [answers, 3, 'unknown-item'],
    [answers, 4, 'unusable-row'],
    [answers, 5, 'bad-line'],
  ])
  expect(of(found, 'response')).toHaveLength(1)
})

it.each([
  ['no such file', { 'g/g.cfg': GRAMMAR }, 'missing-file'],
  ['no grammar', { 'g/g_gpt4.1_classification.jsonl': asked(0, 'Yes') }, 'missing-file'],
  ['no answers', { 'g/g.cfg': GRAMMAR, 'g/g_gpt4.1_classification.jsonl': asked(0, 'Yes') }, 'missing-file'],
])('%s is said', async (_, files, problem) => {
  expect(of(await read(judgements, files), 'problem').map((one) => one.problem)).toEqual([problem])
})

it('a batch with examples in its prompts is of the style with as many', async () => {
  const request = JSON.stringify({ custom_id: 'request-0', body: { metadata: { n_shots: '8' } } })
  const found = await read(release, {
    'g/g.cfg': GRAMMAR,
    'g/filtered_samples.csv': 'sample,parse_depth,type,length\nt1 t2,2,positive,2\n',
    'g/batch_aa_inputs.jsonl': `${request}\n`,
    'g/batch_aa_results.jsonl': `${said('request-0', 'Yes')}\n`,
  })
  expect(of(found, 'response').map(({ style }) => style)).toEqual(['few-shot-8'])
})
