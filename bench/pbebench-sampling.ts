/**
 * Efficiency and balance of the released and the conditional sampler in the hard setting, 64 instances a length
 * (Figures 13 to 17 of the PBEBench paper). Usage: node bench/pbebench-sampling.ts [patience=10000] [lengths=5,10,15,20,25]
 */
import { Sfc32 } from '../src/core/index.ts'
import { drawConditional } from '../src/tasks/pbebench/sampling/conditional.ts'
import { type EfficiencyRow, efficiencyOf } from '../src/tasks/pbebench/sampling/efficiency.ts'
import { runPublished } from '../src/tasks/pbebench/sampling/published.ts'
import type { Setting } from '../src/tasks/pbebench/sampling/setting.ts'
import { ALL_LETTERS } from '../src/tasks/pbebench/sampling/settings.ts'

const setting: Setting = {
  words: 50,
  wordLength: [2, 6],
  letters: [...ALL_LETTERS],
  side: [1, 3],
  emptyRight: false,
  leftSides: 'intermediate',
  changed: { min: 1, max: null },
  classifier: 'paper',
}
const patience = Number(process.argv[2] ?? 10_000)
const lengths = (process.argv[3] ?? '5,10,15,20,25').split(',').map(Number)
const categories = Array.from({ length: 16 }, (_, k) => k)

function released(length: number): EfficiencyRow {
  const rules = { size: 64, lengths: [length], categories, patience, maxSteps: patience + 10_000 }
  const run = runPublished(new Sfc32(length, 1, 1, 1), setting, rules)
  const { steps, accepted } = run
  return { sampler: 'released', length, patience, steps, accepted: accepted.length, ...efficiencyOf(run) }
}

function conditional(length: number): EfficiencyRow {
  const tally = { attempts: 0 }
  const counts = categories.map((category) => {
    const drawn = [0, 1, 2, 3].map((k) =>
      drawConditional(new Sfc32(length, category, k, 2), setting, length, category, 5000, tally),
    )
    return drawn.filter((instance) => instance !== null).length
  })
  const accepted = counts.reduce((sum, count) => sum + count, 0)
  const run = { counts, steps: tally.attempts, accepted }
  return { sampler: 'conditional', length, patience: null, steps: tally.attempts, accepted, ...efficiencyOf(run) }
}

console.log(
  '| sampler | L | steps | accepted | efficiency % | KL, published smoothing | KL, half a count | empty categories | CPU s |',
)
for (const length of lengths)
  for (const sample of [released, conditional]) {
    const begun = process.cpuUsage()
    const row = sample(length)
    const { user } = process.cpuUsage(begun)
    console.log(
      `| ${row.sampler} | ${length} | ${row.steps} | ${row.accepted} | ${row.efficiencyPercent.toFixed(2)} | ${row.klPublished.toFixed(2)} | ${row.kl.toFixed(3)} | ${row.empty} | ${(user / 1e6).toFixed(1)} |`,
    )
  }
