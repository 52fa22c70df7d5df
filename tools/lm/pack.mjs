// node tools/lm/pack.mjs models/canon.bin src/models/scoring/tiny/weights.json: puts the weights where tsc carries them into dist.
import { readFileSync, writeFileSync } from 'node:fs'

const [from, to] = process.argv.slice(2)
if (to === undefined) {
  console.error('usage: node tools/lm/pack.mjs WEIGHTS.bin OUT.json')
  process.exit(2)
}
writeFileSync(to, `${JSON.stringify({ base64: readFileSync(from).toString('base64') }, null, 2)}\n`)
