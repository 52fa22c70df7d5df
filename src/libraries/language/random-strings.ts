import { enc, sha256 } from '../../core/hash.ts'
import { pick } from '../../core/random.ts'
import { streamFromKey } from '../../core/streams.ts'
import { withBuckets } from './word-partition.ts'

const symbols = [...'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789']

/** Distinct meaningless strings of five letters and digits (none that are easily misread), in code-unit order. */
export const randomStrings = withBuckets(makeCodes(8000), (code) => code)

function makeCodes(count: number): string[] {
  const stream = streamFromKey(sha256(enc('recoglab/codes/1')))
  const made = new Set<string>()
  while (made.size < count) {
    let code = ''
    for (let i = 0; i < 5; i++) code += pick(stream, symbols)
    // At least one digit, so that none is an English word.
    if (/\d/.test(code)) made.add(code)
  }
  return [...made].sort((a, b) => (a < b ? -1 : 1))
}
