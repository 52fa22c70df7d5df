import type { Rule } from '../../../libraries/rewriting/index.ts'
import type { Pairs } from '../types.ts'
import { Lattices } from './lattice.ts'
import { SubstringIndex } from './substring-index.ts'
import { NOTHING, PairNumbers, RuleTable, WordTable } from './word-tables.ts'

/** Above these sizes the tables are cleared. */
const MAX_WORDS = 300_000
const MAX_PIECES = 300_000
const MAX_LATTICES = 100_000

/** Maximum length of words between the first of these words and the last. */
export const maxOnTheWay = (side: number, words: readonly string[]): number =>
  words.reduce((most, word) => Math.max(most, word.length), 0) + 2 * side + 2

/** What one search keeps: words, pieces, what pieces make of words, and the lattices of pairs seen. */
export class SearchTables {
  readonly side: number
  /** Maximum length of a word; greedy runs can grow words without end. */
  readonly longest: number
  pieces!: RuleTable
  words!: WordTable
  rewrites!: Rewrites
  lattices!: Lattices
  /** What stands in the words and in the outputs of the explanation that is open. */
  inWords!: SubstringIndex
  inOutputs!: SubstringIndex
  private readonly pairs: number

  constructor(side: number, { inputs, outputs }: Pairs) {
    this.side = side
    this.pairs = inputs.length
    this.longest = maxOnTheWay(side, [...inputs, ...outputs])
    this.begin()
  }

  /** Forgets everything where it is too much; numbers from before are void then. */
  tidy(): void {
    const { words, pieces, lattices } = this
    if (words.texts.length > MAX_WORDS || pieces.size > MAX_PIECES || lattices.size > MAX_LATTICES) this.begin()
  }

  private begin(): void {
    this.pieces = new RuleTable(this.side)
    this.words = new WordTable(this.pieces.parts, this.side)
    this.rewrites = new Rewrites(this.pieces, this.words)
    this.lattices = new Lattices(this.words, this.pieces)
    this.inWords = new SubstringIndex(this.words, this.pairs)
    this.inOutputs = new SubstringIndex(this.words, this.pairs)
  }

  /** The least summed weight of the pieces that turn the word into the output. */
  least(word: number, output: number): number {
    if (word === output) return 0
    if (word === NOTHING) return Number.POSITIVE_INFINITY
    return this.lattices.shortest(this.lattices.id(word, output, false))
  }
}

/** Places in one word whose undoing is tried one by one. */
const PLACES = 3

const rewrite = (text: string, [left, right]: Rule): string => text.split(left).join(right)

/** What pieces make of words and from what they can have made them, remembered: searches ask the same again and again. */
class Rewrites {
  /** Pairs of a piece and a word, and what is remembered of each. */
  private readonly applied = new PairNumbers()
  private readonly results: number[] = []
  private readonly undone = new PairNumbers()
  private readonly origins: (readonly number[])[] = []
  private readonly pieces: RuleTable
  private readonly words: WordTable

  constructor(pieces: RuleTable, words: WordTable) {
    this.pieces = pieces
    this.words = words
  }

  /** The word after a piece is applied as a rule. */
  after(piece: number, word: number): number {
    const text = this.words.texts[word] as string
    if (!text.includes(this.pieces.left(piece))) return word
    const pair = this.applied.of(piece, word)
    if (pair === this.results.length) this.results.push(this.words.id(rewrite(text, this.ruleOf(piece))))
    return this.results[pair] as number
  }

  /** The {@link sources} of a word under a piece. */
  before(piece: number, word: number): readonly number[] {
    const pair = this.undone.of(piece, word)
    if (pair === this.origins.length)
      this.origins.push(
        sources(this.words.texts[word] as string, this.ruleOf(piece)).map((text) => this.words.id(text)),
      )
    return this.origins[pair] as readonly number[]
  }

  ruleOf(piece: number): Rule {
    return [this.pieces.left(piece), this.pieces.right(piece)]
  }
}

/** Texts that the rule turns into `output`, other than itself: any of the first places undone, and all of them. */
function sources(output: string, rule: Rule): string[] {
  const [left, right] = rule
  const places: number[] = []
  for (let at = output.indexOf(right); at !== -1; at = output.indexOf(right, at + right.length)) places.push(at)
  const out: string[] = []
  const tried = Math.min(places.length, PLACES)
  for (let chosen = 1; chosen < 1 << tried; chosen++) consider(places.filter((_, k) => k < tried && chosen & (1 << k)))
  if (places.length > tried) consider(places)
  return out

  function consider(list: readonly number[]): void {
    let source = ''
    let done = 0
    for (const at of list) {
      source += output.slice(done, at) + left
      done = at + right.length
    }
    source += output.slice(done)
    if (rewrite(source, rule) === output) out.push(source)
  }
}
