import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openLab } from '@touchstone-eval/touchstone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratch } from '../../mock/context.ts'
import { startMock } from '../../mock/server.ts'
import { nightly, sample } from '../../nightly.ts'

const { folder, remove } = await scratch()
const server = await startMock({ behave: ({ number }) => (number % 5 === 0 ? 'error-500' : undefined) })
afterAll(async () => {
  await server.close()
  await remove()
})
const lab = await openLab({ env: {} })
const good = join(folder, 'good')

beforeAll(async () => {
  await lab.run({
    experiment: {
      items: [{ task: 'recoglab/comparison', count: 12 }],
      models: [
        {
          model: 'openai-compatible:m',
          baseUrl: server.url,
          price: { input: 1, output: 10 },
          settings: [{ maxTokens: 50 }],
        },
        'baseline:random',
      ],
    },
    out: good,
  })
  await lab.report(good)
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(join(folder, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }))
  await lab.seal(good, { signKey: join(folder, 'key.pem') })
})

type Forgery = (dir: string) => unknown
const sql =
  (...statements: readonly string[]): Forgery =>
  (dir) => {
    const db = new DatabaseSync(join(dir, 'ledger.db'))
    for (const statement of statements) {
      const { changes } = db.prepare(statement).run()
      if (/^(?:UPDATE|DELETE)/u.test(statement)) expect(changes, statement).toBeGreaterThan(0)
    }
    db.close()
  }
const file =
  (name: string, change: (text: string) => string): Forgery =>
  async (dir) => {
    const before = await readFile(join(dir, name), 'utf8')
    const after = change(before)
    expect(after, name).not.toBe(before)
    await writeFile(join(dir, name), after)
  }

let n = 0
async function verified(
  forge: Forgery,
  kind: 'sealed' | 'bare',
): Promise<{ readonly caught: boolean; readonly lines: string }> {
  const dir = join(folder, `forged-${n++}`)
  await cp(good, dir, { recursive: true })
  await forge(dir)
  if (kind === 'bare') for (const name of ['seal.json', 'seal.json.sig']) await rm(join(dir, name), { force: true })
  try {
    const found = await lab.verify(dir)
    return { caught: found.mismatches > 0, lines: JSON.stringify([found.problems, found.notChecked]) }
  } catch (error) {
    const { kind: sort, message } = error as Error & { readonly kind?: string }
    if (sort === undefined && !/UsageError/u.test((error as Error).name)) throw error
    return { caught: true, lines: message }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const remote = "(SELECT id FROM call WHERE model = 'openai-compatible:m' LIMIT 1)"
const WORD = /the word of the run/u
const UNSEALED = /the run is not sealed/u

/** What is forged, how, and for a run without a seal what its verification must say: null, a mismatch. */
type Case = readonly [what: string, forge: Forgery, listed: RegExp | null]

const forgeries: readonly Case[] = [
  ['a number in report.json', file('report/report.json', (text) => text.replace(/"rows": \d+/u, '"rows": 999')), null],
  [
    'a sentence on the page of the report',
    file('report/index.html', (text) => text.replace('</h1>', ' (certified)</h1>')),
    null,
  ],
  [
    'a script on the page of the report',
    file('report/index.html', (text) => text.replace('</body>', '<script>1</script></body>')),
    null,
  ],
  ['the report in Markdown', file('report/report.md', (text) => text.replace(/0\.\d+/u, '0.999')), null],
  [
    'a table of the report',
    async (dir) => {
      const [name = ''] = await readdir(join(dir, 'report/tables'))
      await appendFile(join(dir, 'report/tables', name), 'gpt,1\n')
    },
    null,
  ],
  [
    'a figure of the report',
    async (dir) => {
      const [name = ''] = await readdir(join(dir, 'report/figures'))
      await file(`report/figures/${name}`, (text) => text.replace('</svg>', '<text>1</text></svg>'))(dir)
    },
    null,
  ],
  ['a file more in the report', (dir) => writeFile(join(dir, 'report/extra.html'), 'x'), null],
  [
    'a folder more in the report',
    (dir) => mkdir(join(dir, 'report/more')).then(() => writeFile(join(dir, 'report/more/x.csv'), '')),
    null,
  ],
  ['a table dropped from the report', (dir) => rm(join(dir, 'report/tables'), { recursive: true }), null],
  [
    'a report that was made of a part of the rows',
    file('report/report.json', (text) =>
      text.replace('"version"', '"where": "model = \'baseline:random\'",\n  "version"'),
    ),
    null,
  ],
  [
    'report.json dropped, and the page edited',
    async (dir) => {
      await rm(join(dir, 'report/report.json'))
      await file('report/index.html', (text) => text.replace('</h1>', ' (certified)</h1>'))(dir)
    },
    null,
  ],
  [
    'where the run was, in the report',
    async (dir) => {
      const text = await readFile(join(dir, 'report/report.json'), 'utf8')
      await writeFile(join(dir, 'report/report.json'), text.replace(/"run": "[^"]*"/u, '"run": "certified"'))
    },
    null,
  ],
  ['a failed attempt deleted', sql("DELETE FROM attempt WHERE status = 'failed'"), WORD],
  ['failed attempts that cost nothing', sql("UPDATE attempt SET usd = 0, max_usd = 0 WHERE status = 'failed'"), WORD],
  [
    'a failed attempt more',
    sql(
      `INSERT INTO attempt SELECT call, 99, started, ended, 'failed', 500, 'provider', 'x', 'm', NULL, NULL, 0, 0 FROM attempt WHERE call = ${remote} LIMIT 1`,
    ),
    WORD,
  ],
  [
    'times moved by a year',
    sql('UPDATE attempt SET started = started - 31536000000, ended = ended - 31536000000'),
    WORD,
  ],
  ['an answer faster', sql('UPDATE attempt SET ended = started'), WORD],
  ['an answer before its question', sql('UPDATE attempt SET ended = started - 1'), null],
  ['a good answer with HTTP 500', sql("UPDATE attempt SET http = 500 WHERE status = 'ok' AND http IS NOT NULL"), null],
  ['a good answer with HTTP 201', sql("UPDATE attempt SET http = 201 WHERE status = 'ok' AND http IS NOT NULL"), WORD],
  [
    'why an attempt failed',
    sql("UPDATE attempt SET message = 'its own fault', code = 'refused' WHERE status = 'failed'"),
    WORD,
  ],
  ['ids of requests', sql("UPDATE attempt SET request_id = 'x'"), WORD],
  ['what was reserved', sql(`UPDATE attempt SET max_usd = 0 WHERE call = ${remote}`), WORD],
  ['money that belongs to no attempt', sql("INSERT INTO meta VALUES ('carried', '-5')"), null],
  [
    'how much the run cost, in run.json',
    file('run.json', (text) => text.replace(/"usd": [\d.e-]+/u, '"usd": 0.0001')),
    null,
  ],
  [
    'how many responses it had, in run.json',
    file('run.json', (text) => text.replace(/"responses": \d+/u, '"responses": 3')),
    null,
  ],
  ['a price, in run.json', file('run.json', (text) => text.replace('"output": 10', '"output": 1')), null],
  [
    'attributes of a model, in run.json',
    file('run.json', (text) => text.replace('"attributes": {}', '"attributes": {"size": 7}')),
    null,
  ],
  [
    'the server of a model, in run.json',
    file('run.json', (text) => text.replace(server.url, 'https://api.openai.com/v1')),
    UNSEALED,
  ],
  [
    'who made it, in run.json',
    file('run.json', (text) => text.replace(/"package": "[^"]*"/u, '"package": "other"')),
    UNSEALED,
  ],
  [
    'when it was made, in run.json',
    file('run.json', (text) => text.replace(/"created": "20/u, '"created": "19')),
    UNSEALED,
  ],
  ['another id, in run.json', file('run.json', (text) => text.replace(/"id": "[^"]{8}/u, '"id": "00000000')), null],
  [
    'a fact more, in run.json',
    file('run.json', (text) => text.replace('"name"', '"certifiedBy": "me",\n "name"')),
    UNSEALED,
  ],
  ['a table more', sql('CREATE TABLE notes (text TEXT)'), null],
  ['a column more', sql('ALTER TABLE response ADD COLUMN note TEXT'), null],
  ['an index more', sql('CREATE INDEX mine ON response (text)'), null],
  ['an index dropped', sql('DROP INDEX call_waiting'), null],
  ['a view', sql('CREATE VIEW v AS SELECT * FROM score'), null],
  ['a fact more in the ledger', sql("INSERT INTO meta VALUES ('certified', 'yes')"), null],
  [
    'a stopping rule in the ledger',
    sql(`INSERT INTO meta VALUES ('until', '{"interim":[],"verdict":null}')`),
    UNSEALED,
  ],
  [
    'settings that were ignored',
    sql(`INSERT INTO meta VALUES ('ignored', '{"openai-compatible:m":["temperature"]}')`),
    UNSEALED,
  ],
  ['a body of no attempt', sql("INSERT INTO raw_body (call, attempt, size, packed) VALUES (1, 77, 1, x'00')"), null],
  [
    'an unreadable body',
    sql(`INSERT INTO raw_body (call, attempt, size, packed) VALUES (${remote}, 1, 1, x'00')`),
    UNSEALED,
  ],
  ['a group more', sql("INSERT INTO item_group VALUES ('mine', '{}')"), null],
  [
    'a batch',
    sql("INSERT INTO batch (key, model, lines, state, intended, submitted_at) VALUES ('k', 'm', 1, 'over', 1, 1)"),
    /1 batches of a provider/u,
  ],
  ['a line of no batch', sql("INSERT INTO batch_line (batch, line_no, call, attempt) VALUES ('k', 1, 1, 1)"), null],
  [
    'a score by an older scorer',
    sql(`INSERT INTO score SELECT call, 0, '{"kind":"answered","results":{}}' FROM score`),
    /scores by older scorers/u,
  ],
  [
    'text that contradicts its body, with a new chain',
    rechained(`UPDATE response SET text = 'no' WHERE call = ${remote}`),
    null,
  ],
  [
    'reasoning that contradicts its body, with a new chain',
    rechained(`UPDATE response SET reasoning = 'I thought' WHERE call = ${remote}`),
    null,
  ],
  [
    'a body dropped, with a new chain',
    rechained(`UPDATE response SET raw = NULL WHERE call = ${remote}`),
    /text of \d+ responses/u,
  ],
  [
    'a body in agreement with other text, with a new chain',
    rechained(`UPDATE response SET raw = replace(raw, 'Yes', 'No'), text = 'No' WHERE call = ${remote}`),
    UNSEALED,
  ],
  [
    'the id of the seal',
    file('seal.json', (text) =>
      text.replace(/"id":"[0-9a-f]/u, (id) => (id.endsWith('0') ? id.replace(/0$/u, '1') : id.replace(/.$/u, '0'))),
    ),
    UNSEALED,
  ],
  [
    'an accuracy of the seal',
    file('seal.json', (text) => text.replace(/"accuracy":0[^,}]*/u, '"accuracy":1')),
    UNSEALED,
  ],
  [
    'the signature',
    file('seal.json.sig', (text) => text.replace(/(?<=\n[^\n]{70}\n.)[^\n]/u, (c) => (c === 'A' ? 'B' : 'A'))),
    UNSEALED,
  ],
  // Other readers of JSON may take the first of two keys, and people see both.
  ...[
    ['a name before the name', '"name":', '"name": "certified",\n "name":'],
    ['a date before the date', '"created":', '"created": "1999-01-01T00:00:00.000Z",\n "created":'],
  ].map(
    ([what, from = '', to = '']): Case => [
      `${what}, in run.json`,
      file('run.json', (text) => text.replace(from, () => to)),
      null,
    ],
  ),
  [
    'a summary before the summary of an unsigned seal',
    async (dir) => {
      await rm(join(dir, 'seal.json.sig'))
      await file('seal.json', (text) => text.replace('"summary":', '"summary":{"accuracy":1},"summary":'))(dir)
    },
    UNSEALED,
  ],
  ['an empty folder in the report', (dir) => mkdir(join(dir, 'report/certified')), null],
  ['bytes behind the ledger', (dir) => appendFile(join(dir, 'ledger.db'), Buffer.alloc(4096, 'certified ')), null],
  ['a mark of the ledger', sql('PRAGMA user_version = 77'), null],
  ['a trigger', sql('CREATE TRIGGER t AFTER INSERT ON score BEGIN SELECT 1; END'), null],
  ['statistics of another program', sql('ANALYZE'), null],
  ['a journal', (dir) => writeFile(join(dir, 'ledger.db-journal'), 'certified'), null],
  ['a hidden file', (dir) => writeFile(join(dir, '.certificate'), ''), null],
  ['a text as bytes', sql('UPDATE response SET text = CAST(text AS BLOB)'), null],
  ['a text with an end before its end', sql("UPDATE response SET text = text || char(0) || 'No'"), null],
  ['a feature more', sql("UPDATE item SET features = json_set(features, '$.certified', 1)"), null],
  [
    'a sample more',
    sql(
      'INSERT INTO call SELECT 999, item, style, model, settings, 7, priority, state, owner, lease_until FROM call LIMIT 1',
    ),
    null,
  ],
  ['settings', sql("UPDATE call SET settings = replace(settings, '50', '500')"), null],
  [
    'a key twice in a score',
    sql(`UPDATE score SET outcome = replace(outcome, '{"kind"', '{"kind":"error","kind"')`),
    null,
  ],
  ['the line ends of the report', file('report/report.md', (text) => text.replaceAll('\n', '\r\n')), null],
  ['words before the signature', file('seal.json.sig', (text) => `certified\n${text}`), UNSEALED],
  ['the seal dropped, its signature kept', (dir) => rm(join(dir, 'seal.json')), UNSEALED],
]

/** A forger who knows the program: links, state and scores fit what was changed. */
function rechained(statement: string): Forgery {
  return async (dir) => {
    const { linkOf, LINK_COLUMNS } = await import('../../../src/store/chain.ts')
    sql(statement)(dir)
    const db = new DatabaseSync(join(dir, 'ledger.db'))
    let head: string | null = null
    for (const row of db
      .prepare(`SELECT ${LINK_COLUMNS} FROM response r JOIN call c ON c.id = r.call ORDER BY r.seq`)
      .all()) {
      head = linkOf(head, row)
      db.prepare('UPDATE response SET hash = ? WHERE call = ?').run(head, row['call'] ?? null)
    }
    db.close()
    await file('run.json', (text) => text.replace(/"head": "[^"]*"/u, `"head": "${head ?? ''}"`))(dir)
    await rm(join(dir, 'report'), { recursive: true })
    await lab.score(dir)
    await lab.report(dir)
  }
}

/** Columns of which no result is made: how calls were handed out, and keys of rows. */
const NOTHING = new Set(['call.priority', 'call.owner', 'call.lease_until', 'raw_body.size', 'meta.key'])

describe('a sealed run', () => {
  it('is found to be whole, where it is and where it is copied to', async () => {
    expect(await lab.verify(good)).toMatchObject({ mismatches: 0, problems: [] })
    expect(await verified(() => undefined, 'sealed')).toMatchObject({ caught: false })
    expect(existsSync(join(good, 'seal.json.sig'))).toBe(true)
  })

  it('says where run.json is older than the ledger, as that of a killed process is', async () => {
    const older = file('run.json', (text) => text.replace(/"revision": \d+/u, '"revision": 1'))
    expect((await verified(older, 'sealed')).lines).toMatch(/how far the run is by run\.json/u)
  })

  it('says where the report tells another version of this program', async () => {
    const other = file('report/report.json', (text) => text.replace(/"version": "[^"]*"/u, '"version": "9.9.9"'))
    expect((await verified(other, 'sealed')).lines).toMatch(/that version 9\.9\.9 of this program wrote the report/u)
  })

  // Each verifies a whole run; every run tries a third of them, of all kinds.
  it.each(forgeries.filter((_, k) => nightly || k % 3 === 0))('forged: %s', async (_, forge, listed) => {
    expect(await verified(forge, 'sealed')).toMatchObject({ caught: true })
    const bare = await verified(forge, 'bare')
    if (listed === null) expect(bare).toMatchObject({ caught: true })
    else expect(bare.lines).toMatch(listed)
  })

  it('every column of its ledger: another value is caught, and nothing ends otherwise than in words', async () => {
    const db = new DatabaseSync(join(good, 'ledger.db'), { readOnly: true })
    const columns = db
      .prepare(
        "SELECT t.name AS tab, c.name AS col FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
      )
      .all()
      .map(({ tab, col }) => [String(tab), String(col)] as const)
      .filter(([tab]) => Number(db.prepare(`SELECT COUNT(*) AS n FROM ${tab}`).get()?.['n']) > 0)
    db.close()
    expect(columns.length).toBeGreaterThan(45)
    const all = ["'../../../etc/passwd'", '9007199254740993', 'NULL', "'{}'", '-1', "x'00ff'"]
    const values = all.slice(0, sample({ nightly: 6, otherwise: 2 }))
    const passed: string[] = []
    for (const [table, column] of columns)
      for (const value of values) {
        let changed = false
        const forge: Forgery = (dir) => {
          const open = new DatabaseSync(join(dir, 'ledger.db'))
          const least = `rowid = (SELECT MIN(rowid) FROM ${table} WHERE ${column} IS NOT ${value})`
          const largest = `${column} = (SELECT MAX(${column}) FROM ${table} WHERE ${column} IS NOT ${value})`
          for (const where of [least, largest])
            try {
              // A constraint may keep it out, and not every table has row ids.
              changed ||= open.prepare(`UPDATE ${table} SET ${column} = ${value} WHERE ${where}`).run().changes !== 0
            } catch {}
          open.close()
        }
        const { caught } = await verified(forge, 'sealed')
        if (changed && !caught) passed.push(`${table}.${column} = ${value}`)
      }
    expect(passed.filter((one) => !NOTHING.has(one.split(' ')[0] ?? ''))).toEqual([])
  })
})
