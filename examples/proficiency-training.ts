/**
 * A series of checkpoints of the tiny transformer, each trained on a training set of the proficiency family:
 *
 *     node examples/proficiency-training.ts [OUT]
 *
 * Then `touchstone run OUT/experiment.yaml` compares them with the same network that has the same strings in context. The
 * sets alone, for models trained elsewhere: `touchstone export proficiency/discriminate --preset training --to training --out OUT`.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { streamFromKey } from '../src/core/index.ts'
import { shippedWeights } from '../src/models/scoring/index.ts'
import { families } from '../src/tasks/index.ts'
import { trainTiny, writeWeights } from '../tools/lm/train.ts'

const [out = mkdtempSync(join(tmpdir(), 'training-'))] = process.argv.slice(2)
const task = families.flatMap((family) => family.tasks).find(({ name }) => name === 'proficiency/discriminate')
if (task === undefined) throw new Error('the family proficiency is not there')
const sizes = [4, 16, 64]
const changes = { languages: ['g5'], examples: [0, ...sizes], distances: [0, 1], tests: 30 }
const config = task.configure({ ...task.preset('modes').config, ...changes })

const exporter = task.exporters?.['training']
if (exporter === undefined) throw new Error('the task has no training sets')
const { plan } = task.source(config, { split: exporter.split, seed: '1' })

mkdirSync(out, { recursive: true })
const weights = await shippedWeights()
const models: string[] = ['  - tiny', '  - baseline:ppm', '  - baseline:ctw']
for (const file of exporter.files(config, plan)) {
  writeFileSync(join(out, file.path), file.text)
  const [, language, list, size] = /^(.+)-r(\d+)-(\d+)\.txt$/u.exec(file.path) ?? []
  if (language === undefined || !sizes.includes(Number(size))) continue
  const stream = streamFromKey(new Uint8Array(16))
  const trained = trainTiny(weights, file.text.trim().split('\n'), { stream })
  const checkpoint = join(out, `tiny-${language}-r${list}-${size}.bin`)
  writeFileSync(checkpoint, writeWeights(trained))
  const attributes = `{ base: tiny, trainingSize: ${size}, list: ${list}, trainedOn: ${language} }`
  models.push(
    `  - { model: "tiny:${checkpoint}", name: "tiny:${language}:r${list}:${size}", attributes: ${attributes} }`,
  )
}
writeFileSync(
  join(out, 'experiment.yaml'),
  `name: checkpoints\nitems:\n  - { task: proficiency/discriminate, preset: modes, config: ${JSON.stringify(changes)} }\nmodels:\n${models.join('\n')}\n`,
)
