import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parsers } from '../../../src/tasks/relic/recognize/parsers.ts'
import { checkSteps } from '../../../src/tasks/relic/recognize/proof.ts'

const NAME = 'grammar_20250415145607_544790'
const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../../shared')
const folder = join(shared, 'data/relic-500-sample/data/grammars', NAME)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

interface Line {
  readonly custom_id: string
  readonly response: {
    readonly body: {
      readonly model: string
      readonly choices: readonly [{ readonly message: { readonly content: string } }]
    }
  }
}

/** A stated rule as the grammar's file would have it, by other means than the checker's: the names on either side of one arrow. */
const written = (step: string): string => {
  const [left = '', right = ''] = step.replaceAll(/\\[,;! ]/gu, ' ').split(/->|→|=>|⇒|\\(?:rightarrow|Rightarrow|to)/u)
  const names = (text: string): readonly string[] => text.match(/\b(?:S|NT\d+|t\d+)\b/gu) ?? []
  const words = names(right.split(/[,|]/u).at(-1) ?? '')
  return `${names(left)[0]} -> ${words.length === 1 ? `'${words[0]}'` : words.join(' ')}`
}

// Published data are never part of the repository: where they are not, this says so and does nothing.
it.skipIf(!existsSync(folder))(
  'steps of the released chains are true where the file of the grammar has their rule',
  () => {
    const grammar = read(`${NAME}.cfg`).trimEnd()
    const lines = new Set(grammar.split('\n'))
    const rows = read('filtered_samples.csv')
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
    const found = new Map<string, { steps: number; held: number; clean: number[]; marred: number[] }>()
    for (const name of readdirSync(folder).filter((file) => file.endsWith('_results.jsonl')))
      for (const line of read(name).split('\n')) {
        if (line === '') continue
        const { custom_id: id, response } = JSON.parse(line) as Line
        const text = response.body.choices[0].message.content
        const [string = '', , label] = rows[Number(id.replace('request-', ''))] ?? []
        const question = { shared: { grammar }, given: { string } }
        const { steps } = checkSteps(question, text)
        for (const { span, holds } of steps)
          expect(lines.has(written(text.slice(...span))), text.slice(...span)).toBe(holds)
        if (steps.length === 0) continue
        const { model } = response.body
        const own = found.get(model) ?? { steps: 0, held: 0, clean: [], marred: [] }
        found.set(model, own)
        const held = steps.filter(({ holds }) => holds).length
        own.steps += steps.length
        own.held += held
        const said = parsers.published(text, question)
        const right = Number(said.kind === 'extracted' && said.answer === (label === 'positive'))
        ;(held === steps.length ? own.clean : own.marred).push(right)
      }
    const of = (model: string) => {
      const own = found.get(model)
      if (own === undefined) throw new Error(`no chain of ${model}`)
      const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length
      return { steps: own.steps, truth: own.held / own.steps, clean: mean(own.clean), marred: mean(own.marred) }
    }
    const [large, nano] = [of('gpt-4.1-2025-04-14'), of('gpt-4.1-nano-2025-04-14')]
    expect(large.steps).toBeGreaterThan(5000)
    expect(large.truth).toBeGreaterThan(0.97)
    expect(nano.truth).toBeGreaterThan(0.9)
    expect(nano.truth).toBeLessThan(large.truth)
    // Chains without a false step come to right verdicts more often.
    expect(nano.clean).toBeGreaterThan(nano.marred)
  },
)
