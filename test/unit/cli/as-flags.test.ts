import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asFlags } from '../../../src/cli/as-flags.ts'

/** What is said in a UsageError, with brackets in brackets. */
const ERRORS = /new UsageError\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/gu
/** But for those of a whole command line: `touchstone generate TASK --split train`. */
const FLAG = /(?<!touchstone[^`'"]*)--[a-z]{2}/u
const src = join(import.meta.dirname, '../../../src')

it('options of the library are told as flags, and nothing else is', () => {
  expect(asFlags('give another folder with `out`')).toBe('give another folder with --out')
  expect(asFlags('two `models`, `perPerson` and `usd`')).toBe('two --model, --per-person and --max-usd')
  expect(asFlags('go on by `resume`, at `x = 1`')).toBe('go on by `resume`, at `x = 1`')
})

it('no error of the library names a flag', () => {
  const rooms = ['core', 'datasets', 'exchange', 'lab', 'models', 'report', 'runner', 'serve', 'store']
  const found = rooms.flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(src, room, file), 'utf8')
        return [...text.matchAll(ERRORS)].flatMap(([told]) => (FLAG.test(told) ? [`${room}/${file}: ${told}`] : []))
      }),
  )
  expect(found).toEqual([])
})
