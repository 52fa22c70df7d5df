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
    file: 'src/libraries/rewriting/exact-relations.ts',
    line: 'const UNREACHED = -1_000_000_000',
    change: '1_000_000_000 -> 999999999',
    why: 'less than any sum, too',
  },
  {
    file: 'src/libraries/rewriting/relations.ts',
    line: 'const MAX_CACHED = 1 << 17',
    change: '1 -> 0',
    why: 'how much is remembered: only time',
  },
  {
    file: 'src/libraries/rewriting/relations.ts',
    line: 'key += String.fromCharCode(97 + at)',
    change: '97 -> 96',
    why: 'what letters are called in the key of a memory',
  },
  {
    file: 'src/libraries/rewriting/relations.ts',
    line: "if (label !== 'N') out.push({ from, to,",
    change: '< -> <=',
    why: 'no rule is related to itself',
  },
  {
    file: 'src/libraries/rewriting/sounds/sound.ts',
    line: 'terms.size > 0 && wanted.every',
    change: '0 -> 1',
    why: 'a sound has many terms or none',
  },
  {
    file: 'src/runner/limits/concurrency-limiter.ts',
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
    file: 'src/libraries/graphs/canonical.ts',
    line: 'compareLists(encoding, best.encoding) < 0',
    change: '0 -> 1',
    why: 'of two numberings with equal encodings the later is kept: they are automorphic, the form is the same',
  },
  {
    file: 'src/libraries/graphs/canonical.ts',
    line: 'for (let i = 0; i < length; i++) if (a[i] !== b[i])',
    change: '0 -> -1',
    why: 'lists are both undefined at -1',
  },
  {
    file: 'src/libraries/graphs/two-sat.ts',
    line: 'for (let root = 0; root < n; root++) {',
    change: '< -> <=',
    why: 'a vertex past the last has no index, and is passed over',
  },
  {
    file: 'src/libraries/statistics/rank-sets.ts',
    line: 'systems[0]?.sums.length ?? 0',
    change: '0 -> 1',
    why: 'without contestants nothing is ranked, however many groups there are',
  },
  {
    file: 'src/libraries/statistics/distributions/special-functions.ts',
    line: 'if (x < a + 1) {',
    change: '1 -> 2',
    why: 'where series and continued fraction take turns; both converge there',
  },
  {
    file: 'src/libraries/statistics/distributions/test-statistics.ts',
    line: 'if (p === 1) return Number.POSITIVE_INFINITY',
    change: '1 -> 2',
    why: 'the search for the quantile at 1 comes to infinity, too',
  },
  {
    file: 'src/libraries/grammars/negatives/matched-pairs.ts',
    line: 'float(stream) < reader.chance(',
    change: '< -> <=',
    why: 'a random double that equals a chance',
  },
  {
    file: 'src/libraries/grammars/negatives/legal-strings.ts',
    line: 'const SHRINK = powerOfTwo(400)',
    change: '400 -> 399',
    why: 'at which power of two counts are scaled',
  },
  {
    file: 'src/datasets/audit/features.ts',
    line: '(words[a] as string) < (words[b] as string) ? -1 : 1',
    change: '1 -> 2',
    why: 'only the sign of a comparison counts',
  },
  {
    file: 'src/core/text.ts',
    line: '(character.codePointAt(0) ?? 0)',
    change: '0 -> -1',
    why: 'a character that was found has a number',
  },
  {
    file: 'src/core/text.ts',
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
    file: 'src/models/scoring/tiny/attend-head.ts',
    line: 'if (logits[row]! > most) most = logits[row]!',
    change: '> -> >=',
    why: 'the same largest',
  },
  {
    file: 'src/libraries/statistics/distributions/special-functions.ts',
    line: '-691 / 360360',
    change: '360360 -> 360361',
    why: 'less than rounding from 15 on, where the series is used',
  },
  {
    file: 'src/libraries/statistics/distributions/special-functions.ts',
    line: 'to *= 2',
    change: '2 -> 3',
    why: 'how the bracket is found, not what is found in it',
  },
  {
    file: 'src/libraries/statistics/adaptive.ts',
    line: 'const MIDDLES = 61',
    change: '61 -> 62',
    why: 'how finely curves are thought of',
  },
  {
    file: 'src/libraries/grammars/negatives/strictly-local.ts',
    line: 'for (let w = 0; w < words; w++) {',
    change: '< -> <=',
    why: 'a typed array takes no entry past its end',
  },
  {
    file: 'src/datasets/audit/learners.ts',
    line: 'Math.imul((ids[at - 1] as number) + 1, 0x9e3779b1)',
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
    file: 'src/core/balanced-blocks.ts',
    line: 'new LruCache<readonly SubUnit[]>(64)',
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
    file: 'src/libraries/grammars/negatives/strictly-local.ts',
    line: 'for (let w = 0; w < words; w++) {',
    change: '0 -> -1',
    why: 'a typed array takes no entry at -1',
  },
  {
    file: 'src/libraries/grammars/negatives/segment-swap.ts',
    line: 'for (; to < n; to++) out[to] = tokens[to]!',
    change: '< -> <=',
    why: 'a typed array takes no entry past its end',
  },
  {
    file: 'src/libraries/grammars/recognise/neighbourhood.ts',
    line: 'lexical.filter((_, i) => i % 2 === 0)',
    change: '2 -> 1',
    why: 'a symbol without terminals stands for none',
  },
  {
    file: 'src/datasets/audit/permute.ts',
    line: '(stream.u32() * (shuffled.length - i)) / 4294967296',
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
    file: 'src/datasets/audit/learners.ts',
    line: 'while (at > 0 && (this.rows[at - 1]?.far',
    change: '0 -> -1',
    why: 'before the first there is none that is farther',
  },
  {
    file: 'src/libraries/grammars/recognise/span-passes.ts',
    line: '16 * Math.ceil((((n >>> 6) + 1) * (n + 1) * slots) / 2)',
    change: '/ -> *',
    why: 'more room',
  },
  {
    file: 'src/libraries/grammars/negatives/legal-strings.ts',
    line: 'const up = largest > 0 && largest < 1 / SHRINK',
    change: '< -> <=',
    why: 'a count that equals a bound',
  },
  {
    file: 'src/libraries/grammars/grammar/adjacency.ts',
    line: 'for (let at = 0; at < binary.length; at += 3) {',
    change: '< -> <=',
    why: 'past the last rule there are no symbols to keep',
  },
  {
    file: 'src/libraries/grammars/sample/distinct.ts',
    line: 'const size = lengths.maxLength + 1',
    change: '1 -> 0',
    why: 'no string is of length 0',
  },
  {
    file: 'src/libraries/statistics/regression/logistic.ts',
    line: 'beta[0] = Math.log(share / (1 - share))',
    change: '/ -> *',
    why: 'where the search begins',
  },
  {
    file: 'src/libraries/statistics/distributions/special-functions.ts',
    line: 'while (shifted < 15) {',
    change: '15 -> 14',
    why: 'the series is as good at 14',
  },
  {
    file: 'src/libraries/statistics/regression/logistic.ts',
    line: 'along[i] = (along[i] as number) + (direction[j] as number)',
    change: '+ -> -',
    why: 'a direction parts as well backwards',
  },
  {
    file: 'src/libraries/statistics/psychometric.ts',
    line: 'this.sign = rise > 0 ? 1 : -1',
    change: '> -> >=',
    why: 'what does not rise may be said to fall or not',
  },
  {
    file: 'src/libraries/statistics/mixed/crossed.ts',
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
    file: 'src/datasets/audit/baseline-probes.ts',
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
  {
    file: 'src/datasets/audit/learners.ts',
    line: 'if (far >= this.limit) return',
    change: '>= -> >',
    why: 'what is as far as the last comes after it, and goes',
  },
  {
    file: 'src/datasets/audit/learners.ts',
    line: 'let far = 0',
    change: '0 -> -1',
    why: 'all are nearer by the same',
  },
  {
    file: 'src/datasets/audit/features.ts',
    line: 'if ((list[i - 1] as string) <= (list[i] as string)) ordered++',
    change: '1 -> 0',
    why: 'nothing stands before the first',
  },
  {
    file: 'src/datasets/audit/checks.ts',
    line: 'Math.max(1, Math.ceil(count / MAX_PROVED_ITEMS))',
    change: '1 -> 0',
    why: 'of no items none is asked',
  },
  {
    file: 'src/datasets/audit/locality/worst-groups.ts',
    line: "new KeySpace(rootKey('touchstone/audit', 1,",
    change: '1 -> 0',
    why: 'which permutations are drawn',
  },
  {
    file: 'src/libraries/grammars/pcfg/span-rules.ts',
    line: 'let room = 64',
    change: '64 -> 63',
    why: 'for how long strings rules are compiled at first',
  },
  {
    file: 'src/libraries/grammars/pcfg/best-derivation.ts',
    line: '[Math.max(side, 2 * room.side)',
    change: '2 -> 1',
    why: 'how much room is kept',
  },
  {
    file: 'src/libraries/grammars/pcfg/best-derivation.ts',
    line: 'if (size > MAX_KEPT)',
    change: '> -> >=',
    why: 'which charts have memory of their own',
  },
  {
    file: 'src/libraries/grammars/pcfg/neighbours.ts',
    line: 'if (p > 0) for',
    change: '> -> >=',
    why: 'adds nothing where a probability is 0',
  },
  {
    file: 'src/libraries/grammars/pcfg/neighbours.ts',
    line: 'if (p > 0) for',
    change: '0 -> -1',
    why: 'adds nothing where a probability is 0',
  },
  {
    file: 'src/libraries/grammars/pcfg/pair-distance.ts',
    line: 'if (total > most) continue',
    change: 'continue -> nothing',
    why: 'too much is cut off at the end, too',
  },
  {
    file: 'src/libraries/grammars/pcfg/tree.ts',
    line: 'const MAX_STEPS = 1_000_000',
    change: '1_000_000 -> 1000001',
    why: 'a bound that no test walks to',
  },
  {
    file: 'src/libraries/grammars/pcfg/grammar.ts',
    line: 'const MAX_STEPS = 1e9',
    change: '1e9 -> 1000000001',
    why: 'a bound that no test walks to',
  },
]

export function reasonOf({ file, change }: Mutant, line: string): string | undefined {
  return EQUIVALENT.find((one) => one.file === file && line.includes(one.line) && one.change === change)?.why
}
