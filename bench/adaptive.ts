import { float, namedStream, type Stream } from '../src/core/index.ts'
import { ModelSchedule } from '../src/extras/adaptive/index.ts'
import { adaptSchema } from '../src/runner/plan/experiment.ts'
import type { BenchTable } from './table.ts'

const VALUES = Array.from({ length: 20 }, (_, i) => i + 1)
const LAPSE = 0.03

/** Simulated models of a line, by TOUCHSTONE_BENCH. */
const sizes: { readonly [size: string]: number } = { quick: 50, large: 4000 }

/** What is simulated: the share right of who guesses, logits a step, the rule, and the most answers. */
const LINES = [
  { chance: 0, slope: 0.8, until: 'x50 width<2', most: 250 },
  { chance: 0.25, slope: 0.8, until: 'x50 width<2', most: 250 },
  { chance: 0.25, slope: 1.6, until: 'x50 width<2', most: 250 },
  { chance: 0.25, slope: 0.4, until: 'x50 width<4', most: 250 },
  { chance: 0.5, slope: 0.8, until: 'x50 width<3', most: 300 },
] as const
type Line = (typeof LINES)[number]

/** How often the interval that stops an adaptive run holds the threshold: by the path that runs take, on simulated models. */
export function run(): Promise<BenchTable> {
  const models = sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 1000
  return Promise.resolve({
    title: 'Adaptive runs: coverage of the threshold',
    columns: [
      'chance',
      'slope',
      'until',
      'models',
      'told',
      'held %',
      'truth below',
      'truth above',
      'off by, mean',
      'root mean square',
      'answers',
    ],
    rows: LINES.map((line) => coverage(line, models)),
    notes: [
      `20 values, middles from 4 to 16, lapse ${LAPSE}, five items a choice, every item a group of its own`,
      'truth below, above: intervals that lie above the threshold, and below it',
      'one standard error of held: 0.7 points of 1,000 models',
    ],
  })
}

function coverage(line: Line, models: number): (string | number)[] {
  let [told, held, below, above, off, squares, answers] = [0, 0, 0, 0, 0, 0, 0]
  for (let model = 0; model < models; model++) {
    const stream = namedStream('bench/adaptive', JSON.stringify(line), String(model))
    const middle = 4 + 12 * float(stream)
    const path = pathOf(line, middle, stream)
    answers += path.chosen / models
    const threshold = path.steps.at(-1)?.estimate?.threshold
    if (threshold?.kind !== 'inside') continue
    told++
    off += threshold.value - middle
    squares += (threshold.value - middle) ** 2
    if (middle < threshold.low) below++
    else if (middle > threshold.high) above++
    else held++
  }
  return [
    line.chance,
    line.slope,
    line.until,
    models,
    told,
    (100 * held) / told,
    below,
    above,
    off / told,
    Math.sqrt(squares / told),
    Math.round(answers),
  ]
}

function pathOf({ chance, slope, until, most }: Line, middle: number, stream: Stream): ModelSchedule {
  const levels = VALUES.map((at) => ({
    at,
    chance,
    items: Array.from({ length: most }, (_, k) => ({ id: `${at}/${k}`, unit: `${at}/${k}` })),
  }))
  const path = new ModelSchedule(adaptSchema.parse({ parameter: 'k', until, maxItems: most }), levels)
  path.advance()
  while (path.end === null)
    for (const id of path.take(5)) {
      const share = chance + (1 - LAPSE - chance) / (1 + Math.exp(slope * (Number(id.split('/')[0]) - middle)))
      path.addAnswer(id, { right: float(stream) < share ? 1 : 0, usd: null })
    }
  return path
}
