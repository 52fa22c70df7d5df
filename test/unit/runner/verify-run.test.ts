import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { parseSeal, sealOf, verifyRun, verifySeal } from '../../../src/extras/seals/index.ts'
import { type Provider, plainAnswer } from '../../../src/models/index.ts'
import { LOCAL } from '../../../src/models/model.ts'
import { createRun, executeRun, openRun, parseExperiment, readExperiment, withRun } from '../../../src/runner/index.ts'
import { mockContext } from '../../mock/context.ts'
import { parity, rightAnswer } from '../../mock/parity.ts'
import { startMock } from '../../mock/server.ts'

const root = await mkdtemp(join(tmpdir(), 'touchstone-verify-run-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const good = join(root, 'good')
/** Of two models each: 60 cells, which every forgery below has verified. */
const ITEMS = 30

beforeAll(async () => {
  const experiment = readExperiment(
    `items: { task: mock/parity, preset: small, count: ${ITEMS} }\nmodels: ["baseline:exact", "baseline:random"]`,
  )
  await withRun(await createRun({ experiment, dir: good }, mockContext()), async (run) => {
    await executeRun(run)
  })
})

const check = async (dir: string) =>
  withRun(await openRun(dir, mockContext(), { mode: 'read' }), async (run) => verifyRun(run))
const found = async (dir: string): Promise<readonly string[]> => {
  try {
    return (await check(dir)).problems.map(({ message }) => message)
  } catch (error) {
    return [(error as Error).message]
  }
}

it('finds nothing wrong with an answer that ends in half of a character', async () => {
  const echo = {
    ...parity,
    parsers: {
      strict: (text: string) => ({ kind: 'extracted', answer: text, rule: 'whole', span: [0, text.length] }),
    },
    grade: () => ({ value: 0, parts: {} }),
  } as unknown as Task
  const halves: Provider = {
    name: 'halves',
    argument: 'X',
    summary: '',
    open: (rest) =>
      Promise.resolve({
        name: `halves:${rest}`,
        kind: 'chat',
        route: 'halves',
        concurrency: LOCAL,
        reusesContext: false,
        call: () => Promise.resolve(plainAnswer('Yes \ud83d')),
      }),
  }
  const experiment = readExperiment('items: { task: mock/parity, preset: small, count: 4 }\nmodels: ["halves:x"]')
  const context = mockContext({ tasks: [echo], providers: [halves] })
  const dir = join(root, 'halves')
  await withRun(await createRun({ experiment, dir }, context), async (run) => {
    await executeRun(run)
  })
  const { problems } = await withRun(await openRun(dir, context, { mode: 'read' }), async (run) => verifyRun(run))
  expect(problems).toEqual([])
})

type Forgery = (dir: string) => void | Promise<void>
const sql =
  (...statements: readonly string[]): Forgery =>
  (dir) => {
    const db = new DatabaseSync(join(dir, 'ledger.db'))
    for (const statement of statements) db.exec(statement)
    db.close()
  }
const runFile =
  (change: (text: string) => string): Forgery =>
  async (dir) => {
    const path = join(dir, 'run.json')
    const before = await readFile(path, 'utf8')
    const after = change(before)
    expect(after).not.toBe(before)
    await writeFile(path, after)
  }
const wrong = `(SELECT call FROM score WHERE json_extract(outcome, '$.results.strict.value') = 0 LIMIT 1)`

const forgeries: readonly (readonly [what: string, forge: Forgery, told: RegExp])[] = [
  [
    'a response turned right',
    sql(
      `UPDATE response SET text = (SELECT text FROM response r WHERE r.call NOT IN (SELECT call FROM score WHERE json_extract(outcome, '$.results.strict.value') = 0) AND r.text <> response.text LIMIT 1) WHERE call = ${wrong}`,
    ),
    /its response rescored differs from the score/u,
  ],
  ['a response cut', sql("UPDATE response SET text = '' WHERE call = 1"), /call 1 .* differs from the score/u],
  [
    'how a response ended',
    sql("UPDATE response SET finish = 'length' WHERE call = 1"),
    /call 1 .* differs from the score/u,
  ],
  [
    'a score',
    sql(`UPDATE score SET outcome = json_set(outcome, '$.results.strict.value', 1) WHERE call = ${wrong}`),
    /differs from the score in the ledger/u,
  ],
  [
    'a score by a scorer to come',
    sql("INSERT INTO score SELECT call, 99, json_set(outcome, '$.results.strict.value', 1) FROM score"),
    /scored by version 99/u,
  ],
  ['a score dropped', sql('DELETE FROM score WHERE call = 3'), /has no score .*: 3/u],
  ['a score of no response', sql("INSERT INTO score VALUES (9999, 1, '{}')"), /score is of no response: 9999/u],
  [
    'a wrong response dropped',
    sql(`DELETE FROM response WHERE call = ${wrong}`),
    /is older than the run: it has 59 responses/u,
  ],
  [
    'a wrong cell made a failure',
    sql(`UPDATE call SET state = 'failed' WHERE id = ${wrong}`),
    /has a response and is not done|failed without a failure/u,
  ],
  [
    'a wrong cell dropped whole',
    sql(
      `CREATE TEMP TABLE w AS SELECT ${wrong} AS id`,
      'DELETE FROM response WHERE call IN (SELECT id FROM w)',
      'DELETE FROM score WHERE call IN (SELECT id FROM w)',
      'DELETE FROM attempt WHERE call IN (SELECT id FROM w)',
      'DELETE FROM call WHERE id IN (SELECT id FROM w)',
    ),
    /is older than the run: it has 59 responses/u,
  ],
  [
    'a cell more',
    sql(
      "INSERT INTO call SELECT 9999, item, style, model, settings, 7, 'waiting', priority, NULL, NULL FROM (SELECT * FROM call LIMIT 1)",
      "UPDATE call SET state = 'waiting', owner = NULL WHERE id = 9999",
    ),
    /calls, the experiment asks for/u,
  ],
  [
    'a question',
    sql('UPDATE item SET given = \'{"bits":"1"}\' WHERE position = 0'),
    /given differs from the regenerated item/u,
  ],
  [
    'an answer',
    sql(
      "UPDATE item SET answer = CASE answer WHEN 'true' THEN 'false' WHEN '\"even\"' THEN '\"odd\"' ELSE '\"even\"' END WHERE position = 1",
    ),
    /answer differs from the regenerated item/u,
  ],
  ['a feature', sql("UPDATE item SET features = '{}' WHERE position = 1"), /features differs from the regenerated/u],
  [
    'the task version of an item',
    sql('UPDATE item SET version = 9 WHERE position = 1'),
    /version differs from the regenerated/u,
  ],
  ['an item dropped', sql('DELETE FROM item WHERE position = 5'), /is not in the ledger/u],
  [
    'an item more',
    sql(
      "INSERT INTO item SELECT 9999, 'x', source, item_index, stratum, task, version, config, draw, item_group, given, answer, features, item_hash FROM item WHERE position = 0",
    ),
    /items, the experiment makes/u,
  ],
  [
    'a cell of no item',
    sql(
      "INSERT INTO call (id, item, style, model, settings, sample, priority, state) VALUES (9999, 'nothing', 'plain', 'm', '{}', 0, 1, 'waiting')",
    ),
    /asks an item that is not in the run: nothing/u,
  ],
  [
    'a trigger',
    sql("CREATE TRIGGER t AFTER INSERT ON score BEGIN UPDATE score SET outcome = '{}'; END"),
    /has another t \(table, index, trigger or view\)/u,
  ],
  [
    'another seed in run.json',
    runFile((text) => text.replace(/"seed": "[^"]*",\n(\s*)"count"/u, '"seed": "other",\n$1"count"')),
    /is not in the ledger/u,
  ],
  [
    'fewer items in run.json',
    runFile((text) => text.replace(/"count": \d+/u, '"count": 10')),
    /items, the experiment makes 10/u,
  ],
  [
    'another model in run.json',
    runFile((text) => text.replaceAll('baseline:random', 'baseline:even')),
    /is not asked of baseline:even/u,
  ],
  [
    'another version in run.json',
    runFile((text) => text.replace(/"version": \d+,\n(\s*)"promptVersion"/u, '"version": 77,\n$1"promptVersion"')),
    /made with version 77/u,
  ],
  [
    'a provider body',
    sql("UPDATE response SET raw = 'another' WHERE call = 4"),
    /chain of responses is broken: the response of call 4 is not what was recorded/u,
  ],
  [
    'usage',
    sql('UPDATE response SET usage = \'{"outputTokens":1}\' WHERE call = 4'),
    /response of call 4 is not what/u,
  ],
  [
    'what a response cost',
    sql('UPDATE attempt SET usd = 0.5 WHERE call = 4'),
    /booked at another price than its response says: 4/u,
  ],
  [
    'a response made a failure',
    sql("UPDATE attempt SET status = 'failed', code = 'x', error_source = 'provider' WHERE call = 4"),
    /of an attempt that brought none: 4/u,
  ],
  [
    'usage that is no JSON',
    sql("UPDATE response SET usage = 'none' WHERE call = 4"),
    /usage of a call is not what this program writes: none/u,
  ],
  [
    'two cells that change places',
    sql(
      'UPDATE response SET call = -1 WHERE call = 1',
      'UPDATE response SET call = 1 WHERE call = 2',
      'UPDATE response SET call = 2 WHERE call = -1',
    ),
    /chain of responses is broken/u,
  ],
  [
    'links taken off',
    sql('UPDATE response SET seq = NULL WHERE seq < 5'),
    /a response is not in the chain of responses/u,
  ],
  [
    'words of a prompt',
    sql("UPDATE meta SET value = '0000' WHERE key = 'prompts'"),
    /prompts, put into words again, are not those/u,
  ],
  ['a file more', (dir) => writeFile(join(dir, 'answers.csv'), 'x'), /answers\.csv is not part of a run/u],
  [
    'a link in place of a file',
    async (dir) => {
      await rename(join(dir, 'run.json'), `${dir}-run`)
      await symlink(`${dir}-run`, join(dir, 'run.json'))
    },
    /run\.json is a link/u,
  ],
]

describe('verify of a run', () => {
  it('finds nothing in a good one, and says what it cannot know', async () => {
    const result = await check(good)
    expect(result).toMatchObject({ mismatches: 0, problems: [], calls: 2 * ITEMS, responses: 2 * ITEMS })
    expect(result.notChecked).toEqual([
      expect.stringMatching(/the word of the run/u),
      expect.stringMatching(/^the text of 60 responses/u),
      expect.stringMatching(/the run is not sealed$/u),
    ])
  })

  it.each(forgeries)('%s', async (_what, forge, told) => {
    const dir = await mkdtemp(join(root, 'forged-'))
    await cp(good, dir, { recursive: true })
    await forge(dir)
    expect(await found(dir)).toContainEqual(expect.stringMatching(told))
  })
})

describe('a seal', () => {
  const context = mockContext()
  const sealed = async (dir: string) => withRun(await openRun(dir, mockContext(), { mode: 'read' }), sealOf)

  it('is checked by itself, and any change in it is found', async () => {
    const seal = await sealed(good)
    expect(verifySeal(seal, context.tasks)).toMatchObject({ mismatches: 0, items: ITEMS, calls: 2 * ITEMS })
    expect(seal.summary.map(({ accuracy }) => accuracy)).toContain(1)
    const text = JSON.stringify(seal)
    expect(verifySeal(parseSeal(text, 'seal'), context.tasks).mismatches).toBe(0)
    const [first] = seal.items
    const changes: readonly (readonly [from: string | RegExp, to: string, told: RegExp])[] = [
      [/"accuracy":0[^,}]*/u, '"accuracy":1', /summary is not what the scores/u],
      [/"value":0/u, '"value":1', /calls do not have the root/u],
      [/"leaf":"[0-9a-f]{64}"/u, `"leaf":"${'0'.repeat(64)}"`, /differs from the regenerated item/u],
      [/"response":"[0-9a-f]{64}"/u, `"response":"${'0'.repeat(64)}"`, /calls do not have the root/u],
      [
        JSON.stringify(first),
        `${JSON.stringify(first)},${JSON.stringify({ ...first, id: 'x', index: 1000 })}`,
        /none of the items that the run asked for/u,
      ],
      [/"seq":1,/u, '"seq":201,', /chain of responses has no link 1/u],
      [/"attempt":1,/u, '"attempt":2,', /do not make the chain/u],
      [/"links":60/u, '"links":59', /do not make the chain/u],
      [/"head":"[0-9a-f]{64}"/u, `"head":"${'0'.repeat(64)}"`, /do not make the chain/u],
      [
        /"prompts":"[0-9a-f]{64}"/u,
        `"prompts":"${'0'.repeat(64)}"`,
        /prompts, put into words again, are not those that were sealed/u,
      ],
      [/"created":"[^"]*"/u, '"created":"2020-01-01"', /its content has/u],
    ]
    for (const [from, to, told] of changes) {
      const forged = text.replace(from, to)
      expect(forged).not.toBe(text)
      expect(verifySeal(parseSeal(forged, 'seal'), context.tasks).problems).toContainEqual(expect.stringMatching(told))
    }
    expect(() => parseSeal(text.replace('{', '{"id":"x",'), 'seal')).toThrow(/duplicate key/u)
    expect(() => parseSeal(text.replace('{', '{"more":1,'), 'seal')).toThrow(/more/u)
  })

  it('tells one flipped byte of a response, even where no score moves', async () => {
    const dir = await mkdtemp(join(root, 'sealed-'))
    await cp(good, dir, { recursive: true })
    await writeFile(join(dir, 'seal.json'), JSON.stringify(await sealed(dir)))
    expect(await found(dir)).toEqual([])
    await sql("UPDATE response SET reasoning = 'I thought' WHERE call = 4")(dir)
    expect(await found(dir)).toContainEqual(expect.stringMatching(/call 4 .*response is not the one that was sealed/u))
  })
})

it('takes a preset with changed keys, and not one whose name hides a change', async () => {
  const dir = join(root, 'changed')
  const experiment = readExperiment(
    'items: { task: mock/parity, preset: small, config: { digits: 5 } }\nmodels: ["baseline:exact"]',
  )
  await withRun(await createRun({ experiment, dir }, mockContext()), (run) => executeRun(run))
  expect(await found(dir)).toEqual([])
  await runFile((text) => text.replace('small{digits=5}', 'small'))(dir)
  expect(await found(dir)).toContainEqual(expect.stringContaining('is not that of the preset small'))
})

it('tells another price in run.json than responses were booked at', async () => {
  const mock = await startMock({ answer: rightAnswer })
  try {
    const dir = join(root, 'priced')
    const experiment = parseExperiment({
      items: { task: 'mock/parity', preset: 'small' },
      models: [
        {
          model: 'openai-compatible:m',
          baseUrl: mock.url,
          price: { input: 1, output: 10 },
          settings: { maxTokens: 50 },
        },
      ],
    })
    await withRun(await createRun({ experiment, dir }, mockContext()), (run) => executeRun(run))
    expect(await found(dir)).toEqual([])
    const others = ['"output": 5', '"output": 10, "long": { "above": 1, "input": 2, "output": 15 }']
    for (const [k, other] of others.entries()) {
      const copy = join(root, `priced-${k}`)
      await cp(dir, copy, { recursive: true })
      await runFile((text) => text.replace('"output": 10', other))(copy)
      expect((await found(copy))[0]).toMatch(
        /^a response is not booked at the price that run\.json has for openai-compatible:m: \d+$/u,
      )
    }
  } finally {
    await mock.close()
  }
})
