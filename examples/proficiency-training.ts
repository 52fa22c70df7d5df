/**
 * Nested training sets of the proficiency family, and a series of checkpoints of the tiny transformer tuned on them:
 *
 *     node examples/proficiency-training.ts [OUT] [PRESET]
 *
 * Then `touchstone run OUT/experiment.yaml` draws figure 4 over the size of the training set.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { streamFromKey } from '../src/core/index.ts'
import { shippedWeights, tuneHead, writeWeights } from '../src/models/scoring/index.ts'
import { families } from '../src/tasks/index.ts'
import { trainingFiles } from '../src/tasks/proficiency/training-files.ts'

const [out = mkdtempSync(join(tmpdir(), 'training-')), preset = 'training'] = process.argv.slice(2)
const task = families.flatMap((family) => family.tasks).find(({ name }) => name === 'proficiency/discriminate')
if (task === undefined) throw new Error('the family proficiency is not there')
const { config } = task.preset(preset)

mkdirSync(out, { recursive: true })
for (const file of trainingFiles(config, '1')) writeFileSync(join(out, file.path), file.text)

const weights = await shippedWeights()
const models: string[] = ['  - baseline:oracle', '  - tiny']
for (const file of trainingFiles(config, '1', [1, 4, 16, 64])) {
  if (!file.path.endsWith('.txt') || file.repetition > 0) continue
  const stream = streamFromKey(new Uint8Array(16))
  const tuned = tuneHead(weights, file.text.trim().split('\n'), { stream })
  const checkpoint = join(out, `tiny-${file.language}-${file.size}.bin`)
  writeFileSync(checkpoint, writeWeights(tuned))
  models.push(
    `  - { model: "tiny:${checkpoint}", name: "trained:tiny:${file.size}", attributes: { trainingSize: ${file.size} } }`,
  )
}
writeFileSync(
  join(out, 'experiment.yaml'),
  `name: checkpoints\nitems:\n  - { task: proficiency/discriminate, preset: ${preset} }\nmodels:\n${models.join('\n')}\n`,
)
