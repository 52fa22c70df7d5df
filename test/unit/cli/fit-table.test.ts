import { expect, test } from 'vitest'
import { fitTable } from '../../../src/cli/fit-table.ts'
import { column, type Table } from '../../../src/core/index.ts'
import { plainTable } from '../../../src/report/index.ts'

const estimate = { value: 0.45, low: 0.248, high: 0.67, n: 20, method: 'm' }
const table: Table = {
  id: 'core/accuracy',
  title: 'Accuracy',
  columns: [
    column.text('task', 'Task'),
    column.text('model', 'Model'),
    ...['planned', 'correct'].map((key) => column.number(key, key === 'planned' ? 'Planned' : 'Correct')),
    column.estimate('accuracy', 'Accuracy'),
    column.share('chance', 'Chance'),
    column.text('heuristicName', 'Heuristic'),
    column.number('failed', 'Failed'),
    column.number('refused', 'Refused'),
  ],
  rows: ['first', 'second'].map((name, at) => ({
    task: 'recoglab/comparison',
    model: `model-of-the-${name}`,
    planned: 20,
    correct: 9,
    accuracy: estimate,
    chance: 0.5,
    heuristicName: 'list-order',
    failed: 0,
    refused: at,
  })),
}
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length))

test('a table keeps all where there is room, and in a file', () => {
  const whole = plainTable(table)
  for (const room of [undefined, widest(whole)])
    expect(fitTable(table, plainTable, room)).toEqual({ above: '', text: whole, hidden: [] })
})

test('a narrower one says once what is the same, and lets go first of what is 0', () => {
  const { above, text, hidden } = fitTable(table, plainTable, 90)
  expect([above, hidden]).toEqual(['recoglab/comparison', []])
  expect(text).not.toContain('Failed')
  expect(widest(text)).toBeLessThanOrEqual(90)
  expect(text).toContain('Refused')
})

test('models and accuracies stay, however little room there is', () => {
  const { text, hidden } = fitTable(table, plainTable, 10)
  expect(text).toMatch(/^Model +Accuracy\n/u)
  expect(text).toContain('model-of-the-second  0.450 [0.248, 0.670]')
  expect(hidden).toEqual(['Heuristic', 'Planned', 'Correct', 'Chance', 'Refused'])
})

test('numbers of a table without models are never taken for what all rows share', () => {
  const columns = table.columns.filter(({ key }) => key !== 'model')
  const { above, text } = fitTable({ ...table, columns, rows: table.rows.slice(0, 1) }, plainTable, 40)
  expect(above).toBe('recoglab/comparison')
  expect(text).toContain('0.450 [0.248, 0.670]')
})
