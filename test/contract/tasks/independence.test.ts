import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { importsOf, readSources } from '../../unit/layers/imports.ts'

/**
 * An oracle proves something only where it does not share the generator's mistakes (docs/concepts.md#two-proofs): what draws and what
 * judges import no common file but types, core, and what reads the truth itself. Exceptions have a reason.
 */

const root = join(import.meta.dirname, '../../..')
const sources = readSources(root, ['src'])

/** Files that only read or write the form of the truth. */
const readsTruth: readonly string[] = [
  'src/tasks/clutrr/kinship/question.ts',
  'src/tasks/slr-bench/trains/question.ts',
  'src/libraries/grammars/grammar/cfg.ts',
  'src/libraries/grammars/notation/nltk.ts',
  'src/libraries/grammars/notation/relic.ts',
  'src/libraries/grammars/notation/tokens.ts',
  'src/tasks/recoglab/social/question.ts',
  'src/tasks/recoglab/syllogism/question.ts',
]

const countsWork = {
  files: /^src\/libraries\/grammars\/recognise\/earley\.ts$/,
  why: 'the generator counts the items of this chart, a measure of work; its answers come from charts by spans',
}

/** Shared code that does more, and why that is sound. */
const excused: { readonly [task: string]: { readonly files: RegExp; readonly why: string } } = {
  'proficiency/discriminate': {
    files:
      /^src\/(libraries\/grammars\/(pcfg\/|grammar\/token-sets\.ts)|tasks\/proficiency\/(languages\/compiled|discriminate\/sampling\/edits)\.ts)/,
    why: 'one barrel and one compiled form serve both; the generator asks the prefix automaton, the oracle an Earley chart',
  },
  'relic/recognize': countsWork,
  'relic/parse': countsWork,
  'relic/next': countsWork,
  'relic/fill': countsWork,
  'relic/repair': countsWork,
  'pbebench/sound-laws': {
    files: /^src\/tasks\/pbebench\/oracle\.ts$/,
    why: 'its words are data, not drawn: the oracle filters which published laws hold, and the witness traces every word',
  },
}

/** Tasks that draw no truth: there is no generator whose mistakes an oracle could share. */
const nothingDrawn: { readonly [task: string]: string } = {
  'proficiency/generate': 'it asks for any strings of a language; the oracle judges those that come back',
}

/** A file and what it imports as values, through and through; core is not entered, and data imports nothing. */
function reach(from: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(from) || from.startsWith('src/core/') || from.endsWith('.json')) return seen
  seen.add(from)
  const text = sources.get(from)
  if (text === undefined) throw new Error(`${from} is imported, but is not there`)
  for (const { file, typeOnly } of importsOf(from, text)) if (file !== undefined && !typeOnly) reach(file, seen)
  return seen
}

const first = (paths: readonly string[]): string | undefined => paths.find((path) => existsSync(join(root, path)))

describe('oracles are independent of generators', () => {
  for (const task of families.flatMap((family) => family.tasks))
    it(task.name, () => {
      const folder = `src/tasks/${task.name}`
      const family = folder.slice(0, folder.lastIndexOf('/'))
      const draws = first([`${folder}/draw.ts`])
      const judges = first([`${folder}/oracle.ts`, `${folder}/proof.ts`, `${family}/oracle.ts`])
      if (nothingDrawn[task.name] !== undefined) return expect(draws).toBeUndefined()
      expect(draws, 'a task draws in draw.ts').toBeDefined()
      expect(judges, 'a task judges in oracle.ts, proof.ts, or the oracle.ts of its family').toBeDefined()
      const drawn = reach(draws as string)
      const common = [...reach(judges as string)].filter((file) => drawn.has(file) && !readsTruth.includes(file))
      const excuse = excused[task.name]
      const unexcused = common.filter((file) => !(excuse?.files.test(file) ?? false))
      expect(unexcused, `${draws} and ${judges} share code`).toEqual([])
      if (excuse !== undefined) expect(common, 'the excuse is needed no longer').not.toEqual([])
    })
})
