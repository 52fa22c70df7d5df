import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { readResponses, responseReaders } from '../../../src/extras/exchange/imports.ts'
import { archiveOf } from './archives.ts'
import { responsesOf } from './responses-of.ts'

/** Files as tools of today write them. */

const about = { eval: { model: 'openai/m' }, version: 2 }
const sample = (id: string, text: string, more: object = {}) => ({
  id,
  epoch: 1,
  input: 'Is it?',
  output: { choices: [{ message: { role: 'assistant', content: text }, stop_reason: 'stop' }] },
  ...more,
})
const logOf = (method: number, ...samples: readonly { readonly id: string }[]) =>
  archiveOf([
    { path: 'header.json', text: JSON.stringify(about), method },
    ...samples.map((one) => ({ path: `samples/${one.id}_epoch_1.json`, text: JSON.stringify(one), method })),
  ])

describe('an archive of Inspect', () => {
  it.each([0, 8, 93])('is read whether it is packed by method %i', async (method) => {
    expect(await responsesOf(logOf(method, sample('a', 'Yes'), sample('b', 'No')))).toMatchObject([
      { key: 'a', text: 'Yes', finish: 'stop', model: 'openai/m', sample: 0 },
      { key: 'b', text: 'No' },
    ])
  })

  it('packed in another way is refused with the way', async () => {
    await expect(responsesOf(logOf(12, sample('a', 'Yes')))).rejects.toThrow(
      'header.json is packed by method 12; deflate (8) and zstd (93) are known',
    )
  })

  it('whose zstd unpacks to more than it says, or to less, is refused', async () => {
    for (const size of [10, 5_000_000]) {
      const archive = archiveOf([{ path: 'header.json', text: 'x'.repeat(1 << 20), method: 93, size }])
      await expect(responsesOf(archive)).rejects.toThrow(/header\.json (?:cannot be unpacked|is not what it was)/u)
    }
  })

  it('that replaced a file holds the last one of its path, once', async () => {
    const read = await responsesOf(logOf(8, sample('a', 'Yes'), sample('b', 'No'), sample('a', 'Unknown')))
    expect(read.map(({ key, text }) => [key, text])).toEqual([
      ['a', 'Unknown'],
      ['b', 'No'],
    ])
  })

  it('is read where ids of samples hold slashes, and while it is being written', async () => {
    expect(await responsesOf(logOf(8, sample('relic/x/0', 'Yes')))).toMatchObject([{ key: 'relic/x/0' }])
    const begun = archiveOf([
      { path: '_journal/start.json', text: JSON.stringify(about), method: 93 },
      { path: 'samples/a_epoch_1.json', text: JSON.stringify(sample('a', 'Yes')), method: 93 },
    ])
    expect(await responsesOf(begun)).toMatchObject([{ key: 'a', text: 'Yes' }])
  })

  it('in the large form of zip is read as well', async () => {
    const writer = new ZipFile()
    writer.addBuffer(Buffer.from(JSON.stringify(about)), 'header.json', { forceZip64Format: true })
    writer.addBuffer(Buffer.from(JSON.stringify(sample('a', 'Yes'))), 'samples/a_epoch_1.json', {
      forceZip64Format: true,
    })
    writer.end({ forceZip64Format: true, comment: '' })
    expect(await responsesOf(await buffer(writer.outputStream))).toMatchObject([{ key: 'a', text: 'Yes' }])
  })
})

describe('a sample of Inspect', () => {
  const read = async (one: object) => (await responsesOf(JSON.stringify({ ...about, samples: [one] })))[0]
  const said = (message: object, more: object = {}) => ({
    id: 'a',
    epoch: 1,
    output: { choices: [{ message }] },
    ...more,
  })

  it.each<[string, object, object]>([
    [
      'as a part',
      {
        content: [
          { type: 'reasoning', reasoning: 'well' },
          { type: 'text', text: 'Yes' },
        ],
      },
      {},
    ],
    ['beside its content, as of 2025', { content: 'Yes', reasoning: 'well' }, {}],
    [
      'encrypted, with a summary',
      {
        content: [
          { type: 'reasoning', reasoning: 'gAAAA', redacted: true, summary: 'well' },
          { type: 'text', text: 'Yes' },
        ],
      },
      {},
    ],
    [
      'kept elsewhere',
      {
        content: [
          { type: 'reasoning', reasoning: 'attachment://0a' },
          { type: 'text', text: 'attachment://0b' },
        ],
      },
      { attachments: { '0a': 'well', '0b': 'Yes' } },
    ],
  ])('has its reasoning %s', async (_, message, more) => {
    expect(await read(said(message, more))).toMatchObject({ text: 'Yes', reasoning: 'well' })
  })

  it.each([
    [1, { score: { value: 'C' }, transcript: { events: [], content: {} } }],
    [2, { scores: { match: { value: 'C' } }, events: [], events_data: { messages: [], calls: [] } }],
    [
      3,
      {
        scores: {},
        events: [{ event: 'model', input_refs: [[0, 1]] }],
        message_pool: [{ role: 'user', content: 'x' }],
      },
    ],
  ])('of version %i of logs is read', async (version, more) => {
    const samples = [{ ...said({ content: 'Yes' }), ...more }]
    const log = { version, eval: { model: 'm' }, samples, results: { scorer: { name: 's' }, metrics: {} } }
    expect(await responsesOf(JSON.stringify(log))).toMatchObject([{ key: 'a', text: 'Yes', model: 'm' }])
  })

  it('that failed has no answer, though its output is an empty message', async () => {
    const failed = said({ content: '' }, { error: { message: 'timed out' } })
    expect(await read(failed)).toMatchObject({ missing: 'timed out' })
    const output = { choices: [{ message: { content: '' } }], error: 'content too long' }
    expect(await read({ id: 'a', epoch: 1, output })).toMatchObject({ missing: 'content too long' })
    expect(await read(said({ content: 'Yes' }, { error: { message: 'the scorer threw' } }))).toMatchObject({
      text: 'Yes',
    })
  })

  it('has the prompt that its model saw', async () => {
    const question = { role: 'user', content: 'Is it?' }
    expect((await read(sample('a', 'Yes')))?.prompt).toEqual([question])
    const messages = [{ role: 'system', content: 'Be brief.' }, question, { role: 'assistant', content: 'Yes' }]
    expect((await read(sample('a', 'Yes', { messages })))?.prompt).toEqual(messages.slice(0, 2))
    expect((await read(sample('a', 'Yes', { input: [question] })))?.prompt).toEqual([question])
  })
})

async function all(tool: string, content: string | Uint8Array) {
  const path = join(await mkdtemp(join(tmpdir(), 'touchstone-')), 'file')
  await writeFile(path, content)
  const reader = responseReaders[tool]
  if (reader === undefined) throw new Error(`no reader ${tool}`)
  const found: { readonly number: number; readonly missing?: string; readonly text?: object }[] = []
  for await (const batch of readResponses(reader, [path], new Map([['k', { item: 'i', style: 's' }]]), null))
    found.push(
      ...batch.map((one) =>
        'text' in one ? { number: one.number, text: JSON.parse(one.text) as object } : { ...one },
      ),
    )
  return found
}

describe('results of promptfoo', () => {
  const mine = (item: string, output: unknown, more: object = {}) => ({
    id: 'r',
    provider: { id: 'openai:gpt-5-mini', label: '' },
    prompt: { raw: 'Is it?', label: '' },
    testCase: { vars: {}, metadata: { item, style: 'answer-line' } },
    response: { output },
    ...more,
  })
  const foreign = {
    id: 'x',
    success: true,
    provider: { id: 'p' },
    testCase: { vars: { a: 1 } },
    response: { output: 'No' },
  }
  const list = [
    mine('i/0', 'Answer: Yes'),
    foreign,
    mine('i/1', { answer: 'Yes' }),
    mine('i/2', null, { error: 'died' }),
  ]
  const expected = [
    {
      text: {
        item: 'i/0',
        style: 'answer-line',
        model: 'openai:gpt-5-mini',
        text: 'Answer: Yes',
        prompt: [{ role: 'user', content: 'Is it?' }],
      },
    },
    { missing: 'a test of somebody else: its metadata names no item' },
    { missing: 'the output is not text' },
    { missing: 'died' },
  ]

  it.each<[string, string]>([
    ['as a document', JSON.stringify({ evalId: 'e', results: { version: 3, results: list } })],
    ['as a document with blanks', JSON.stringify({ evalId: 'e', results: { version: 3, results: list } }, null, 2)],
    ['in an older document', JSON.stringify({ results: list })],
    ['as lines', list.map((one) => `${JSON.stringify(one)}\n`).join('')],
    ['as lines of Windows', `\ufeff${list.map((one) => JSON.stringify(one)).join('\r\n')}`],
  ])('%s: ours are taken, those of others are counted', async (_, text) => {
    expect(await all('promptfoo', text)).toMatchObject(expected)
  })

  it('of one line are lines too, and a broken line is no reason to refuse the others', async () => {
    expect(await all('promptfoo', JSON.stringify(list[0]))).toMatchObject(expected.slice(0, 1))
    expect(await all('promptfoo', `${JSON.stringify(list[0])}\n{"a":}\n`)).toMatchObject([
      { number: 1, text: {} },
      { number: 2, missing: expect.stringContaining('JSON') },
    ])
  })
})

describe('a table', () => {
  const cells = [
    ['item', 'style', 'text', 'prompt'],
    ['a/0', '', 'Answer: Yes, since "A"; is\nso\there | ok', 'Is it?'],
    ['a/1', 's', 'Größe ≥ 5', ''],
  ]
  const table = (sign: string, end = '\n') =>
    cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(sign)).join(end)
  const expected = [
    { number: 2, text: { item: 'a/0', text: cells[1]?.[2], prompt: [{ role: 'user', content: 'Is it?' }] } },
    { number: 4, text: { item: 'a/1', style: 's', text: 'Größe ≥ 5' } },
  ]

  it.each([',', ';', '\t', '|'])('is read whether its cells stand between %j', async (sign) => {
    expect(await all('csv', table(sign))).toMatchObject(expected)
    expect(await all('csv', `\ufeff${table(sign, '\r\n')}\r\n\r\n`)).toMatchObject(expected)
  })

  it('is read in every encoding that spreadsheets write', async () => {
    const text = table(';')
    const little = Buffer.from(text, 'utf16le')
    expect(await all('csv', Buffer.concat([Buffer.from([0xff, 0xfe]), little]))).toMatchObject(expected)
    expect(await all('csv', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]))).toMatchObject(
      expected,
    )
    expect(await all('csv', little)).toMatchObject(expected)
    expect(await all('csv', Buffer.from('item;text\nx;Größe', 'latin1'))).toMatchObject([{ text: { text: 'Größe' } }])
  })

  it('may say its sign, and hold quotes inside of cells', async () => {
    expect(await all('csv', `sep=;\r\n${table(';')}`)).toMatchObject(
      expected.map((one) => ({ ...one, number: one.number + 1 })),
    )
    expect(await all('csv', 'item\ttext\nx\tsay "Yes" now')).toMatchObject([{ text: { text: 'say "Yes" now' } }])
  })

  it('with semicolons, as a published case has them', async () => {
    const rows = [0, 1, 2, 3, 4, 5].map(
      (i) => `"recoglab/comparison@3/test/5d0d132704c9/${i}";"Answer: Yes, since ""A"" is"`,
    )
    const read = await all('csv', ['item;text', ...rows].join('\n'))
    expect(read.map(({ text }) => text)).toEqual(
      rows.map((_, i) => ({
        item: `recoglab/comparison@3/test/5d0d132704c9/${i}`,
        style: '',
        text: 'Answer: Yes, since "A" is',
      })),
    )
  })

  it('with more cells than its head is refused by its line', async () => {
    await expect(all('csv', 'item,text\na,b,c')).rejects.toThrow(/the table cannot be read: .*line 2/u)
  })
})

it('lm-evaluation-harness says what it sent, in the form of either of its versions', async () => {
  for (const sent of [[['Is it?', { until: [] }]], { gen_args_0: { arg_0: 'Is it?', arg_1: {} } }]) {
    const line = JSON.stringify({ doc: { item: 'a', style: 's' }, arguments: sent, resps: [['Yes']] })
    expect(await all('lm-eval', line)).toMatchObject([
      { text: { text: 'Yes', prompt: [{ role: 'user', content: 'Is it?' }] } },
    ])
  }
})

it('a result of a batch with an error beside its choices, or content that is no text, is no answer', async () => {
  const bodies = [
    { choices: [{ message: { content: 'Yes' }, finish_reason: 'stop' }], error: { message: 'died' } },
    { choices: [{ message: { content: 5 }, finish_reason: 'stop' }] },
    { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Yes' }] }], status: 'completed' },
  ]
  const lines = bodies.map((body) => JSON.stringify({ custom_id: 'k', response: { status_code: 200, body } }))
  const other = JSON.stringify({ custom_id: 'k', response: { status_code: 999, body: bodies[2] } })
  expect(await all('openai-batch', [...lines, other].join('\n'))).toMatchObject([
    { missing: 'the request failed there: died' },
    { missing: 'the request failed there: content that is a number' },
    { text: { item: 'i', style: 's', text: 'Yes' } },
    { missing: 'the request failed there: HTTP 999' },
  ])
})
