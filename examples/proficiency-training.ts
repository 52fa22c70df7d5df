/**
 * A series of checkpoints of the tiny transformer, each trained on a training set of the proficiency family:
 *
 *     node examples/proficiency-training.ts [OUT] [PRESET]
 *
 * Then `touchstone run OUT/experiment.yaml` draws figure 4 over the size of the training set. The sets alone, for models
 * trained elsewhere: `touchstone export proficiency/discriminate --preset training --to training --out OUT`.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { streamFromKey } from '../src/core/index.ts'
import { shippedWeights, trainTiny, writeWeights } from '../src/models/scoring/index.ts'
import { families } from '../src/tasks/index.ts'

const [out = mkdtempSync(join(tmpdir(), 'training-')), preset = 'training'] = process.argv.slice(2)
const task = families.flatMap((family) => family.tasks).find(({ name }) => name === 'proficiency/discriminate')
if (task === undefined) throw new Error('the family proficiency is not there')
const { config } = task.preset(preset)

const exporter = task.exporters?.['training']
if (exporter === undefined) throw new Error('the task has no training sets')
const { plan } = task.source(config, { split: exporter.split, seed: '1' })

mkdirSync(out, { recursive: true })
const weights = await shippedWeights()
const models: string[] = ['  - baseline:oracle', '  - tiny']
for (const file of exporter.files(config, plan)) {
  writeFileSync(join(out, file.path), file.text)
  const [, language, size] = /^(.+)-r0-(1|8|32)\.txt$/u.exec(file.path) ?? []
  if (language === undefined || size === undefined) continue
  const stream = streamFromKey(new Uint8Array(16))
  const trained = trainTiny(weights, file.text.trim().split('\n'), { stream })
  const checkpoint = join(out, `tiny-${language}-${size}.bin`)
  writeFileSync(checkpoint, writeWeights(trained))
  models.push(
    `  - { model: "tiny:${checkpoint}", name: "trained:tiny:${size}", attributes: { trainingSize: ${size} } }`,
  )
}
writeFileSync(
  join(out, 'experiment.yaml'),
  `name: checkpoints\nitems:\n  - { task: proficiency/discriminate, preset: ${preset} }\nmodels:\n${models.join('\n')}\n`,
)
