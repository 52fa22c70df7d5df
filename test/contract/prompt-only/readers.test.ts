import { describe, expect, it } from 'vitest'
import { sample } from '../../nightly.ts'
import { readers } from './readers.ts'
import { type Reader, survey } from './survey.ts'

/**
 * Programs that read nothing but the prompt come to the answer. `PROMPT_ONLY_ITEMS=100000` reads that many items of
 * a task, over all presets alike (choose a task with `-t NAME`), and prints the count; `PROMPT_ONLY_SECONDS` ends it earlier.
 */
const { PROMPT_ONLY_ITEMS: asked, PROMPT_ONLY_SECONDS: seconds = '600' } = process.env

describe('a reader of the prompt alone agrees', () => {
  it.each(readers.map((reader) => [reader.task.name, reader] as const))(
    '%s',
    (_, { task, read, quick }) => {
      const all = Object.keys(task.presets)
      const extent = {
        items: Number(asked ?? sample({ nightly: 1000, otherwise: 20 })),
        seconds: Number(seconds),
        presets: asked === undefined ? (quick ?? all) : all,
      }
      const found = survey(task, read, extent)
      if (asked !== undefined) process.stdout.write(`${JSON.stringify(found)}\n`)
      expect(found.disagreements.slice(0, 10)).toEqual([])
      expect(found.items).toBeGreaterThanOrEqual(Math.min(extent.items, 50))
    },
    2 * 1000 * Number(seconds),
  )

  it('and one that says the opposite does not', () => {
    const { task, quick = [] } = readers[0] as (typeof readers)[0]
    const opposite: Reader = (asked, item, gold) => {
      const found = (readers[0] as (typeof readers)[0]).read(asked, item, gold)
      return found.kind === 'answers'
        ? { ...found, texts: found.texts.map((text) => (text === 'Yes' ? 'No' : 'Yes')) }
        : found
    }
    const items = sample({ nightly: 40, otherwise: 10 })
    expect(survey(task, opposite, { items, seconds: 60, presets: quick }).disagreements).toHaveLength(items)
  })
})
