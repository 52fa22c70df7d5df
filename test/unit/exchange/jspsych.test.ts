import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withChecks } from '../../../src/extras/exchange/jspsych/checks.ts'
import { counterbalanced, type Placed } from '../../../src/extras/exchange/jspsych/lists.ts'
import { jsPsychResponses } from '../../../src/extras/exchange/jspsych/read.ts'

/** Sets of one draw, each with some of the cells. */
const placed = fc
  .array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((sets): Placed[] =>
    sets.flatMap((cells, set) => cells.map((cell) => ({ item: `${set}/${cell}`, draw: String(set), cell }))),
  )

describe('lists', () => {
  it('show nobody two of a draw, and every question in two lists, one the reverse of the other', () => {
    fc.assert(
      fc.property(placed, fc.integer({ min: 1, max: 50 }), (questions, most) => {
        const lists = counterbalanced(questions, most)
        for (const list of lists) {
          expect(new Set(list.map((at) => questions[at]?.draw)).size).toBe(list.length)
          expect(list.length).toBeLessThanOrEqual(most)
          expect(list.length).toBeGreaterThan(0)
        }
        expect(lists.flat().toSorted((a, b) => a - b)).toEqual([...questions.keys()].flatMap((at) => [at, at]))
        for (let k = 0; k < lists.length; k += 2) expect(lists[k + 1]).toEqual(lists[k]?.toReversed())
        expect(counterbalanced(questions, most)).toEqual(lists)
      }),
    )
  })

  it('of twins hold as many of each cell, give or take one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (sets, most) => {
        const questions = Array.from({ length: sets }, (_, set) =>
          ['no', 'yes'].map((cell) => ({ item: `${set}/${cell}`, draw: String(set), cell })),
        ).flat()
        for (const list of counterbalanced(questions, most)) {
          const yes = list.filter((at) => questions[at]?.cell === 'yes').length
          expect(Math.abs(list.length - 2 * yes)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('have attention checks among the questions, never first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
        const list = withChecks([...Array(count).keys()], 'list')
        expect(list.filter((entry) => typeof entry === 'number')).toEqual([...Array(count).keys()])
        expect(list.length - count).toBe(Math.max(1, Math.round(count / 10)))
        expect(typeof list[0]).toBe('number')
        for (const entry of list)
          if (typeof entry !== 'number') expect(entry.choices.filter((word) => word === entry.expected)).toHaveLength(1)
      }),
    )
  })
})

const answer = (participant: string, item: string, text: unknown) => ({
  part: 'question',
  participant,
  item,
  style: 's',
  text,
})
const check = (participant: string, text: string) => ({ part: 'check', participant, expected: 'amber', text })
const read = (...files: readonly string[]) => [...jsPsychResponses(files, 'human')]

describe('answers of people', () => {
  const data = [
    { trial_type: 'consent', part: 'consent', participant: 'P1' },
    answer('P1', 'i/0', 'Yes'),
    check('P1', 'amber'),
    answer('P1', 'i/0', 'No'),
    answer('P2', 'i/0', 'No'),
    check('P2', 'olive'),
    check('P2', 'amber'),
    answer('P3', 'i/0', 'No'),
    answer('P3', 'i/1', ' '),
    check('P3', 'amber'),
    answer('P4', 'i/1', 'Yes'),
  ]

  it('are samples of one model; who failed a check or saw none is left out and told', () => {
    expect(read(JSON.stringify(data))).toEqual([
      { item: 'i/0', style: 's', model: 'human', sample: 0, text: 'Yes' },
      { item: 'i/0', style: 's', missing: 'P1 answered a question twice: the first answer is kept' },
      { item: 'i/0', style: 's', missing: 'P2 is excluded: failed 1 of 2 attention checks' },
      { item: 'i/0', style: 's', model: 'human', sample: 1, text: 'No' },
      { item: 'i/1', style: 's', missing: 'an empty answer' },
      { item: 'i/1', style: 's', missing: 'P4 is excluded: no attention check was answered' },
    ])
  })

  it('keep their reaction times, where there are any to be believed', () => {
    const times = [1234.5, '250', null, '', 'soon', -1, 1e12]
    const trials = times.map((rt, i) => ({ ...answer('P1', `i/${i}`, 'Yes'), rt }))
    const found = read(JSON.stringify([...trials, check('P1', 'amber')]))
    expect(found.map((one) => one.seconds)).toEqual([1.2345, 0.25, ...Array.from({ length: 5 }, () => undefined)])
  })

  it('are the same as CSV, as an array of arrays, as an array a line and as a file for each person', () => {
    const whole = read(JSON.stringify(data))
    const by = Map.groupBy(data, ({ participant }) => participant)
    expect(read(JSON.stringify([...by.values()]))).toEqual(whole)
    expect(read(...[...by.values()].map((one) => JSON.stringify(one)))).toEqual(whole)
    expect(read([...by.values()].map((one) => `${JSON.stringify(one)}\n`).join(''))).toEqual(whole)
    const columns = ['part', 'participant', 'item', 'style', 'expected', 'text'] as const
    const row = (trial: object) =>
      columns
        .map((name) => `"${String((trial as Record<string, unknown>)[name] ?? '').replaceAll('"', '""')}"`)
        .join(',')
    const table = [...by.values()].flatMap((one) => [columns.join(','), ...one.map(row)])
    expect(read(table.join('\r\n'))).toEqual(whole)
  })

  it('of another form are refused in words', () => {
    expect(() => read('[{"part":"question","item":"i"}]')).toThrow(/without a participant/u)
    expect(() => read('[1, 2')).toThrow(/expected trials of jsPsych/u)
    expect(() => read(JSON.stringify([{ ...check('P1', 'x'), participant: 'x'.repeat(81) }]))).toThrow()
  })
})
