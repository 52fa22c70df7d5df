import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadEnvironment } from '../../src/lab/environment.ts'
import { createRun, executeRun, parseExperiment } from '../../src/runner/index.ts'

/** How often of 1,000 each model of the run is right. */
const SKILLS = [960, 900, 720, 550, 300, 420]

/** Where items come from, and their share of all. */
export interface Source {
  readonly task: string
  readonly preset: string
  readonly share: number
}

export const ONE_TASK: readonly Source[] = [{ task: 'recoglab/comparison', preset: 'symbolic-distance', share: 1 }]

/**
 * Makes a run of about this many calls: real items, planned as any run plans them, and answers of simulated models, written by statements
 * of the database, with tokens, reasoning of 600 characters and verdicts of two parsers.
 *
 * @returns the names of the models, and how many calls there are.
 */
export async function makeRun(
  dir: string,
  calls: number,
  { models = 5, sources = ONE_TASK }: { readonly models?: number; readonly sources?: readonly Source[] } = {},
): Promise<{ readonly names: readonly string[]; readonly rows: number }> {
  const names = SKILLS.slice(0, models).map((skill) => `simulated ${skill}`)
  const all = sources.reduce((sum, { share }) => sum + share, 0)
  const items = sources.map(({ task, preset, share }) => ({
    task,
    preset,
    count: Math.ceil((calls * share) / all / models),
  }))
  const experiment = parseExperiment({
    name: 'View bench',
    items,
    models: names.map((name) => ({ model: 'baseline:random', name })),
  })
  const run = await createRun({ dir, experiment }, await (await loadEnvironment([], process.env, [])).runContext())
  await executeRun(run, { planOnly: true })
  await run[Symbol.asyncDispose]()
  answerAll(join(dir, 'ledger.db'), names)
  return { names, rows: names.length * items.reduce((sum, { count }) => sum + count, 0) }
}

/** A number from 0 to 999 that belongs to a call: multiplied by a prime, of which the last digits say little. */
const DRAW = '(c.id * 48271 % 2147483647 % 1000)'

function answerAll(path: string, names: readonly string[]): void {
  const skill = `CASE c.model ${names.map((name, i) => `WHEN '${name}' THEN ${SKILLS[i]}`).join(' ')} END`
  const right = `${DRAW} < ${skill}`
  const truth = "json_extract(i.answer, '$')"
  const said = `CASE WHEN ${right} THEN ${truth} ELSE 'some other answer' END`
  const verdict = `json_object('kind', 'graded', 'value', ${right}, 'answer', ${said}, 'rule', 'final-line', 'span', json('[8, 11]'))`
  const tokens = `(20 + length(i.given) / 8 + ${DRAW})`
  const usage = `json_object('inputTokens', 200 + length(i.given) / 4, 'outputTokens', ${tokens} + 8, 'reasoningTokens', ${tokens})`
  const db = new DatabaseSync(path)
  db.exec(`
    BEGIN;
    INSERT INTO attempt (call, attempt_no, started, ended, status, http, usage)
      SELECT c.id, 1, 1000 * c.id, 1000 * c.id + ${tokens}, 'ok', 200, ${usage} FROM call c JOIN item i ON i.id = c.item;
    INSERT INTO response (call, attempt, finish, text, reasoning, usage)
      SELECT c.id, 1, 'stop', 'Answer: ' || ${said},
        'Step ' || ${DRAW} || ': ' || replace(hex(zeroblob(75)), '00', 'thinking') || ' therefore ' || ${said}, ${usage}
      FROM call c JOIN item i ON i.id = c.item;
    INSERT INTO score (call, scorer, outcome)
      SELECT c.id, 4, json_object('kind', 'answered', 'finish', 'stop', 'results',
        json_object('strict', json(${verdict}), 'lenient', json(${verdict})))
      FROM call c JOIN item i ON i.id = c.item;
    UPDATE call SET state = 'done';
    UPDATE meta SET value = json_set(value, '$.parsers', json('{"strict": [], "lenient": []}')) WHERE key = 'names';
    UPDATE meta SET value = value + 1 WHERE key = 'revision';
    COMMIT;`)
  db.close()
}
