import { expect, test } from 'vitest'
import type { Context } from '../../../src/cli/output.ts'
import { printVerdict } from '../../../src/cli/run-output.ts'
import type { Report } from '../../../src/report/index.ts'

const line = (condition: string, [value, low, high]: readonly [number, number, number], settle = '') => ({
  condition,
  task: condition,
  difference: { value, low, high, n: 100, method: 'm' },
  settle,
})
const verdict: NonNullable<Report['verdict']> = {
  kind: 'verdict',
  title:
    'gpt-x is better than qwen-y-32b on 2 of 3 tasks; no clear difference on 1, which is a title too long for one line.',
  detail: '',
  pair: { a: 'gpt-x', b: 'qwen-y-32b' },
  better: [line('slr-bench/trains', [0.4, 0.27, 0.5]), line('clutrr/kinship', [0.22, 0.084, 0.336])],
  worse: [],
  unclear: [line('recoglab/comparison', [-0.01, -0.078, 0.059], 'about 16,000 more items')],
}

function printed(report: Pick<Report, 'verdict'>, columns?: number): readonly string[] {
  const texts: string[] = []
  const stdout = { columns, write: (text: string) => texts.push(text) }
  printVerdict({ process: { stdout } } as unknown as Context, report as Report)
  return texts.join('').split('\n')
}

test('a verdict names the tasks on which a model is better, and what would settle the others, in 80 columns', () => {
  const lines = printed({ verdict }, 80)
  expect(lines).toContain('gpt-x better')
  expect(lines).toContain('  slr-bench/trains     +40  +27 to +50')
  expect(lines[lines.indexOf('No clear difference') - 1]).toBe('  clutrr/kinship       +22   +8 to +34')
  expect(lines).toContain('  recoglab/comparison   −1    −8 to +6  about 16,000 more items')
  expect(lines.some((one) => one.startsWith('qwen-y-32b better'))).toBe(false)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('a verdict on one task is its sentence, and in a file it is one line', () => {
  const one = { ...verdict, better: verdict.better.slice(0, 1), unclear: [] }
  expect(printed({ verdict: one })).toEqual([verdict.title, '', ''])
})
