// node tools/lm/pack.mjs models/canon.bin src/models/scoring/tiny/weights.ts: puts the weights where tsc carries them into dist.
import { readFileSync, writeFileSync } from 'node:fs'

const [from, to] = process.argv.slice(2)
if (to === undefined) {
  console.error('usage: node tools/lm/pack.mjs WEIGHTS.bin OUT.ts')
  process.exit(2)
}
const text = readFileSync(from).toString('base64')
writeFileSync(
  to,
  `/** The tiny transformer's weights (tools/lm/README.md), base64 of the file that \`readWeights\` reads. Made by tools/lm/pack.mjs. */\nexport const tinyWeights: string =\n  '${text}'\n`,
)
