import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BLOCK, missingPictures, paperSection } from '../../../scripts/atlas/page.ts'
import { withBlock } from '../../../scripts/generated-block.ts'
import type { Estimate } from '../../../src/core/index.ts'
import { experimentPath, paperEntry } from '../../../src/lab/reproduce.ts'
import { readExperiment } from '../../../src/runner/index.ts'
import { families } from '../../../src/tasks/index.ts'

const root = join(import.meta.dirname, '../../..')
const tasks = families.flatMap((family) => family.tasks)
const entries = families.flatMap(({ paper }) => paper?.items ?? [])
const printedTables = families.flatMap(({ paper }) => paper?.printed ?? [])
const entryOf = (id: string) => paperEntry(families, id).item

test.each([
  ['relic', 13, 5],
  ['proficiency', 13, 1],
  ['pbebench', 30, 27],
  ['recoglab', 12, 1],
])('%s: all %i figures and %i tables have a row', (family, figures, tables) => {
  const ids = new Set(families.find(({ name }) => name === family)?.paper?.items.map(({ id }) => id))
  const expected = [
    ...Array.from({ length: figures }, (_, k) => `${family}/figure${k + 1}`),
    ...Array.from({ length: tables }, (_, k) => `${family}/table${k + 1}`),
  ]
  expect(expected.filter((id) => !ids.has(id))).toEqual([])
})

const parts = (letter: string, last: number): readonly string[] =>
  Array.from({ length: last }, (_, k) => `${letter}.${k + 1}`)

test('the appendices of each paper have a row', () => {
  const ids = new Set(entries.map(({ id }) => id))
  const appendices = [
    ...[...'abcdefgh'].map((letter) => `relic/appendix${letter}`),
    ...['a', 'b', 'd'].map((letter) => `recoglab/appendix${letter}`),
    'recoglab/sectionc.1',
    'recoglab/sectionc.2',
    // D.4 stands for D.5 to D.7, F.9 to F.11 are sections of their own.
    ...['a', 'b', 'g', ...parts('c', 4), ...parts('d', 4), 'd.8', ...parts('e', 3), ...parts('f', 8)].map(
      (name) => `pbebench/appendix${name}`,
    ),
    ...['3', '4.3', '5.4', '5.5', '6', 'f.9', 'f.10', 'f.11'].map((name) => `pbebench/section${name}`),
    ...['algorithm1', 'algorithm2', 'algorithm3'].map((name) => `pbebench/${name}`),
    ...['2', '3', '4', '7', '8'].map((name) => `proficiency/section${name}`),
  ]
  expect(appendices.filter((id) => !ids.has(id))).toEqual([])
})

test('an entry has one name, which is the id in other letters', () => {
  for (const { name, paper } of papers)
    for (const { id, item } of paper.items) expect(id).toBe(`${name}/${item.toLowerCase().replaceAll(' ', '')}`)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  expect(() => entryOf('relic/figure33')).toThrow(/no paper has the item "relic\/figure33".*relic\/figure3/)
})

test.each(entries.filter(({ made }) => made.by === 'run'))(
  '$id: its experiment holds the tasks that make its analyses',
  ({ made }) => {
    if (made.by !== 'run') return
    const path = experimentPath(made.experiment)
    const { items } = readExperiment(readFileSync(path, 'utf8'), path)
    const known = items.flatMap(
      ({ task }) => tasks.find(({ name }) => name === task)?.analyses.map(({ id }) => id) ?? [],
    )
    // What is of a whole run belongs to no task.
    expect(made.analyses.filter((id) => !known.includes(id) && !id.startsWith('core/'))).toEqual([])
  },
)

test('an entry with a judge shows analyses of what is judged', () => {
  const judged = entries.flatMap(({ made }) => (made.by === 'run' ? (made.judged ?? []) : []))
  const known = families.flatMap(({ judging = [] }) => judging.flatMap(({ task }) => task.analyses.map(({ id }) => id)))
  expect(judged.length).toBeGreaterThan(0)
  expect(judged.flatMap(({ analyses }) => analyses).filter((id) => !known.includes(id))).toEqual([])
})

const docs = join(root, 'docs')
const hasPicture = (image: string) => existsSync(join(docs, image))
const pageOf = (family: string) => readFileSync(join(docs, 'papers', `${family}.md`), 'utf8')
const papers = families.flatMap(({ name, paper }) => (paper === undefined ? [] : [{ name, paper }]))

test.each(papers)('the page of $name names every item of its paper and leaves no cell empty', ({ name, paper }) => {
  const section = paperSection(name, paper, hasPicture)
  expect(paper.items.filter(({ item }) => !section.includes(item))).toEqual([])
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.filter((row) => /\|\s*\|/.test(row) || row.includes('| none |'))).toEqual([])
  expect(pageOf(name)).toContain('## Every item')
})

test('a figure that is made has a picture in the docs, or a reason why not', () => {
  const missing = papers.flatMap(({ paper }) => missingPictures(paper, hasPicture))
  expect(missing.filter(({ undrawn }) => undrawn === undefined).map(({ id }) => id)).toEqual([])
  const explained = entries.filter(({ undrawn }) => undrawn !== undefined)
  expect(explained.filter((entry) => !missing.includes(entry)).map(({ id }) => id)).toEqual([])
})

/** The whole config of each source of an experiment. */
const configsOf = (id: string) => {
  const { made } = entryOf(id)
  const path = experimentPath(made.by === 'run' ? made.experiment : '')
  return readExperiment(readFileSync(path, 'utf8'), path).items.map(({ task, preset, config }) => {
    const one = tasks.find(({ name }) => name === task)
    const named = preset === undefined ? {} : one?.presets[preset]?.config
    return one?.config.parse({ ...named, ...config }) as { readonly [knob: string]: unknown }
  })
}

test('the three ways of lengthening in figure 6 of ReCogLab differ in nothing else', () => {
  const others = configsOf('recoglab/figure6').map((config) => ({ ...config, people: 0, filler: '', fillerLines: 0 }))
  for (const rest of others) expect(rest).toEqual(others[0])
})

test.each(['recoglab/figure10', 'recoglab/figure11'])('%s has hops and path, plain and flavoured, by size', (id) => {
  const asked = configsOf(id).map(({ ask, wording, network, people }) => `${ask} ${wording} ${network} ${people}`)
  const wanted = ['hops', 'path'].flatMap((ask) =>
    ['plain', 'flavoured'].flatMap((wording) =>
      [10, 20, 30, 40, 50, 60, 70].map((people) => `${ask} ${wording} tree ${people}`),
    ),
  )
  expect(asked.toSorted()).toEqual(wanted.toSorted())
})

test('pages that are named are there', () => {
  const pages = entries.flatMap(({ made }) => (made.by === 'page' ? [made.page] : []))
  expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([])
})

test.each(papers)('docs/papers/$name.md has the section that scripts/atlas.ts writes', ({ name, paper }) => {
  const page = pageOf(name)
  expect(withBlock(page, BLOCK, paperSection(name, paper, hasPicture))).toBe(page)
})

test('printed tables belong to entries and fill their columns', () => {
  for (const table of printedTables) {
    expect(entryOf(table.id).item).toBe(table.item)
    const keys = table.columns.map(({ key }) => key)
    for (const row of table.rows) expect(Object.keys(row)).toEqual(keys)
    for (const { key, kind } of table.columns)
      for (const row of table.rows)
        expect(
          row[key] === null || typeof row[key] === (kind === 'text' ? 'string' : 'number'),
          `${table.id} ${key}`,
        ).toBe(true)
  }
})

test('every printed table says where it stands', () => {
  for (const { id, item, place, readOff } of printedTables) {
    if (readOff !== undefined) {
      expect(readOff.source.length * readOff.error, id).toBeGreaterThan(0)
      continue
    }
    expect(item, id).toMatch(/^(?:Table|Figure|Section|Appendix) [\dA-H]/)
    expect(place, id).toMatch(/^(?:sections?|appendix) [\dA-H]/)
  }
})

/** Longer text is cut in a cell of a table. */
const MAX_REASON_LENGTH = 200

test('every printed table that is made stands beside ours, or says why not', () => {
  for (const { id, apart } of printedTables) {
    const { made } = entryOf(id)
    const { paper, printed } = paperEntry(families, id)
    const sides = paper.paperComparisons.filter((side) => side.printed === id)
    const asked = made.by === 'run' || made.by === 'computation'
    expect(sides.length > 0 || apart !== undefined, id).toBe(asked)
    for (const { measure, reason, paper: cells } of sides) {
      const found = printed === null ? [] : cells(printed)
      expect(found.length, `${id} ${measure}`).toBeGreaterThan(0)
      expect(found.filter(({ value }) => value !== null).length, `${id} ${measure}`).toBeGreaterThan(0)
      expect(reason.length).toBeLessThanOrEqual(MAX_REASON_LENGTH)
    }
  }
  const ids = new Set(printedTables.map(({ id }) => id))
  const sides = families.flatMap(({ paper }) => paper?.paperComparisons ?? [])
  expect(sides.filter(({ printed }) => !ids.has(printed))).toEqual([])
})

test('table 5 is recomputed from its labels as the paper prints it', () => {
  const { made } = entryOf('relic/table5')
  const [summary, responses] = made.by === 'computation' ? made.compute({ steps: null }).tables : []
  const printedRows = paperEntry(families, 'relic/table5').printed?.rows ?? []
  const three = (x: unknown) => Number(Number(x).toFixed(3))
  for (const [i, row] of (responses?.rows ?? []).entries()) {
    const { agreement, majorityAgreement, weightedAgreement, ...labels } = row
    const rounded = [agreement, majorityAgreement, weightedAgreement].map(three)
    expect({ ...labels, agreement: rounded[0], majorityAgreement: rounded[1], weightedAgreement: rounded[2] }).toEqual(
      printedRows[i],
    )
  }
  expect(responses?.rows).toHaveLength(20)
  const [people, withJudge] = summary?.rows ?? []
  expect([people?.['share'], withJudge?.['majority'], withJudge?.['weighted']].map(three)).toEqual([0.933, 0.7, 0.733])
  // Two more ways to 3 people, 2 labels, 20 responses: 16 unanimous ones, 4 of two against one, 13 heuristic labels of 60 in all.
  const observed = (16 + 4 / 3) / 20
  const heuristic =
    printedRows.flatMap((row) => [row['a'], row['b'], row['c']]).filter((label) => label === 'heuristic').length / 60
  const chance = heuristic ** 2 + (1 - heuristic) ** 2
  expect(people?.['fleiss']).toBeCloseTo((observed - chance) / (1 - chance), 10)
})

const column = (id: string, key: string) =>
  (paperEntry(families, id).printed?.rows ?? []).map((row) => row[key] as number)

test('the three correlations of table 14 follow from tables 2, 9, 11 and 13, and their differences have intervals', () => {
  const { made } = entryOf('pbebench/hypothesish3')
  const [correlations, differences] = made.by === 'computation' ? made.compute({ steps: null }).tables : []
  const found = (correlations?.rows ?? []).map(({ r, p, models }) => [r as Estimate, p as number, models] as const)
  expect(found.map(([, , models]) => models)).toEqual([11, 11, 11])
  expect(found.map(([r]) => Number(r.value.toFixed(4)))).toEqual(column('pbebench/table14', 'r'))
  expect(found.map(([, p]) => Number(p.toPrecision(4)))).toEqual(
    column('pbebench/table14', 'p').map((p) => Number(p.toPrecision(4))),
  )
  const [withSlr] = (differences?.rows ?? []).map(({ difference }) => difference as Estimate)
  expect(withSlr?.value).toBeCloseTo(0.8273 - 0.8091, 4)
  expect([withSlr?.low ?? 0, withSlr?.high ?? 0].map(Math.sign)).toEqual([-1, 1])
})

test('printed numbers agree with each other where the paper prints them twice', () => {
  // Pass@1 at length 20 with 1 to 4 samples stands in tables 22 and 23.
  expect(column('pbebench/table22', 'pass').slice(0, 4)).toEqual(column('pbebench/table23', 'lastPass').slice(0, 4))
  // One run of 32 samples stands in tables 20, 25, 26 and 27.
  const runs = [
    column('pbebench/table20', 'lastPass')[8],
    column('pbebench/table25', 'lastPass')[9],
    column('pbebench/table26', 'lastPass')[0],
    column('pbebench/table27', 'lastPass')[7],
  ]
  expect(new Set(runs)).toEqual(new Set([0.8438]))
  // 64 instances a length: every share of table 20 is a count.
  for (const share of column('pbebench/table20', 'lastPass'))
    expect(Math.abs(share * 64 - Math.round(share * 64))).toBeLessThan(0.01)
  // The means below table 5 of RELIC.
  const mean = (key: string) => column('relic/table5', key).reduce((sum, x) => sum + x, 0) / 20
  expect(
    [mean('agreement'), mean('majorityAgreement'), mean('weightedAgreement')].map((x) => Number(x.toFixed(3))),
  ).toEqual([0.933, 0.7, 0.733])
})
