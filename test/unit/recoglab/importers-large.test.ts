import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  below,
  utf8 as bytes,
  pick,
  type Stream,
  sample,
  sha256,
  shuffle,
  streamFromKey,
} from '../../../src/core/index.ts'
import { randomTree } from '../../../src/libraries/graphs/generate.ts'
import { distancesFrom, neighbours, shortestPath } from '../../../src/libraries/graphs/graph.ts'
import { decodeExample, readTfrecord } from '../../../src/tasks/recoglab/importers/tfrecord.ts'
import { concat, example, field, head, problemsOf, read, record, reprDict, reprList, tree, utf8 } from './release.ts'

const streamOf = (name: string): Stream => streamFromKey(sha256(bytes(name)))

/** Names with what names have: accents, hyphens, apostrophes, both forms of composed letters, other scripts' case. */
const names = (
  'José Zoë Søren Łukasz Inês Björk Élodie Ñusta Çağla Þóra Øyvind Šárka ' +
  "D'Arcy O'Neil Jean-Luc Anne-Marie Rene\u0301 McKay Will Grace Faith Mark May Art " +
  'Marcus Julia Livia Gaius Titus Aurelia Quintus Flavia Cato Drusilla'
).split(' ')

interface Row {
  readonly question: string
  readonly answer: string
  readonly others?: readonly string[]
  readonly metadata?: string
}
const rowsOf = (count: number, make: (stream: Stream, i: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => make(streamOf(`row ${i}`), i))
const tfrecord = (rows: readonly Row[]): Uint8Array =>
  concat(
    ...rows.map(({ question, answer, others = [], metadata = '{}' }, index) =>
      record(
        example({
          question_only: question.slice(question.lastIndexOf('\n') + 1),
          metadata,
          index,
          alternative_answers: others.join('\t'),
          question,
          answer,
        }),
      ),
    ),
  )

/** Twenty people along a line; the true order is that of the list, as in the original. */
function comparisonRow(stream: Stream): Row {
  const people = sample(stream, names, 20)
  const lines = shuffle(
    stream,
    people
      .slice(1)
      .map((name, i) =>
        below(stream, 2) === 0 ? `${people[i]} is younger than ${name}` : `${name} is older than ${people[i]}`,
      ),
  )
  const [a, b] = shuffle(
    stream,
    people.map((_, i) => i),
  ) as [number, number]
  const older = below(stream, 2) === 0
  return {
    question: `${lines.join('\n')}\nIs ${people[a]} ${older ? 'older' : 'younger'} than ${people[b]}?`,
    answer: a > b === older ? 'Yes' : 'No',
    metadata: reprDict({ distance: String(Math.abs(a - b)), entities: reprList(people), answer: 'x' }),
  }
}

/** A tree of friends, one flavoured sentence an edge; the question of one of the three kinds. */
function socialRow(stream: Stream, i: number): Row {
  const people = sample(stream, names, 15)
  const graph = randomTree(stream, people.length)
  const sentences = [
    (a: string, b: string) => `${a} would lend ${b} a boat without asking.`,
    (a: string, b: string) => `Nobody makes ${a} laugh as ${b} does.`,
    (a: string, b: string) => `${a} and ${b}'s gardens share a fence.`,
    (a: string, b: string) => `On Sundays you find ${a} at ${b}'s.`,
  ]
  const lines = graph.edges.map(([u, v]) => pick(stream, sentences)(people[u] as string, people[v] as string))
  const [from, to] = shuffle(
    stream,
    people.map((_, v) => v),
  ) as [number, number]
  const lists = neighbours(graph)
  const path = (shortestPath(lists, from, to) as number[]).map((v) => people[v] as string)
  const distance = String(distancesFrom(lists, from)[to])
  const [sender, target] = [people[from], people[to]]
  const [question, answer] = (
    [
      [`who should ${sender} give it to?`, path[1] as string],
      ['how many times is it passed on?', distance],
      ['what is the exact path it takes? Answer with a Python list.', reprList(path)],
    ] as const
  )[i % 3] as readonly [string, string]
  return {
    question: `${lines.join('\n')}\nFriends hand messages on, so that one comes from friend to friend.\nIf ${sender} wants to get a message to ${target} as quickly as possible, ${question}`,
    answer,
    metadata: reprDict({ 'answer/symbolic_distance': distance, 'answer/entities': reprList(people) }),
  }
}

/** Fifty families of up to five as indented JSON, as json.dumps writes them: other letters as escapes. */
function familiesRow(stream: Stream, i: number): Row {
  const surnames = ['Muñoz', "O'Hara", 'De la Cruz', 'Ibáñez-Roy', 'Lund', 'Weiss', 'Abbot', 'Quist']
  const hobbies = ['chess', 'cooking', 'running', 'music', 'reading']
  const families = Array.from({ length: 50 }, (_, f) => ({
    'Family Name': pick(stream, surnames),
    Address: `${100 + f} Oak St, Palo Alto, CA ${10000 + 7 * f + below(stream, 7)}`,
    Members: sample(stream, names, 1 + below(stream, 5)).map((Name) => ({
      Name,
      Age: 1 + below(stream, 100),
      Hobbies: sample(stream, hobbies, 1 + below(stream, 4)),
    })),
  }))
  const ascii = (text: string) =>
    text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const [one, two] = sample(stream, families, 2) as [(typeof families)[number], (typeof families)[number]]
  const place = (f: typeof one) => `the ${f['Family Name']} family living on ${f.Address}`
  const [a, b] = [pick(stream, one.Members), pick(stream, two.Members)]
  const both = a.Hobbies.filter((hobby) => b.Hobbies.includes(hobby)).sort()
  const hobby = pick(stream, hobbies)
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    [`How many members are in ${place(one)}? Answer as a single number.`, [String(one.Members.length)]],
    [
      `Is ${hobby} a hobby of ${a.Name} from ${place(one)}? Answer with Yes or No.`,
      [a.Hobbies.includes(hobby) ? 'Yes' : 'No'],
    ],
    [
      `Which family is larger, ${place(one)} or ${place(two)}? Answer with the family name of the larger family.`,
      one.Members.length === two.Members.length
        ? [one['Family Name'], two['Family Name']]
        : [(one.Members.length > two.Members.length ? one : two)['Family Name']],
    ],
    [
      `Who is older: ${a.Name} from ${place(one)} or ${b.Name} from ${place(two)}? If both are the same age, answer with the name that comes first alphabetically.`,
      [a.Age > b.Age || (a.Age === b.Age && a.Name < b.Name) ? a.Name : b.Name],
    ],
    [
      `What hobbies do ${a.Name} from ${place(one)} and ${b.Name} from ${place(two)} share? List them in alphabetical order, or answer N/A.`,
      [both.length === 0 ? 'N/A' : both.join(', ')],
    ],
  ]
  const [question, [answer, ...others]] = kinds[i % 5] as readonly [string, readonly [string, ...string[]]]
  const records = families.map((family) => ascii(JSON.stringify(family, null, 2)))
  return { question: `${records.join('\n')}\n${question}`, answer, others }
}

describe('a release of realistic size', () => {
  it('comparison: 300 records of 20 people, every label agrees', async () => {
    const rows = rowsOf(300, comparisonRow)
    const all = await read('recoglab-comparison', tree({ 'deep/er/age_test.tfrecord': tfrecord(rows) }, 65536))
    const items = all.filter((entry) => entry.kind === 'item')
    expect(items.map(({ key }) => key)).toEqual(rows.map((_, i) => `age_test/${i}`))
    expect(items.map(({ answer }) => answer)).toEqual(rows.map(({ answer }) => answer))
    expect(new Set(items.map(({ features }) => features['entities']))).toEqual(new Set([20]))
    expect(problemsOf(all)).toEqual({})
  })

  it('social: 300 records with flavoured sentences and possessives, every label agrees', async () => {
    const rows = rowsOf(300, socialRow)
    const all = await read('recoglab-social', tree({ 'flower_test.tfrecord': tfrecord(rows) }, 4096))
    const items = all.filter((entry) => entry.kind === 'item')
    expect(items).toHaveLength(300)
    expect(problemsOf(all)).toEqual({})
    expect(new Set(items.map(({ features }) => features['edges']))).toEqual(new Set([14]))
    expect(new Set(items.map(({ features }) => features['ask']))).toEqual(new Set(['next-hop', 'hops', 'path']))
  })

  it('families: 200 records of fifty families, read or left out with the reason', async () => {
    const rows = rowsOf(200, familiesRow)
    const data = tfrecord(rows)
    expect(data.length).toBeGreaterThan(4_000_000)
    const all = await read('recoglab-families', tree({ 'f.tfrecord': data }, 65536))
    const items = all.filter((entry) => entry.kind === 'item')
    const unread = all.flatMap((entry) => (entry.kind === 'problem' ? [entry.message] : []))
    expect(items.length + unread.length).toBe(200)
    // Ties without a rule, and people or families of one name, cannot be asked about in our terms; all else can.
    expect(unread.filter((message) => !/equally many|one first name|one name/.test(message))).toEqual([])
    const left = new Set(items.map(({ key }) => key))
    for (const [i, { others }] of rows.entries()) if ((others ?? []).length > 0) expect(left.has(`f/${i}`)).toBe(false)
    expect(problemsOf(all)).toEqual({ 'unread-question': unread.length })
    expect(items.length).toBeGreaterThan(170)
    expect(new Set(items.map(({ features }) => features['ask'])).size).toBe(5)
  })

  it('JSONL with a byte order mark, Windows line ends, blank and broken lines gives the same items', async () => {
    const rows = rowsOf(40, comparisonRow)
    const lines = rows.map(({ question, answer, metadata }, index) =>
      JSON.stringify({ index, question, answer, metadata }),
    )
    lines.splice(7, 0, '', '{"question": 3}', '[1, 2', 'null')
    const file = `\ufeff${lines.join('\r\n')}\r\n`
    const all = await read('recoglab-comparison', tree({ 'age_test.jsonl': file }))
    const same = await read('recoglab-comparison', tree({ 'age_test.tfrecord': tfrecord(rows) }))
    const items = (list: typeof all) => list.filter((entry) => entry.kind === 'item')
    expect(items(all)).toEqual(items(same))
    expect(problemsOf(all)).toEqual({ malformed: 3 })
  })
})

describe('predictions', () => {
  const rows = rowsOf(6, comparisonRow)
  const files = (list: unknown, name = 'age_test_predictions/val_prompt:P1_model:gemma-2b.json') =>
    tree({ 'age_test.tfrecord': tfrecord(rows), [name]: typeof list === 'string' ? list : JSON.stringify(list) })
  const responses = async (list: unknown, name?: string) => {
    const all = await read('recoglab-comparison', files(list, name))
    return {
      said: all.flatMap((entry) => (entry.kind === 'response' ? [[entry.item, entry.text]] : [])),
      problems: problemsOf(all),
      model: all.find((entry) => entry.kind === 'response')?.model,
    }
  }

  it('may be out of order, missing, of no item, failed or repeated: the newest that holds text counts', async () => {
    const { said, problems } = await responses([
      { index: 4, pred: 'four' },
      { index: 0, pred: 'old' },
      { index: 2, pred: '', exception: 'quota' },
      { index: 17, pred: 'nobody' },
      { index: 0, pred: 'new' },
      { index: 4, pred: null, exception: 'timeout' },
      { index: 5, pred: 'five', exception: null },
    ])
    expect(said).toEqual([
      ['age_test/4', 'four'],
      ['age_test/0', 'new'],
      ['age_test/5', 'five'],
    ])
    expect(problems).toEqual({ 'no-response': 1, 'missing-prediction': 2, 'repeated-prediction': 2, 'unknown-item': 1 })
  })

  it('never fall to an item by an index that is none', async () => {
    const { said, problems } = await responses(
      [null, '', ' ', true, [1], {}, -1, 0.5, 1e21, '1e0', '0x1'].map((index) => ({ index, pred: 'x' })),
    )
    expect(said).toEqual([])
    expect(problems).toEqual({ 'unknown-item': 11, 'missing-prediction': 6 })
    expect((await responses([{ index: '3', pred: 'three' }])).said).toEqual([['age_test/3', 'three']])
  })

  it.each([
    ['an object', '{"index": 0}'],
    ['cut off', '[{"index": 0, "pred": "cut'],
    ['empty', ''],
    ['NUL', '\u0000'],
    ['very deep', '['.repeat(100_000)],
  ])('that are no list are told: %s', async (_, text) => {
    const { said, problems } = await responses(text)
    expect(said).toEqual([])
    expect(problems).toEqual({ 'unreadable-file': 1 })
  })

  it('have names with models and labels of all sorts', async () => {
    for (const [name, model] of [
      ['age_test_predictions/prompt:P3_MULTI_model:gpt-4o-2024-08-06.json', 'gpt-4o-2024-08-06'],
      ['a/b/age_test_predictions/run_1_prompt:C5_model:models:gemini 1.5.json', 'models:gemini 1.5'],
    ] as const)
      expect((await responses([{ index: 1, pred: 'x' }], name)).model).toBe(model)
  })
})

describe('damaged and hostile files', () => {
  const rows = rowsOf(5, comparisonRow)
  const file = tfrecord(rows)
  const records = async (data: Uint8Array, piece = 97) => {
    const seen: string[] = []
    for await (const raw of readTfrecord(
      (tree({ x: data }, piece).bytes as (path: string) => AsyncIterable<Uint8Array>)('x'),
    ))
      seen.push(raw.kind === 'record' ? 'record' : raw.message)
    return seen
  }
  const ends = rows.map((_, i) => tfrecord(rows.slice(0, i + 1)).length)

  it('cut anywhere: whole records first, then one message, whatever the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: file.length }),
        fc.integer({ min: 1, max: 5000 }),
        async (at, piece) => {
          const seen = await records(file.slice(0, at), piece)
          const whole = ends.filter((end) => end <= at).length
          expect(seen.slice(0, whole)).toEqual(Array.from({ length: whole }, () => 'record'))
          expect(seen.length - whole).toBe(at === 0 || ends.includes(at) ? 0 : 1)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('any bit turned: the records before it, and a message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: file.length * 8 - 1 }), async (bit) => {
        const bad = file.slice()
        bad[bit >> 3] = (bad[bit >> 3] as number) ^ (1 << (bit & 7))
        const seen = await records(bad, 65536)
        const whole = ends.filter((end) => end <= bit >> 3).length
        expect(seen.slice(0, whole)).toEqual(Array.from({ length: whole }, () => 'record'))
        expect(seen[whole]).toMatch(/checksum/)
        expect(seen).toHaveLength(whole + 1)
      }),
      { numRuns: 60 },
    )
  })

  it.each([2 ** 28 + 1, 2 ** 32, 2 ** 53, 2 ** 63])(
    'a length of %d with a good checksum is refused before it is read',
    async (length) => {
      expect(await records(concat(head(length), new Uint8Array(100)))).toEqual([
        expect.stringMatching(/longer than any/),
      ])
    },
  )

  it('an importer goes on with the next file', async () => {
    const bad = file.slice()
    bad[(ends[2] as number) + 20] = 0xff
    const all = await read(
      'recoglab-comparison',
      tree({ 'a.tfrecord': bad, 'b.tfrecord': file, 'c.tfrecord': utf8.encode('PK\u0003\u0004 not one') }),
    )
    expect(all.filter((entry) => entry.kind === 'item')).toHaveLength(3 + 5)
    expect(problemsOf(all)).toEqual({ 'damaged-file': 2 })
  })

  it('examples of any bytes are decoded or refused, never more', async () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
        const found = decodeExample(data)
        expect(found === null || found instanceof Map).toBe(true)
      }),
      { numRuns: 500 },
    )
    const whole = example({ question: 'q', answer: 'a', index: 3 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (at) => {
        expect(decodeExample(whole.slice(0, at))?.get('index')).toBeUndefined()
      }),
    )
    const lies = [
      field(1, Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f)),
      Uint8Array.from({ length: 30 }, () => 0xff),
      field(1, field(1, concat(field(1, Uint8Array.of(0xc3, 0x28)), field(2, field(1, field(1, utf8.encode('x'))))))),
    ]
    for (const data of lies) expect(decodeExample(data)).toBeNull()
  })

  it('records without an index that can be one are counted through', async () => {
    const data = concat(
      ...[-1, 2 ** 53, 2].map((index) =>
        record(example({ index, question: (rows[0] as Row).question, answer: (rows[0] as Row).answer })),
      ),
    )
    const all = await read('recoglab-comparison', tree({ 'x.tfrecord': data }))
    expect(all.flatMap((entry) => (entry.kind === 'item' ? [entry.key] : []))).toEqual(['x/0', 'x/1', 'x/2'])
  })

  it('one endless line is passed over, and the next one read', async () => {
    const [row] = rows as [Row]
    const line = JSON.stringify({ index: 1, question: row.question, answer: row.answer })
    const all = await read('recoglab-comparison', tree({ 'x.jsonl': `${'x'.repeat(40_000_000)}\n${line}\n` }, 65536))
    expect(all.filter((entry) => entry.kind === 'item')).toHaveLength(1)
    expect(problemsOf(all)).toEqual({ malformed: 1 })
  })

  it.each([
    ['recoglab-comparison', 'A is older than '.repeat(200_000)],
    ['recoglab-social', `message ${'Ann wants '.repeat(300_000)}`],
    ['recoglab-families', `"Family Name"${'{"a":'.repeat(300_000)}`],
    ['recoglab-families', `"Family Name" ${'x from the y family living on '.repeat(100_000)}`],
    ['recoglab-syllogism', `${'All a are '.repeat(300_000)}\n${'No x are not y\n'.repeat(100_000)}`],
  ])('%s reads three megabytes of nonsense in its stride', async (name, question) => {
    const metadata = reprDict({ 'answer/entities': reprList(['Ann', 'Bob']) })
    const all = await read(name, tree({ 'x.jsonl': JSON.stringify({ question, answer: 'Yes', metadata }) }, 65536))
    expect(all.filter((entry) => entry.kind === 'item')).toEqual([])
  })
})
