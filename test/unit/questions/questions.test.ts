import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasQuestions, questionFilesAt, questionTask } from '../../../src/extras/questions/index.ts'
import { type Item, type Json, scoreOfText, type Task } from './scoring.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchstone-questions-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function taskOf(name: string, text: string): Promise<Task> {
  const path = join(root, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  const [files] = questionFilesAt(path)
  return questionTask(files as NonNullable<typeof files>)
}

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

function itemsOf(task: Task, config: { readonly [key: string]: Json } = {}) {
  const source = task.source(task.configure(config), { split: 'test', seed: '1' })
  return Array.from({ length: source.layout.size ?? 0 }, (_, index) => source.item(index))
}

const promptOf = (task: Task, item: Item, style = 'instructed'): string => {
  const request = task.request(item, style, undefined as never)
  return request.kind === 'chat' ? request.messages.map(({ content }) => content).join('\n---\n') : ''
}

/** The first item that is asked, and the score of a response to it. */
function firstOf(task: Task, config: { readonly [key: string]: Json } = {}) {
  const item = itemsOf(task, config).find((one) => one.kind === 'item') as Item
  return { item, prompt: promptOf(task, item), score: (text: string) => scoreOfText(task, item, text) }
}

describe('answers as JSON', () => {
  it('may be numbers and texts, bare or fenced; prose is none', async () => {
    for (const [at, answer] of ['109', '"s"', '[1, 2]', '{"a": 1}'].entries()) {
      const { score } = firstOf(await taskOf(`json-${at}.jsonl`, lines([{ question: 'q', answer }])), {
        grader: 'json',
      })
      expect([answer, `${answer}\n`, `So:\n\`\`\`json\n${answer}\n\`\`\``].map(score)).toEqual([1, 1, 1])
      expect(score(`I say ${answer.replaceAll(/[[\]{}]/gu, '')}`)).not.toBe(1)
    }
  })
})

describe('files of questions', () => {
  const published: readonly (readonly [string, string, string, unknown])[] = [
    [
      'numbers behind ####',
      'g.jsonl',
      lines([
        { question: '2+2?', answer: 'Two and two.\n#### 4' },
        { question: '1+1?', answer: 'x #### 2' },
      ]),
      '4',
    ],
    ['letters of columns', 'm.csv', 'Question,A,B,C,D,Answer\nSky?,red,blue,green,black,B\nSea?,x,y,z,w,A\n', 'B'],
    [
      'indices of a list',
      'i.jsonl',
      lines([
        { question: 'q', choices: ['a', 'b'], answer: 1 },
        { question: 'r', choices: ['a', 'b'], answer: 0 },
      ]),
      'B',
    ],
    [
      'indices from 1',
      'j.jsonl',
      lines([
        { q: 1, question: 'q', choices: ['a', 'b'], answer: 2 },
        { question: 'r', choices: ['a', 'b'], answer: 1 },
      ]),
      'B',
    ],
    [
      'labels beside texts',
      'l.jsonl',
      lines([{ question: 'q', choices: { text: ['a', 'b'], label: ['1', '2'] }, answerKey: '2' }]),
      '2',
    ],
    [
      'a stem with choices',
      's.jsonl',
      lines([
        {
          question: {
            stem: 'q',
            choices: [
              { label: 'A', text: 'x' },
              { label: 'B', text: 'y' },
            ],
          },
          answerKey: 'B',
        },
      ]),
      'B',
    ],
    [
      'scores of choices',
      't.json',
      JSON.stringify({ examples: [{ input: 'q', target_scores: { Yes: 0, No: 1 } }] }),
      'B',
    ],
    [
      'answers with aliases',
      'a.jsonl',
      lines([{ question: 'q', answer: { value: 'Paris', aliases: ['Lutetia'] } }]),
      ['Paris', 'Lutetia'],
    ],
    [
      'messages that end in the answer',
      'c.jsonl',
      lines([
        {
          messages: [
            { role: 'user', content: 'q' },
            { role: 'assistant', content: 'yes' },
          ],
        },
      ]),
      'yes',
    ],
    [
      'exams without a head, as MMLU has them',
      'mmlu.csv',
      '"2 + 2, or more?",3,4,5,6,B\nIce is,hot,cold,new,old,B\n',
      'B',
    ],
    ['sums as MAWPS names them', 'mawps.json', JSON.stringify([{ sQuestion: 'How many?', lSolutions: [39] }]), '39'],
    [
      'only wrong answers as columns',
      'w.csv',
      'Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2\nq,b,a,c\n',
      'B',
    ],
    [
      'a column that is empty is none',
      'e.jsonl',
      lines([{ passage: null, question: 'q', options: ['(A)x', '(B)y'], label: 'B', answer: null }]),
      'B',
    ],
    ['choices named ans0, ans1', 'n.jsonl', lines([{ question: 'q', ans0: 'x', ans1: 'y', label: 1 }]), '1'],
    [
      'several letters that are right together',
      'm.jsonl',
      lines([
        { question: 'q', choices: ['x', 'y', 'z'], label: ['C', 'A'] },
        { question: 'r', choices: ['x', 'y', 'z'], label: ['B'] },
      ]),
      'A, C',
    ],
    ['a list as the text of an answer', 'v.jsonl', lines([{ question: 'q', answer: '[1, 2]' }]), '[1, 2]'],
    ['tabs with quotes and bars in texts', 'q.tsv', 'question\tanswer\n"Who"|"what" said he?\ta\n"Open?\tb\n', 'a'],
  ]
  it.each(published)('%s', async (_, name, text, answer) => {
    expect(firstOf(await taskOf(name, text)).item.answer).toEqual(answer)
  })

  it('hold texts that no Unicode allows, with a mark in place of what is wrong', async () => {
    const text = '{"question":"\\ud800 q","answer":"\\udc00 a"}\n'
    expect(firstOf(await taskOf('surrogates.jsonl', text)).item.answer).toBe('\ufffd a')
  })

  it('hold features of any number', async () => {
    const rows = [1.5, 2, 1.5, 2].map((level, n) => ({ question: `q${n}`, answer: 'a', level }))
    expect(firstOf(await taskOf('decimals.jsonl', lines(rows))).item.features).toEqual({ level: '1.5' })
  })

  it('put a context first and group by it; other columns are features', async () => {
    const rows = [1, 2, 3].map((n) => ({
      question: `q${n}`,
      answer: 'a',
      context: n < 3 ? 'One story.' : 'Another.',
      level: n,
    }))
    const task = await taskOf('context.jsonl', lines(rows))
    const [first, second, third] = itemsOf(task) as readonly Item[]
    expect(promptOf(task, first as Item, 'as-given')).toBe('One story.\n\nq1')
    expect([first?.group, second?.group, third?.group]).toEqual([0, 0, 1])
    expect(second?.features).toEqual({ level: 2 })
  })

  it('without a head lose no row', async () => {
    const task = await taskOf('exam.csv', 'q1,a,b,A\nq2,c,d,B\n')
    expect(itemsOf(task).map((item) => (item.kind === 'hole' ? item.reason : item.answer))).toEqual(['A', 'B'])
  })

  it('say which rows cannot be asked, and ask the others', async () => {
    const task = await taskOf(
      'holes.jsonl',
      lines([{ question: 'q', answer: '' }, { question: 'r', answer: '4' }, { answer: '5' }]),
    )
    expect(itemsOf(task).map((item) => (item.kind === 'hole' ? item.reason : item.answer))).toEqual([
      'row 1 has no answer',
      '4',
      'row 3 has no question',
    ])
  })

  it('without known columns say how to name them; named ones are taken', async () => {
    const task = await taskOf('odd.csv', 'frage,loesung\nWie viel ist 2+2?,4\n')
    expect(() => itemsOf(task)).toThrow('Name it with --set question=COLUMN. Columns: frage, loesung')
    const { item, score } = firstOf(task, { question: 'frage', answer: 'loesung' })
    expect([item.answer, score('Answer: 4')]).toEqual(['4', 1])
  })

  it('in a folder are a task each, and by split as at Hugging Face the test split', async () => {
    await taskOf('folder/one.csv', 'question,answer\nq,a\n')
    await taskOf('folder/two.jsonl', lines([{ question: 'q', answer: 'a' }]))
    expect(questionFilesAt(join(root, 'folder')).map(({ task }) => task)).toEqual(['questions/one', 'questions/two'])
    for (const split of ['train', 'test-00000-of-00002', 'test-00001-of-00002'])
      await taskOf(`hub/data/${split}.jsonl`, lines([{ question: split, answer: 'a' }]))
    const [hub, ...others] = questionFilesAt(join(root, 'hub'))
    expect([hub?.task, hub?.paths.length, others]).toEqual(['questions/hub', 2, []])
  })

  it('are no experiments, runs, datasets or packages', async () => {
    await taskOf('experiment.json', '[]').catch(() => undefined)
    await writeFile(join(root, 'experiment.json'), '{"items": [{"task": "a/b"}], "models": []}')
    expect(hasQuestions(join(root, 'experiment.json'))).toBe(false)
    await writeFile(join(root, 'rows.json'), '{"items": [{"question": "q", "answer": "a"}]}')
    expect(hasQuestions(join(root, 'rows.json'))).toBe(true)
    await mkdir(join(root, 'run'))
    await writeFile(join(root, 'run', 'run.json'), '{}')
    await writeFile(join(root, 'run', 'rows.csv'), 'question,answer\n')
    expect(hasQuestions(join(root, 'run'))).toBe(false)
  })

  it('have another version when a row changes, the same when only the name does', async () => {
    const [a, b, c] = [
      await taskOf('v1.csv', 'question,answer\nq,a\n'),
      await taskOf('v2.csv', 'question,answer\nq,b\n'),
      await taskOf('v3.csv', 'question,answer\nq,a\n'),
    ]
    expect(a.version).not.toBe(b.version)
    expect(a.version).toBe(c.version)
  })
})

describe('graders', () => {
  it('compare texts without case, quotes and full stop', async () => {
    const { score } = firstOf(await taskOf('text.csv', 'question,answer\nq,New York\n'))
    expect(['Answer: "new  york".', '**Answer:** New York', 'New York', 'Thoughts.\nAnswer: York'].map(score)).toEqual([
      1, 1, 1, 0,
    ])
    expect(score('First line.\nSecond line.')).toBe(null)
  })

  it('take signs alone for an answer', async () => {
    const rows = ['[]', '{}', "' '"].map((answer) => ({ question: 'q', answer }))
    const { score } = firstOf(await taskOf('signs.jsonl', lines(rows)))
    expect(['Answer: []', '[]', 'It is empty.\n\n**Answer:** `[]`\n', 'Answer: {}', 'Answer: [1]'].map(score)).toEqual([
      1, 1, 1, 0, 0,
    ])
    expect(['', 'Answer:', '---'].map(score)).toEqual([null, null, null])
    const closing = firstOf(
      await taskOf('closing.jsonl', lines(['] >', '> )'].map((answer) => ({ question: 'q', answer })))),
    )
    expect(['Answer: ] >', '**Answer:** `] >`', '] >', 'Answer: ]'].map(closing.score)).toEqual([1, 1, 1, 0])
  })

  it('tell a model the answers where a file has only a few, again and again', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => ({
      question: `q${n}`,
      answer: n % 2 === 0 ? 'entailed' : 'neutral',
    }))
    const task = await taskOf('closed.jsonl', lines(rows))
    expect(firstOf(task).prompt).toContain('X is one of: entailed, neutral')
    expect(task.choices?.({ shared: null, given: firstOf(task).item.given })).toEqual(['entailed', 'neutral'])
  })

  it('read a choice by letter or text, and no article as a letter', async () => {
    const rows = [{ question: 'q', choices: ['a dog', 'a cat', 'a fish'], answer: 'C' }]
    const { prompt, score } = firstOf(await taskOf('choice.jsonl', lines(rows)))
    expect(prompt).toContain('A) a dog\nB) a cat\nC) a fish')
    expect(['Answer: C', '(c)', 'Answer: C) a fish', 'a fish', 'Answer: B'].map(score)).toEqual([1, 1, 1, 1, 0])
    expect(score('Answer: A bird is none of these')).toBe(null)
    const task = await taskOf('choice.jsonl', lines(rows))
    const lenient = (text: string) => task.parsers?.lenient(text, firstOf(task).item)
    expect(lenient('The right Answer is (C).\nSo much for that.')).toMatchObject({ answer: 'C', rule: 'named' })
    expect(lenient('So it is $\\boxed{\\text{C}}$')).toMatchObject({ answer: 'C', rule: 'named' })
    expect(lenient('The blood group is A. But that was not asked.')).toMatchObject({ kind: 'unparsed' })
    expect(lenient('A cat or a dog? Hard to say.')?.kind).toBe('unparsed')
  })

  it('ask for all right choices, and for no other', async () => {
    const rows = ['BD', 'A'].map((label) => ({ question: label, choices: ['p', 'q', 'r', 's'], label }))
    const { prompt, score } = firstOf(await taskOf('all.jsonl', lines(rows)))
    expect(prompt).toContain('all right options')
    expect(
      ['Answer: B, D', 'Answer: D and B', 'Answer: (B), (D)', 'Answer: BD', 'Answer: B', 'Answer: A, B, D'].map(score),
    ).toEqual([1, 1, 1, 1, 0, 0])
    expect(score('Answer: B or something')).toBe(null)
  })

  it('put an instruction before an input, group by none that all rows have, and ask it alone without input', async () => {
    const rows = [
      { instruction: 'Add.', input: '1, 1', output: '2' },
      { instruction: 'Add.', input: '2, 1', output: '3' },
    ]
    const task = await taskOf('alpaca.jsonl', lines(rows))
    expect(firstOf(task).prompt).toContain('Add.\n\n1, 1')
    const source = task.source(task.configure({}), { split: 'test', seed: '1' })
    expect(source.layout.at(0)).not.toEqual({ ...source.layout.at(1), ordinal: 0 })
    const alone = await taskOf('alone.jsonl', lines([{ instruction: 'Greet.', input: '', output: 'Hi' }, ...rows]))
    expect(firstOf(alone).prompt).toContain('Greet.')
  })

  it('compare numbers exactly, or within a tolerance', async () => {
    const task = await taskOf('number.csv', 'question,answer\nq,"1,250.50"\nr,3\n')
    const { score } = firstOf(task)
    expect(
      ['Answer: 1250.5', 'Answer: $1,250.50', 'Answer: 2501/2', 'Answer: 1.2505e3', 'Answer: 1250.51'].map(score),
    ).toEqual([1, 1, 1, 1, 0])
    expect(firstOf(task, { tolerance: 0.01 }).score('Answer: 1250.51')).toBe(1)
    expect(firstOf(task, { tolerance: 0.009 }).score('Answer: 1250.51')).toBe(0)
    expect(firstOf(task, { tolerance: '1%' }).score('Answer: 1262')).toBe(1)
    expect(firstOf(task, { tolerance: '1%' }).score('Answer: 1264')).toBe(0)
    const negative = firstOf(await taskOf('negative.csv', 'question,answer\nq,-3\nr,2\n'))
    expect(['Answer: -3', 'Answer: −3', 'Answer: 3', '- 3'].map(negative.score)).toEqual([1, 1, 0, 0])
  })

  it('match patterns in linear time, whatever pattern and response', async () => {
    const task = await taskOf('regex.csv', 'question,regex\nq,(a+)+$\n')
    const { score } = firstOf(task)
    expect([score('so: aaa'), score('b')]).toEqual([1, 0])
    expect(score(`${'a'.repeat(100_000)}!`)).toBe(0)
    const text = await taskOf('words.csv', 'question,answer\nq,word\n')
    expect(() => itemsOf(text, { grader: 'number' })).toThrow('row 1 has the answer "word", which is no number')
    const [item] = itemsOf(await taskOf('regex2.csv', 'question,regex\nq,(?=x)\nr,b\n'))
    expect(item?.kind === 'hole' && item.reason).toContain('no pattern of RE2')
  })

  it('compare JSON without the order of keys', async () => {
    const { score } = firstOf(await taskOf('json.jsonl', lines([{ question: 'q', answer: { a: [1, 2], b: null } }])))
    expect(score('```json\n{"b": null, "a": [1, 2.0]}\n```')).toBe(1)
    expect(score('It is {"a": [2, 1], "b": null}.')).toBe(0)
    expect(score('{"a": [1, 2]')).toBe(null)
    expect(score('['.repeat(200_000))).toBe(null)
  })

  it('take any of several answers', async () => {
    const { score } = firstOf(await taskOf('several.jsonl', lines([{ question: 'q', answers: ['six', '6'] }])))
    expect(['Answer: Six', 'Answer: 6', 'Answer: 7'].map(score)).toEqual([1, 1, 0])
  })

  it('never throw, and score the gold response 1', async () => {
    const tasks = [
      await taskOf('p1.csv', 'question,answer\nq,Rome\n'),
      await taskOf('p2.csv', 'question,A,B,answer\nq,x,y,B\n'),
      await taskOf('p3.csv', 'question,answer\nq,3.5\nr,2\n'),
      await taskOf('p4.jsonl', lines([{ question: 'q', answer: { a: 1 } }])),
    ]
    for (const task of tasks) {
      const { item, score } = firstOf(task)
      expect(score(task.gold?.(item) ?? '')).toBe(1)
      fc.assert(
        fc.property(
          fc.string({ unit: fc.constantFrom(...'Answer: 3.5,-/{}[]"x\n()$\\ABé−') }),
          (text) => void score(text),
        ),
      )
    }
  })
})
