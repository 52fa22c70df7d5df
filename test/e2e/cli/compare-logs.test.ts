import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-compare-logs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SAMPLES = Array.from({ length: 30 }, (_, id) => id)
const isRight = (model: string, id: number): boolean => (id * (model === 'a' ? 7 : 11)) % 10 < (model === 'a' ? 7 : 4)

function write(name: string, content: object | readonly object[]): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  const lines = Array.isArray(content) ? content : [content]
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

/** A log of each program, of two models with the same answers. */
const LOGS: { readonly [program: string]: () => readonly string[] } = {
  inspect: () =>
    ['a', 'b'].map((model) =>
      write(`inspect/${model}.json`, {
        version: 2,
        status: 'success',
        eval: { task: 'quiz', model: `maker/${model}`, scorers: [{ name: 'match' }] },
        samples: SAMPLES.map((id) => ({
          id,
          epoch: 1,
          input: `Question ${id}?`,
          target: 'x',
          output: { choices: [{ message: { role: 'assistant', content: 'x' }, stop_reason: 'stop' }] },
          scores: { other: { value: 0 }, match: { value: isRight(model, id) ? 'C' : 'I' } },
        })),
      }),
    ),
  'lm-eval': () =>
    ['a', 'b'].map((model) =>
      write(
        `lm-eval/maker__${model}/samples_quiz_2026-01-0${model === 'a' ? 1 : 2}T00-00-00.000000.jsonl`,
        SAMPLES.flatMap((id) =>
          ['strict-match', 'flexible-extract'].map((filter) => ({
            doc_id: id,
            doc: { question: `Question ${id}?` },
            target: 'x',
            arguments: { gen_args_0: { arg_0: `Question ${id}?` } },
            resps: [['x']],
            filtered_resps: ['x'],
            filter,
            metrics: ['exact_match'],
            doc_hash: `hash ${id}`,
            // The first filter counts.
            exact_match: filter === 'strict-match' && isRight(model, id) ? 1 : 0,
          })),
        ),
      ),
    ),
  promptfoo: () => [
    write('promptfoo/results.json', {
      evalId: 'eval-1',
      results: {
        version: 3,
        results: SAMPLES.flatMap((id) =>
          ['a', 'b'].map((model) => ({
            provider: { id: `maker:${model}`, label: '' },
            prompt: { raw: `Question ${id}?`, label: 'plain' },
            promptIdx: 0,
            testIdx: id,
            vars: { question: String(id) },
            response: { output: 'x' },
            success: isRight(model, id),
            // Scores in between: their differences are compared by Student's t.
            score: isRight(model, id) ? 1 : id % 2 === 0 ? 0.25 : 0,
            failureReason: 0,
          })),
        ),
      },
    }),
  ],
  'every-eval-ever': () =>
    ['a', 'b'].map((model) =>
      write(
        `every-eval-ever/${model}_samples.jsonl`,
        SAMPLES.map((id) => ({
          schema_version: '0.3.0',
          evaluation_id: `quiz/${model}`,
          model_id: `maker/${model}`,
          evaluation_name: 'quiz',
          sample_id: String(id),
          interaction_type: 'single_turn',
          input: { raw: `Question ${id}?`, reference: ['x'] },
          output: { raw: ['x'] },
          answer_attribution: [],
          evaluation: { score: Number(isRight(model, id)), is_correct: isRight(model, id) },
        })),
      ),
    ),
}

/** Runs the script on logs, with the package or with another command in its place. */
function compare(paths: readonly string[], command: string) {
  return spawnSync('python3', [join(root, 'scripts/compare-logs.py'), ...paths, '--touchstone', command], {
    encoding: 'utf8',
  })
}

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('python3 is not there: scripts/compare-logs.py is not tested')

describe.skipIf(!hasPython)('scripts/compare-logs.py, whose statistics share nothing with the package', () => {
  it.each(Object.keys(LOGS))(
    'agrees on two logs of %s',
    (program) => {
      const command = `"${process.execPath}" --conditions=touchstone-source "${join(root, 'src/cli/main.ts')}"`
      const { stdout, stderr, status } = compare(LOGS[program]?.() ?? [], command)
      expect(JSON.parse(stdout)).toMatchObject({ items: 30, touchstone: 'equal' })
      expect([stderr, status]).toEqual(['1 pairs, 0 with a difference\n', 0])
    },
    60_000,
  )

  it('tells a figure that differs', () => {
    const document = { overall: { items: 30, difference: { value: 0, low: -1, high: 1, n: 30 }, p: 0.5 } }
    const fake = write('fake.json', document)
    const { stdout, status } = compare(LOGS['inspect']?.() ?? [], `sh -c 'cat "${fake}"'`)
    expect(stdout).toMatch(/"touchstone": \[.*difference 0, here 0\.\d+.*\]/u)
    expect(status).toBe(1)
  })
})
