import { JSDOM } from 'jsdom'
import { expect, it } from 'vitest'
import { column, type Table } from '../../../src/core/index.ts'
import { csvTable, htmlPage, type Report } from '../../../src/report/index.ts'

/** So many pairs of models on each of some tasks; of three one is told apart, and the last most surely. */
function pairsOn(tasks: readonly string[], each: number): Table {
  const rows = tasks.flatMap((task) =>
    Array.from({ length: each }, (_, i) => ({
      task,
      style: 'plain',
      a: `a${i}`,
      b: `b${i}`,
      holm: i % 3 === 2 ? 0.04 / (i + 1) : 0.5,
    })),
  )
  const { text, number } = column
  return {
    id: 'core/paired',
    title: 'Differences',
    columns: [
      text('task', 'Task'),
      text('style', 'Style'),
      text('a', 'Model A'),
      text('b', 'Model B'),
      number('holm', 'p (Holm)'),
    ],
    rows,
  }
}

function pageOf(table: Table, mostRows = 500) {
  const analysis = {
    id: table.id,
    title: 'Pairs',
    question: 'comparison' as const,
    task: null,
    source: null,
    notes: [],
    tables: [table],
    figures: [],
  }
  const report: Report = {
    schema: 'touchstone/report/1',
    run: 'run',
    rows: 1,
    parser: 'strict',
    tasks: [],
    verdict: null,
    headline: [],
    analyses: [analysis],
    skipped: [],
  }
  return new JSDOM(htmlPage(report, { mostRows, csv: true, svg: false, figures: new Map() })).window.document
}

const textsOf = (from: ParentNode, what: string) => [...from.querySelectorAll(what)].map((one) => one.textContent)

it('a long list of pairs is folded set by set, and each line says how many are told apart', () => {
  const page = pageOf(pairsOn(['one/task', 'two/task'], 9))
  expect(textsOf(page, 'summary')).toEqual([
    'one/task plain 3 of 9 pairs significant',
    'two/task plain 3 of 9 pairs significant',
  ])
  expect(page.querySelectorAll('details[open]')).toHaveLength(0)
  const names = [...page.querySelectorAll('.scroll')].map((one) => one.getAttribute('aria-label'))
  expect(names).toEqual(['Differences: one/task plain', 'Differences: two/task plain'])
  expect(page.querySelector<HTMLAnchorElement>('.parts a')?.getAttribute('href')).toBe('tables/core-paired.csv')
})

it('no pair of them is lost: those told apart most surely come first, and the set is not said again in each row', () => {
  const table = pairsOn(['one/task', 'two/task'], 9)
  const [first] = pageOf(table).querySelectorAll('details')
  if (first === undefined) throw new Error('nothing is folded')
  expect(textsOf(first, 'th')).toEqual(['Model A', 'Model B', 'p (Holm)'])
  expect(textsOf(first, 'td:first-child')).toEqual(['a8', 'a5', 'a2', 'a0', 'a1', 'a3', 'a4', 'a6', 'a7'])
  expect(csvTable(table).split('\n').slice(1, 3)).toEqual(['one/task,plain,a0,b0,0.5', 'one/task,plain,a1,b1,0.5'])
})

it('what a page may hold is shared among the sets', () => {
  const page = pageOf(pairsOn(['one/task', 'two/task'], 9), 8)
  expect(page.querySelectorAll('tbody tr')).toHaveLength(8)
  expect(textsOf(page, 'details p')).toEqual(['5 more rows.', '5 more rows.'])
})

it.each([
  ['of one set', pairsOn(['one/task'], 18)],
  ['of few rows', pairsOn(['one/task', 'two/task'], 6)],
])('pairs %s are one list, in their order', (_, table) => {
  const page = pageOf(table)
  expect(page.querySelectorAll('details')).toHaveLength(0)
  const at = textsOf(page, 'thead th').indexOf('Model A') + 1
  expect(textsOf(page, `td:nth-child(${at})`)).toEqual(table.rows.map(({ a }) => a))
})
