import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { COMMAND, type Cost, costOf } from './command.ts'
import type { BenchTable } from './table.ts'

interface Everyday {
  readonly what: string
  /** The command, and what it writes. */
  readonly args: (folder: string) => readonly string[]
  readonly out?: string
}

const words = (text: string): readonly string[] => text.split(' ')

/** What users wait for most often, small enough to be measured several times. Later ones read what earlier ones wrote. */
const everyday: readonly Everyday[] = [
  { what: 'start of the command', args: () => ['--version'] },
  {
    what: 'first table of a run of 200 calls',
    args: (folder) => [
      ...words(
        'run recoglab/comparison --preset symbolic-distance --count 100 --model baseline:oracle --model baseline:random --out',
      ),
      join(folder, 'run'),
    ],
    out: 'run',
  },
  {
    what: 'report of that run',
    args: (folder) => ['report', join(folder, 'run'), '--out', join(folder, 'report')],
    out: 'report',
  },
  {
    what: 'generate 4,000 items of relic-500',
    args: (folder) => [
      ...words('generate relic/recognize --preset relic-500 --count 4000 --threads 1 --out'),
      join(folder, 'set'),
    ],
    out: 'set',
  },
  { what: 'verify them', args: (folder) => ['verify', join(folder, 'set'), '--threads', '1'] },
  { what: 'audit them', args: (folder) => ['audit', join(folder, 'set')] },
]

const YARDSTICK = join(import.meta.dirname, 'yardstick-child.ts')
const BASELINE = join(import.meta.dirname, 'baseline.json')
const ROUNDS = 3
/** More than this share above the baseline is named. */
const SLOWER = 0.2

interface Measured extends Cost {
  /** CPU time as a multiple of that of the yardstick, run just before. */
  readonly ratio: number
}

async function measure(rounds: number): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-everyday-'))
  const found = new Map(everyday.map(({ what }) => [what, [] as Measured[]]))
  try {
    for (let round = 0; round < rounds; round++)
      for (const { what, args, out } of everyday) {
        if (out !== undefined) await rm(join(folder, out), { recursive: true, force: true })
        const yardstick = await costOf([YARDSTICK])
        const cost = await costOf([...COMMAND, ...args(folder)])
        found.get(what)?.push({ ...cost, ratio: cost.cpu / yardstick.cpu })
      }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return found
}

const medianOf = (costs: readonly Measured[], key: keyof Measured): number =>
  costs.map((cost) => cost[key]).toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] as number

const HEAD = ['what', 'seconds', 'CPU s', 'MiB', 'CPU / yardstick'] as const

export async function run(): Promise<BenchTable> {
  const found = await measure(ROUNDS)
  return {
    title: 'Everyday commands, start to end',
    columns: HEAD,
    rows: [...found].map(([what, costs]) => [
      what,
      ...(['seconds', 'cpu', 'peak', 'ratio'] as const).map((key) => medianOf(costs, key)),
    ]),
    notes: [
      `Medians of ${ROUNDS}, each a process from the sources, with types stripped before. The first table includes its report.`,
      'The yardstick is bench/yardstick-child.ts, a fixed work without anything of the project, run before each command.',
    ],
  }
}

/** Writes the ratios that {@link check} compares with. */
export async function storeBaseline(): Promise<void> {
  const found = await measure(ROUNDS)
  const ratios = Object.fromEntries(
    [...found].map(([what, costs]) => [what, Number(medianOf(costs, 'ratio').toPrecision(3))]),
  )
  writeFileSync(BASELINE, `${JSON.stringify(ratios, null, 2)}\n`)
}

/**
 * Compares the ratios with the stored ones and names what takes more than 20 % longer; what seems to is measured again.
 * Ratios of CPU time to a yardstick run beside hold on other machines and loads far better than seconds do.
 */
export async function check(): Promise<boolean> {
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as { readonly [what: string]: number }
  const changes = (found: ReadonlyMap<string, readonly Measured[]>) =>
    [...found].map(([what, costs]) => {
      const stored = baseline[what]
      if (stored === undefined) throw new Error(`bench/baseline.json lacks "${what}". Run npm run bench -- --baseline`)
      return { what, stored, now: medianOf(costs, 'ratio') }
    })
  const isSlower = ({ stored, now }: { readonly stored: number; readonly now: number }) => now > (1 + SLOWER) * stored
  let found = await measure(ROUNDS)
  if (changes(found).some(isSlower)) {
    const more = await measure(ROUNDS)
    found = new Map([...found].map(([what, costs]) => [what, [...costs, ...(more.get(what) ?? [])]]))
  }
  const compared = changes(found)
  for (const one of compared) {
    const change = Math.round(100 * (one.now / one.stored - 1))
    const verdict = isSlower(one) ? 'SLOWER' : 'ok'
    process.stdout.write(
      `${verdict.padEnd(7)} ${one.what}: ${one.now.toPrecision(3)} times the yardstick, baseline ${one.stored} (${change > 0 ? '+' : ''}${change} %)\n`,
    )
  }
  return !compared.some(isSlower)
}
