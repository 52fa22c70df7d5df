/**
 * A model of your own, as a program: one JSON line in, one JSON line out, in any order.
 *
 *     touchstone run data/relic --model 'exec:node examples/answer-lines.mjs' --out runs/mine
 *
 * This one says Yes to short questions; put your own call in its place.
 */
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, messages } = JSON.parse(line)
  const prompt = messages.at(-1).content
  const text = prompt.length < 1500 ? 'Yes' : 'No'
  process.stdout.write(`${JSON.stringify({ id, text, finish: 'stop' })}\n`)
}
