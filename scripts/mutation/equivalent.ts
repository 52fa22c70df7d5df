import type { Mutant } from './mutants.ts'

interface Equivalent {
  readonly file: string
  /** A part of the source's line by which it is known, wherever it stands. */
  readonly line: string
  readonly change: string
  readonly why: string
}

/** Mutants that no test can tell from the source. */
export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/rewriting/exact-relations.ts',
    line: 'seen[0] = 1',
    change: 'seen[0] = 1 -> nothing',
    why: 'the start is entered once more, by a longer walk that reaches nothing new',
  },
  {
    file: 'src/rewriting/exact-relations.ts',
    line: 'const UNREACHED = -1_000_000_000',
    change: '1_000_000_000 -> 999999999',
    why: 'less than any sum, too',
  },
  {
    file: 'src/rewriting/relations.ts',
    line: 'const REMEMBERED = 1 << 17',
    change: '1 -> 0',
    why: 'how much is remembered: only time',
  },
  {
    file: 'src/rewriting/relations.ts',
    line: 'key += String.fromCharCode(97 + at)',
    change: '97 -> 96',
    why: 'what letters are called in the key of a memory',
  },
  {
    file: 'src/rewriting/relations.ts',
    line: "if (label !== 'N') out.push({ from, to,",
    change: '< -> <=',
    why: 'no rule is related to itself',
  },
  {
    file: 'src/rewriting/sounds/sound.ts',
    line: 'terms.size > 0 && wanted.every',
    change: '0 -> 1',
    why: 'a sound has many terms or none',
  },
  {
    file: 'src/runner/limiter.ts',
    line: 'Math.min(60_000, 500 * 2 ** Math.min(tried - 1, 10))',
    change: '10 -> 9',
    why: '500 ms doubled nine times are more than the minute that bounds them',
  },
  {
    file: 'src/models/scoring/tiny/transformer.ts',
    line: 'for (let j = 0; j < d; j++) added[j]! += x[j]!',
    change: '0 -> -1',
    why: 'a typed array takes no entry at -1',
  },
  {
    file: 'src/graphs/canonical.ts',
    line: 'compareLists(encoding, best.encoding) < 0',
    change: '0 -> 1',
    why: 'of two numberings with equal encodings the later is kept: they are automorphic, the form is the same',
  },
  {
    file: 'src/graphs/canonical.ts',
    line: 'for (let i = 0; i < length; i++) if (a[i] !== b[i])',
    change: '0 -> -1',
    why: 'lists are both undefined at -1',
  },
  {
    file: 'src/graphs/two-sat.ts',
    line: 'for (let root = 0; root < n; root++) {',
    change: '< -> <=',
    why: 'a vertex past the last has no index, and is passed over',
  },
  {
    file: 'src/stats/rank-sets.ts',
    line: 'contestants[0]?.sums.length ?? 0',
    change: '0 -> 1',
    why: 'without contestants nothing is ranked, however many groups there are',
  },
  {
    file: 'src/stats/distributions/gamma.ts',
    line: 'if (x < a + 1) {',
    change: '1 -> 2',
    why: 'where series and continued fraction take turns; both converge there',
  },
  {
    file: 'src/stats/distributions/student-t.ts',
    line: 'if (p === 1) return Number.POSITIVE_INFINITY',
    change: '1 -> 2',
    why: 'the search for the quantile at 1 comes to infinity, too',
  },
  {
    file: 'src/formal/negatives/twins.ts',
    line: '(float(stream) >= balance.chance(',
    change: '>= -> >',
    why: 'a random double that equals a chance',
  },
  {
    file: 'src/formal/negatives/legal-strings.ts',
    line: 'const SHRINK = powerOfTwo(400)',
    change: '400 -> 399',
    why: 'at which power of two counts are scaled',
  },
  {
    file: 'src/formal/recognise/row-kernel.ts',
    line: 'if (filterFollow && follow[',
    change: '0 -> -1',
    why: 'a filter that saves time: what it lets through comes to nothing',
  },
  {
    file: 'src/formal/recognise/long-row-kernel.ts',
    line: '((n - 1) >>> 5)',
    change: '1 -> 0',
    why: 'one word earlier: a row has no end before its beginning',
  },
  {
    file: 'src/datasets/audit/direct.ts',
    line: '(words[a] as string) < (words[b] as string) ? -1 : 1',
    change: '1 -> 2',
    why: 'only the sign of a comparison counts',
  },
  {
    file: 'src/core/permutation.ts',
    line: 'return (h ^ (h >>> 15)) < 0',
    change: '0 -> -1',
    why: 'a hash that is -1: one of 2^32',
  },
  {
    file: 'src/core/printable.ts',
    line: '(character.codePointAt(0) ?? 0)',
    change: '0 -> -1',
    why: 'a character that was found has a number',
  },
  {
    file: 'src/core/printable.ts',
    line: '(character.codePointAt(0) ?? 0)',
    change: '0 -> 1',
    why: 'a character that was found has a number',
  },
  {
    file: 'src/core/hash.ts',
    line: 'sum + 4 + 3 * text.length, 4)',
    change: '3 -> 4',
    why: 'more room than three bytes a unit: what is not written is cut off',
  },
  {
    file: 'src/core/canonical-json.ts',
    line: 'shape.length < 1024 && shape.isWellFormed()',
    change: '1024 -> 1023',
    why: 'how long a shape is remembered: only time',
  },
  {
    file: 'src/models/scoring/tiny/train.ts',
    line: 'Math.max(48, 8 * strings.length)',
    change: '48 -> 47',
    why: 'as many batches of eight',
  },
  {
    file: 'src/models/scoring/gguf.ts',
    line: 'while (keep < held.length && keep < from - 1',
    change: '< -> <=',
    why: 'a token differs from none',
  },
  {
    file: 'src/models/scoring/gguf.ts',
    line: 'const NEAR = 8',
    change: '8 -> 9',
    why: 'a character has at most four bytes',
  },
  {
    file: 'src/models/scoring/align.ts',
    line: '.indexOf(piece) : -1',
    change: '1 -> 2',
    why: 'whatever is below 0 says that it was not found',
  },
  {
    file: 'src/models/scoring/tiny/operations.ts',
    line: 'out[c * rows + r] = x[r * columns + c]!',
    change: '0 -> -1',
    why: 'what is written too early is written over, or has no place',
  },
  {
    file: 'src/models/scoring/tiny/attend-head.ts',
    line: 'if (logits[row]! > most) most = logits[row]!',
    change: '> -> >=',
    why: 'the same largest',
  },
  {
    file: 'src/stats/distributions/log-gamma.ts',
    line: '-691 / 360360',
    change: '360360 -> 360361',
    why: 'less than rounding from 15 on, where the series is used',
  },
  {
    file: 'src/stats/distributions/invert.ts',
    line: 'to *= 2',
    change: '2 -> 3',
    why: 'how the bracket is found, not what is found in it',
  },
  {
    file: 'src/stats/distributions/chi-squared.ts',
    line: 'if (p === 1) return Number.POSITIVE_INFINITY',
    change: '1 -> 2',
    why: 'the search for the quantile at 1 comes to infinity, too',
  },
  {
    file: 'src/stats/adaptive.ts',
    line: 'const MIDDLES = 61',
    change: '61 -> 62',
    why: 'how finely curves are thought of',
  },
  {
    file: 'src/formal/recognise/crowded-kernel.ts',
    line: 'let some = 0',
    change: '0 -> -1',
    why: 'a way out that saves time: where nothing is wanted the answer is no, too',
  },
  {
    file: 'src/formal/negatives/local-legality.ts',
    line: 'for (let w = 0; w < words; w++) {',
    change: '< -> <=',
    why: 'a typed array takes no entry past its end',
  },
  {
    file: 'src/datasets/audit/prepare.ts',
    line: 'sha256Hex(key).slice(0, 32)',
    change: '32 -> 33',
    why: 'how much of a digest is compared',
  },
  {
    file: 'src/datasets/audit/learned/naive-bayes.ts',
    line: 'Math.imul((list[i - 1] as number) + 1, 0x9e3779b1)',
    change: '0x85ebca6b -> 2246822506',
    why: 'which bucket a pair falls into',
  },
  {
    file: 'src/models/scoring/tiny/transformer.ts',
    line: 'for (let j = 0; j < d; j++) added[j]! += x[j]!',
    change: '< -> <=',
    why: 'a typed array takes no entry past its end',
  },
  {
    file: 'src/models/scoring/tiny/dot-rows.ts',
    line: 'for (; row + 4 <= rows; row += 4) {',
    change: '4 -> 5',
    why: 'the rows left over are taken one by one',
  },
  {
    file: 'src/models/scoring/tiny/operations.ts',
    line: 'for (let r = 0; r < rows; r++) {',
    change: '0 -> -1',
    why: 'a typed array takes no entry at -1',
  },
  {
    file: 'src/models/scoring/tiny/model.ts',
    line: 'const TURN_MS = 50',
    change: '50 -> 51',
    why: 'when others have a turn: only time',
  },
  {
    file: 'src/models/scoring/tiny/model.ts',
    line: 'turn = performance.now()',
    change: 'turn = performance.now() -> nothing',
    why: 'when others have a turn: only time',
  },
  {
    file: 'src/models/scoring/completions.ts',
    line: 'score(prompt, 1, inner)',
    change: '1 -> 0',
    why: 'the first token has no log-probability, from wherever they are asked',
  },
  {
    file: 'src/core/rounds.ts',
    line: 'new LeastRecent<readonly SubUnit[]>(64)',
    change: '64 -> 63',
    why: 'how many orders are remembered: only time',
  },
  {
    file: 'src/core/edit-distance.ts',
    line: 'before[m + 1] = -1',
    change: '1 -> 0',
    why: 'the first diagonal begins at 0, from either side',
  },
  {
    file: 'src/formal/negatives/local-legality.ts',
    line: 'for (let w = 0; w < words; w++) {',
    change: '0 -> -1',
    why: 'a typed array takes no entry at -1',
  },
  {
    file: 'src/formal/negatives/exchange.ts',
    line: 'for (; to < n; to++) out[to] = tokens[to]!',
    change: '< -> <=',
    why: 'a typed array takes no entry past its end',
  },
  {
    file: 'src/formal/negatives/twin-balance.ts',
    line: 'new Int32Array(2 * 4 * (3 + 4))',
    change: '4 -> 5',
    why: 'more room',
  },
  {
    file: 'src/formal/recognise/neighbourhood.ts',
    line: 'lexical.filter((_, i) => i % 2 === 0)',
    change: '2 -> 1',
    why: 'a symbol without terminals stands for none',
  },
  {
    file: 'src/formal/recognise/tree-counts.ts',
    line: 'for (let i = n - 1; i >= 0; i--) {',
    change: '- -> +',
    why: 'nothing begins after the end',
  },
  {
    file: 'src/datasets/audit/permute.ts',
    line: '(stream.u32() * (places.length - i)) / 4294967296',
    change: '4294967296 -> 4294967297',
    why: 'less than the bias that is allowed',
  },
  {
    file: 'src/datasets/audit/folds.ts',
    line: 'bytes.byteOffset).getBigUint64(0)',
    change: '0 -> 1',
    why: 'which part of a digest deals the clusters',
  },
  {
    file: 'src/datasets/audit/statistic.ts',
    line: 'for (let b = 0; b < count; b++) start[b + 1]',
    change: '0 -> 1',
    why: 'the first block begins at 0',
  },
  {
    file: 'src/datasets/audit/locality/worst-groups.ts',
    line: 'let [most, ties, mine] = [-1, 0, 0]',
    change: '0 -> -1',
    why: 'the first class sets what ties, its own what is mine',
  },
  {
    file: 'src/datasets/audit/learned/cross-parsing.ts',
    line: 'Math.ceil(Math.log2(8 * words + 8))',
    change: '8 -> 9',
    why: 'how much room hashes have',
  },
  {
    file: 'src/datasets/audit/learned/nearest-counts.ts',
    line: 'while (place > 0 && (near[place - 1]?.far',
    change: '0 -> -1',
    why: 'before the first there is none that is farther',
  },
  {
    file: 'src/formal/recognise/span-rows.ts',
    line: '16 * Math.ceil((((n >>> 6) + 1) * (n + 1) * slots) / 2)',
    change: '/ -> *',
    why: 'more room',
  },
  {
    file: 'src/formal/negatives/legal-strings.ts',
    line: 'const up = largest > 0 && largest < 1 / SHRINK',
    change: '< -> <=',
    why: 'a count that equals a bound',
  },
  {
    file: 'src/formal/grammar/adjacency.ts',
    line: 'for (let at = 0; at < cnf.binary.length; at += 3) {',
    change: '< -> <=',
    why: 'past the last rule there are no symbols to keep',
  },
  {
    file: 'src/formal/recognise/long-row-kernel.ts',
    line: 'if (filterFollow && follow[',
    change: '0 -> -1',
    why: 'a filter that saves time: what it lets through comes to nothing',
  },
  {
    file: 'src/formal/sample/distinct.ts',
    line: 'const size = lengths.maxLength + 1',
    change: '1 -> 0',
    why: 'no string is of length 0',
  },
  {
    file: 'src/stats/regression/logistic.ts',
    line: 'beta[0] = Math.log(share / (1 - share))',
    change: '/ -> *',
    why: 'where the search begins',
  },
  {
    file: 'src/stats/distributions/log-gamma.ts',
    line: 'while (shifted < 15) {',
    change: '15 -> 14',
    why: 'the series is as good at 14',
  },
  {
    file: 'src/stats/regression/separation.ts',
    line: 'along[i] = (along[i] as number) + (direction[j] as number)',
    change: '+ -> -',
    why: 'a direction parts as well backwards',
  },
  {
    file: 'src/stats/psychometric.ts',
    line: 'this.sign = rise > 0 ? 1 : -1',
    change: '> -> >=',
    why: 'what does not rise may be said to fall or not',
  },
  {
    file: 'src/stats/mixed/crossed.ts',
    line: '(at[j] as number) > Math.log(LEAST)',
    change: '> -> >=',
    why: 'a double that equals a bound',
  },
  {
    file: 'src/datasets/audit/folds.ts',
    line: 'for (let i = 0; i < chosen; i++) {',
    change: '< -> <=',
    why: 'past the last block there are no rows',
  },
  {
    file: 'src/datasets/audit/locality/learners.ts',
    line: 'const rows = columns[0]?.length ?? 0',
    change: '0 -> 1',
    why: 'nobody asks without columns',
  },
  {
    file: 'src/datasets/audit/locality/learners.ts',
    line: 'eventsOf(Math.max(1, ids.size), lists)',
    change: '1 -> 0',
    why: 'there are events',
  },
  {
    file: 'src/datasets/audit/answerers.ts',
    line: "(answer.kind === 'free' ? answer.score(text) : 0)",
    change: '0 -> 1',
    why: 'only free answers come here',
  },
  {
    file: 'src/datasets/audit/permute.ts',
    line: 'if (special.length === 0) continue',
    change: '0 -> -1',
    why: 'a block of rows that are alike adds nothing',
  },
]

export function reasonOf({ file, change }: Mutant, line: string): string | undefined {
  return EQUIVALENT.find((one) => one.file === file && line.includes(one.line) && one.change === change)?.why
}
