import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import loadHighs from 'highs'
import { namedStream, sample } from '../src/core/index.ts'
import { HOPS, planted, sets } from '../src/tasks/clutrr/kinship/chains.ts'
import { composeChain } from '../src/tasks/clutrr/kinship/compose.ts'
import { type Gender, type Kin, kins } from '../src/tasks/clutrr/kinship/question.ts'

/**
 * Writes the weights with which `clutrr/kinship` draws chains: those with which two neighbouring links, a half, and the two
 * ends tell least of the relation between the ends, and of these the ones that use most chains. Run: node scripts/kinship-chains.ts
 */

const OUT = process.argv[2] ?? join(import.meta.dirname, '../src/tasks/clutrr/kinship/chain-weights.json')
/** The most chains of an answer in a linear program; the accuracies may be this much above the least. */
const CHAINS = 400
const SLACK = 0.02
const SCALE = 100_000

interface Chain {
  readonly links: readonly Kin[]
  readonly answer: number
}

/** All chains of this length in which no two names are one person. */
const consistent = (hops: number): readonly (readonly Kin[])[] =>
  hops === 0
    ? [[]]
    : consistent(hops - 1).flatMap((chain) =>
        kins.map((kin) => [...chain, kin]).filter((longer) => composeChain(longer) !== null),
      )

const endsOf = (chain: readonly Kin[]): Kin | undefined => composeChain(chain)?.at(0, chain.length)?.kin

const known = new Map<number, readonly (readonly Kin[])[]>()

/** Chains that come to a relation; longer ones of two parts of two links or more that come to one. */
function chainsOf(hops: number): readonly (readonly Kin[])[] {
  const cached = known.get(hops)
  if (cached !== undefined) return cached
  const chains = findChains(hops)
  known.set(hops, chains)
  return chains
}

function findChains(hops: number): readonly (readonly Kin[])[] {
  if (hops <= 6) return consistent(hops).filter((chain) => endsOf(chain) !== undefined)
  const found = new Map<string, readonly Kin[]>()
  for (let left = 2; left <= hops - 2; left++) {
    const ends = chainsOf(hops - left)
    for (const one of chainsOf(left))
      for (const other of ends) {
        const chain = [...one, ...other]
        const key = chain.join(' ')
        if (!found.has(key) && endsOf(chain) !== undefined) found.set(key, chain)
      }
  }
  return [...found.values()]
}

/** Is there a choice of genders with which these people fit one genealogy? */
const canBePlanted = (chain: readonly Kin[]): boolean =>
  Array.from({ length: 2 ** chain.length }, (_, bits) => bits).some(
    (bits) => planted(chain, ['f', ...chain.map((_, i): Gender => ((bits >> i) & 1 ? 'm' : 'f'))]) !== null,
  )

/** Places of a chain that are seen together, by kind of reader. */
const readersOf = (hops: number): readonly (readonly (readonly number[])[])[] => {
  const windows = (size: number) =>
    Array.from({ length: hops - size + 1 }, (_, from) => Array.from({ length: size }, (_unused, i) => from + i))
  return [windows(2), windows(Math.floor(hops / 2)), [[0, hops - 1]]]
}

/** The linear program in the text format of CPLEX. `limits`: highest accuracies; null: find the least ones. */
function program(chains: readonly Chain[], answers: number, hops: number, limits: readonly number[] | null): string {
  const rows: string[] = []
  const groups = readersOf(hops)
  let seen = 0
  for (const [group, views] of groups.entries())
    for (const view of views) {
      const patterns = new Map<string, number[][]>()
      for (const [i, { links, answer }] of chains.entries()) {
        const key = view.map((at) => links[at]).join(' ')
        const found = patterns.get(key) ?? Array.from({ length: answers }, () => [])
        found[answer]?.push(i)
        patterns.set(key, found)
      }
      const first = seen
      for (const byAnswer of patterns.values()) {
        for (const list of byAnswer)
          if (list.length > 0) rows.push(`${list.map((i) => `+ p${i}`).join(' ')} - u${seen} <= 0`)
        seen++
      }
      const all = Array.from({ length: seen - first }, (_, i) => `+ u${first + i}`).join(' ')
      rows.push(`${all} - ${answers} t${group} <= 0`)
    }
  for (let answer = 0; answer < answers; answer++)
    rows.push(`${chains.flatMap((chain, i) => (chain.answer === answer ? [`+ p${i}`] : [])).join(' ')} = 1`)
  if (limits === null) return lpText(groups.map((_, i) => `+ t${i}`).join(' '), rows)
  for (const [i, limit] of limits.entries()) rows.push(`t${i} <= ${limit}`)
  for (const i of chains.keys()) rows.push(`p${i} - most <= 0`)
  return lpText('most', rows)
}

const lpText = (goal: string, rows: readonly string[]): string =>
  `Minimize\n obj: ${goal}\nSubject To\n${rows.map((row, i) => ` c${i}: ${row}`).join('\n')}\nEnd\n`

/** The package's types call its default export a module. */
const highs = await (loadHighs as unknown as typeof loadHighs.default)()

function solve(text: string): (name: string) => number {
  const { Status, Columns } = highs.solve(text)
  if (Status !== 'Optimal') throw new Error(`expected an optimum, got ${Status}`)
  return (name) => {
    const column = Columns[name]
    return column !== undefined && 'Primal' in column ? column.Primal : 0
  }
}

const table: { [hops: string]: { [kin: string]: { [links: string]: number } } } = {}
for (const hops of HOPS) {
  const byKin = new Map<Kin, (readonly Kin[])[]>()
  for (const links of chainsOf(hops)) {
    const kin = endsOf(links)
    if (kin !== undefined) byKin.set(kin, [...(byKin.get(kin) ?? []), links])
  }
  const weights: { [kin: string]: { [links: string]: number } } = {}
  for (const set of sets) {
    const chains = set.flatMap((kin, answer): Chain[] => {
      const stream = namedStream('kinship-chains', `${hops} ${kin}`)
      const all = byKin.get(kin) ?? []
      const some: (readonly Kin[])[] = []
      for (const chain of sample(stream, all, all.length))
        if (some.length < CHAINS && canBePlanted(chain)) some.push(chain)
      return some.map((links) => ({ links, answer }))
    })
    const least = solve(program(chains, set.length, hops, null))
    const limits = readersOf(hops).map((_, i) => least(`t${i}`) + SLACK)
    const chosen = solve(program(chains, set.length, hops, limits))
    for (const [answer, kin] of set.entries()) {
      const rows = chains.flatMap(({ links, answer: own }, i): [string, number][] => {
        const weight = Math.round(SCALE * chosen(`p${i}`))
        return own === answer && weight > 0 ? [[links.map((one) => kins.indexOf(one)).join(''), weight]] : []
      })
      weights[kin] = Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)))
    }
    process.stdout.write(
      `${hops} ${set.join(' ')}: ${set.map((kin) => Object.keys(weights[kin] ?? {}).length).join(' ')} of ${set.map((_, a) => chains.filter(({ answer }) => answer === a).length).join(' ')}, ${limits.map((one) => one.toFixed(3)).join(' ')}\n`,
    )
  }
  table[hops] = weights
}
writeFileSync(OUT, `${JSON.stringify(table, null, 1)}\n`)
