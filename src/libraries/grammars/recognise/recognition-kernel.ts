import type { Cnf } from '../grammar/cnf.ts'
import {
  type Code,
  call,
  choose,
  clear,
  defineFunction,
  f64x2,
  i32,
  i64,
  type Local,
  leave,
  set,
  upwards,
  when,
  whilst,
} from '../wasm/assembler.ts'
import { compileKernel, newMemory } from '../wasm/kernel.ts'
import { addresses, type Rules, recognitionTables } from './recognition-tables.ts'

/** Strings of at most this many tokens have all their ends in one word. */
const IN_ONE_WORD = 63

/** Parents of one left child whose masks are held in variables at the same time. */
const MAX_HELD = 24

/** Words of a set of symbols up to which code that fits every grammar is used: it grows with their cube. */
const MAX_SHARED_WORDS = 8

/** Splits of left children with several, for one grammar, from which on code compiled for it pays (measured). */
const CROWDED = 2 ** 20

/** Membership of strings in the language of one grammar, by a chart of end masks. */
export interface RecognitionKernel {
  /** Where to write a string of n tokens: the record of each token. Valid until a kernel is used again. */
  prepare(n: number): Int32Array
  /** The record of token t is `firstRecord + t * recordBytes`. */
  readonly firstRecord: number
  readonly recordBytes: number
  /** Is the string of n tokens that was written in the language? */
  accepts(n: number): boolean
}

/** Memory of all recognisers of this thread: the string, the tables of the grammar asked last, and its chart. */
const memory = newMemory()
let tablesInMemory: Int32Array | null = null

/**
 * Row propagation: for every start i and symbol A, the ends e such that A derives tokens i to e - 1 are the bits of a
 * mask. Starts run from right to left. Where B ends at k and A -> B C is a rule, A gets at i all ends that C has at k,
 * by one OR; this repeats until no left child has an end that was not used.
 *
 * Sets of symbols, also as bits, keep most of that from being done:
 * - A symbol over token i is entered only where something that begins at i + 1 could stand right of it, or right of
 *   something of which it is the right corner. Where no symbol is left, no string of the language ends like this one.
 * - Rows are made only for the starts where a symbol over the token meets a possible right sibling at i + 1.
 * - A left child goes through the rules of those right siblings that begin at a split, and no others.
 *
 * All that fits every grammar, and is compiled once for each size of sets. For a grammar whose charts turn out crowded a
 * second version is compiled, in which a left child with several splits goes through all its rules in straight code.
 *
 * Strings of more than `oneWordUpTo` tokens (at most 63) have masks of several words; `crowded`: splits of left children
 * with several after which the second version is used.
 */
export function recognitionKernel(cnf: Cnf, oneWordUpTo = IN_ONE_WORD, crowded = CROWDED): RecognitionKernel {
  const { setWords, rows, stride, tables, rules, records } = recognitionTables(cnf)
  const at = addresses(setWords)
  let isCrowded = setWords > MAX_SHARED_WORDS || crowded < 0
  const ownShort = lazy(() => compile(setWords, true, rules))
  const ownLong = lazy(() => compile(setWords, false, rules))
  let view = new Int32Array(0)
  return {
    firstRecord: records,
    recordBytes: 24 * setWords,
    prepare(n) {
      if (tablesInMemory !== tables || n > oneWordUpTo || view.length === 0) {
        const buffer = memory.reserve(rows + stride * ((n >>> 6) + 1) * (Math.max(n, IN_ONE_WORD) + 1))
        view = new Int32Array(buffer)
        if (tablesInMemory !== tables) {
          view.set(tables, at.firstPair / 4)
          view.fill(0, at.unused / 4, at.unused / 4 + 128 * setWords)
        }
        tablesInMemory = tables
      }
      return view
    },
    accepts(n) {
      const oneWord = n <= oneWordUpTo
      const recognize = isCrowded ? (oneWord ? ownShort() : ownLong()) : sharedKernel(setWords, oneWord)
      const verdict = recognize(n, rows, stride)
      isCrowded ||= view[at.crowding / 4]! > crowded
      return verdict === 1
    },
  }
}

type Recognize = (n: number, rows: number, stride: number) => number

const compile = (setWords: number, oneWord: boolean, rules: Rules | null): Recognize =>
  compileKernel<'recognize'>([beginFunction(setWords, oneWord), recognizeFunction(setWords, oneWord, rules)], memory)
    .recognize

const shared: Recognize[] = []
const sharedKernel = (setWords: number, oneWord: boolean): Recognize =>
  (shared[2 * setWords + Number(oneWord)] ??= compile(setWords, oneWord, null))

function lazy<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const none = i64.const(0)
const one = i64.const(1)
const some = (words: readonly Code[]): Code => i32.eqz(i64.eqz(i64.orAll(words)))
const bit = (place: Code): Code => i64.shl(one, i64.extendI32U(place))
const next = (place: Code): Code => i32.add(place, i32.const(1))
const times = (place: Code, factor: number): Code => i32.mul(place, i32.const(factor))
const wordOf = (end: Code): Code => i32.shrU(end, i32.const(6))
const addTo = (mask: Local, more: Code): Code => set(mask, i64.or(mask, more))
/** `body` for every bit of a mask from the lowest on, its number in `place`; the mask ends as 0. */
const forEachBit = (mask: Local, place: Local, body: Code): Code =>
  whilst(i64.ne(mask, none), [
    set(place, i32.wrapI64(i64.ctz(mask))),
    set(mask, i64.and(mask, i64.sub(mask, one))),
    body,
  ])

/** The address of the row of a start, in a word of ends. */
type RowOf = (word: Code, start: Code) => Code
const rowOf = (oneWord: boolean, n: Local, rows: Local, stride: Local): RowOf =>
  oneWord
    ? (_, start) => i32.add(rows, i32.mul(start, stride))
    : (word, start) => i32.add(rows, i32.mul(i32.add(i32.mul(word, next(n)), start), stride))

/** The function begin(i, n, rows, stride): makes the row of start i, with what stands over token i. */
function beginFunction(setWords: number, oneWord: boolean) {
  const { alive } = addresses(setWords)
  const locals = { a: i32.type, w: i32.type, to: i32.type, end: i32.type, left: i64.type, zeros: f64x2.type }
  return defineFunction(
    'begin',
    ['i', 'n', 'rows', 'stride'],
    locals,
    ({ i, n, rows, stride, a, w, to, end, left, zeros }) => {
      const row = rowOf(oneWord, n, rows, stride)
      return [
        oneWord
          ? [
              set(to, row([], i)),
              set(a, to),
              set(end, i32.add(to, stride)),
              whilst(i32.ltS(a, end), [
                [0, 16, 32, 48].map((offset) => f64x2.store(a, offset, zeros)),
                set(a, i32.add(a, i32.const(64))),
              ]),
            ]
          : [upwards(w, wordOf(i), next(wordOf(n)), clear(row(w, i), stride)), set(to, row(wordOf(next(i)), i))],
        Array.from({ length: setWords }, (_, of) => [
          set(left, i64.load(times(i, 8 * setWords), alive + 8 * of)),
          forEachBit(left, a, i64.store(i32.add(to, times(a, 8)), 512 * of, bit(next(i)))),
        ]),
      ]
    },
  )
}

const NUMBERS = [
  'i',
  'record',
  'last',
  'b',
  'c',
  'k',
  'v',
  'w',
  'a',
  'at',
  'first',
  'until',
  'to',
  'from',
  'cell',
  'isOne',
] as const
const MASKS = ['inside', 'begun', 'sweep', 'ends', 'left', 'before', 'own', 'found', 'old'] as const
type Named = {
  readonly [name in 'n' | 'rows' | 'stride' | (typeof NUMBERS)[number] | (typeof MASKS)[number]]: Local
}
const HELD = Array.from({ length: MAX_HELD }, (_, j) => `held${j}`)

/**
 * The function recognize(n, rows, stride): 1 if the string is in the language, else 0. For the grammar with `rules`, or for
 * every grammar.
 */
function recognizeFunction(setWords: number, oneWord: boolean, rules: Rules | null) {
  const address = addresses(setWords)
  const words = Array.from({ length: setWords }, (_, w) => w)
  const sets = ['want', 'after', 'here', 'todo'].flatMap((name) => words.map((w) => `${name}${w}`))
  const typed = (names: readonly string[], type: number) => Object.fromEntries(names.map((name) => [name, type]))
  const locals = { ...typed(NUMBERS, i32.type), ...typed([...MASKS, ...sets, ...HELD], i64.type) }
  return defineFunction(
    'recognize',
    ['n', 'rows', 'stride'],
    locals,
    (variables) => recognizeBody(setWords, oneWord, rules, address, words, variables),
    true,
  )
}

function recognizeBody(
  setWords: number,
  oneWord: boolean,
  rules: Rules | null,
  {
    unused,
    splits,
    alive,
    firstPair,
    siblings,
    wanted,
    leftChildren,
    wantedAtEnd,
    crowding,
    parents,
  }: ReturnType<typeof addresses>,
  words: readonly number[],
  all: { readonly [name: string]: Local },
): Code {
  const { n, rows, stride, i, record, last, b, c, k, v, w, a, at, first, until, to, from, cell, isOne } = all as Named
  const { inside, begun, sweep, ends, left, before, own, found, old } = all as Named
  const setNamed = (name: string) => words.map((word) => all[`${name}${word}`]!)
  const want = setNamed('want') // what may end where the last start was
  const after = setNamed('after') // what begins there
  const here = setNamed('here') // what begins at start i
  const todo = setNamed('todo') // the left children of these with unused ends
  const aliveAt = (start: Code) => times(start, 8 * setWords)
  const row = rowOf(oneWord, n, rows, stride)
  const unusedRow = (word: Code) => (oneWord ? i32.const(0) : times(word, 512 * setWords))
  const makeRow = (start: Code) => [call(0, start, n, rows, stride), oneWord ? addTo(begun, bit(start)) : []]
  const hasOne = i64.eqz(i64.and(ends, i64.sub(ends, one)))

  /** The ends `found` for the parent at address `at`. */
  const addToParent: Code = [
    set(a, i32.load(at, 0)),
    set(cell, times(a, 8)),
    set(old, i64.load(i32.add(to, cell), 0)),
    set(own, i64.or(old, found)),
    when(i64.ne(own, old), [
      i64.store(i32.add(to, cell), 0, own),
      set(cell, i32.add(unusedRow(v), cell)),
      i64.store(cell, unused, i64.or(i64.load(cell, unused), i64.xor(own, old))),
      words.map((of) => {
        const mark = [
          addTo(here[of]!, bit(a)),
          addTo(todo[of]!, i64.and(bit(a), i64.load(i32.const(0), leftChildren + 8 * of))),
        ]
        return setWords === 1 ? mark : when(i32.eq(wordOf(a), i32.const(of)), mark)
      }),
    ]),
  ]
  /** Left child b, in word `ofB` of sets, split at k: by the right siblings that begin there. */
  const combineAt = (ofB: number): Code =>
    words.map((of) => {
      const siblingsOfB = i64.load(times(b, 8 * setWords), siblings + 512 * setWords * ofB + 8 * of)
      const addAll = [set(at, first), whilst(i32.ltS(at, until), [addToParent, set(at, i32.add(at, i32.const(4)))])]
      return [
        set(left, i64.and(siblingsOfB, i64.load(aliveAt(k), alive + 8 * of))),
        when(i64.ne(left, none), [
          oneWord ? [when(i64.eqz(i64.and(begun, bit(k))), makeRow(k)), set(from, row([], k))] : [],
          whilst(i64.ne(left, none), [
            set(c, i32.wrapI64(i64.ctz(left))),
            set(before, i64.sub(left, one)),
            // The pairs of b stand in the order of right siblings: its place is how many of them come before c.
            set(first, i32.wrapI64(i64.popcnt(i64.and(siblingsOfB, i64.sub(bit(c), one))))),
            set(first, i32.add(first, i32.load(times(b, 4 * setWords), firstPair + 256 * setWords * ofB + 4 * of))),
            set(until, i32.load(times(first, 4), parents + 4)),
            set(first, i32.load(times(first, 4), parents)),
            set(left, i64.and(left, before)),
            oneWord
              ? [set(found, i64.load(i32.add(from, times(c, 8)), 512 * of)), addAll]
              : upwards(v, wordOf(k), next(last), [
                  set(found, i64.load(i32.add(row(v, k), times(c, 8)), 512 * of)),
                  when(i64.ne(found, none), [set(to, row(v, i)), addAll]),
                ]),
          ]),
        ]),
      ]
    })
  const combineBySiblings = (ofB: number): Code =>
    oneWord
      ? forEachBit(ends, k, combineAt(ofB))
      : upwards(w, wordOf(i), next(last), [
          set(ends, i64.load(times(w, 8), splits)),
          countSplits,
          forEachBit(ends, k, [set(k, i32.add(k, times(w, 64))), combineAt(ofB)]),
        ])
  const countSplits = i32.store(
    i32.const(0),
    crowding,
    i32.add(i32.load(i32.const(0), crowding), i32.wrapI64(i64.popcnt(ends))),
  )
  /** A left child with several splits: by all its rules. */
  const combineByRules = (rules: Rules, left_: number): Code => {
    const ofParents = [...rules[left_]!]
    const parts = Array.from({ length: Math.ceil(ofParents.length / MAX_HELD) }, (_, part) =>
      ofParents.slice(part * MAX_HELD, (part + 1) * MAX_HELD),
    )
    return parts.map((part) => {
      const heldBy = part.map(([parent, rights], j) => ({ parent, rights, mask: all[`held${j}`]! }))
      const empty = heldBy.map(({ mask }) => set(mask, none))
      const gather = [
        set(from, row(v, k)),
        heldBy.map(({ rights, mask }) =>
          set(mask, i64.orAll([mask, ...rights.map((right) => i64.load(from, 8 * right))])),
        ),
      ]
      const add = heldBy.map(({ parent, mask }) => {
        const isNew = i64.shl(i64.extendI32U(i64.ne(old, none)), i64.const(parent & 63))
        return [
          set(old, i64.load(to, 8 * parent)),
          addTo(mask, old),
          i64.store(to, 8 * parent, mask),
          set(old, i64.xor(mask, old)),
          addTo(here[parent >>> 6]!, isNew),
          rules[parent]!.size === 0
            ? []
            : [
                set(cell, unusedRow(v)),
                i64.store(cell, unused + 8 * parent, i64.or(i64.load(cell, unused + 8 * parent), old)),
                addTo(todo[parent >>> 6]!, isNew),
              ],
        ]
      })
      if (oneWord) return [empty, set(left, ends), forEachBit(left, k, gather), add]
      return upwards(v, wordOf(i), next(last), [
        empty,
        upwards(w, wordOf(i), next(v), [
          set(left, i64.load(times(w, 8), splits)),
          forEachBit(left, k, [set(k, i32.add(k, times(w, 64))), gather]),
        ]),
        set(to, row(v, i)),
        add,
      ])
    })
  }
  /** The unused ends of b as splits: the end of the string is none. */
  const combine = (of: number): Code => {
    const atEnds = unused + 512 * of
    const straight = (rules: Rules) =>
      choose(
        b,
        Array.from({ length: 64 }, (_, symbol) => combineByRules(rules, 64 * of + symbol)),
      )
    const bySiblings = setWords > MAX_SHARED_WORDS ? [] : combineBySiblings(of)
    if (oneWord)
      return [
        set(cell, times(b, 8)),
        set(ends, i64.and(i64.load(cell, atEnds), inside)),
        i64.store(cell, atEnds, none),
        set(isOne, setWords > MAX_SHARED_WORDS ? i32.const(0) : hasOne),
        rules === null
          ? [when(i32.eqz(isOne), countSplits), bySiblings]
          : [
              when(isOne, bySiblings),
              when(i32.eqz(isOne), [
                set(left, i64.and(ends, i64.xor(begun, i64.const(-1)))),
                forEachBit(left, k, makeRow(k)),
                straight(rules),
              ]),
            ],
      ]
    return [
      upwards(v, wordOf(i), next(last), [
        set(cell, i32.add(unusedRow(v), times(b, 8))),
        set(ends, i64.load(cell, atEnds)),
        i64.store(cell, atEnds, none),
        when(i32.eq(v, last), set(ends, i64.and(ends, inside))),
        i64.store(times(v, 8), splits, ends),
      ]),
      rules === null ? bySiblings : straight(rules),
    ]
  }
  const lexicalEnds = words.map((of) => {
    const place = i32.add(unusedRow(wordOf(next(i))), times(b, 8))
    return [set(left, here[of]!), forEachBit(left, b, i64.store(place, unused + 512 * of, bit(next(i))))]
  })
  /** The left children are gone through in order, each with all ends it has by then, until none has unused ones. */
  const sweeps = whilst(
    some(todo),
    words.map((of) => [
      set(sweep, todo[of]!),
      whilst(i64.ne(sweep, none), [
        set(b, i32.wrapI64(i64.ctz(sweep))),
        set(todo[of]!, i64.xor(todo[of]!, bit(b))),
        combine(of),
        set(sweep, i64.and(todo[of]!, i64.shl(i64.const(-2), i64.extendI32U(b)))),
      ]),
    ]),
  )
  const wantMore = words.map((of) => [
    set(left, i64.and(here[of]!, i64.xor(i64.load(record, 8 * of), i64.const(-1)))),
    forEachBit(left, b, [
      set(at, times(b, 8 * setWords)),
      words.map((other) => addTo(want[other]!, i64.load(at, wanted + 512 * setWords * of + 8 * other))),
    ]),
  ])
  const derive = [
    oneWord ? [makeRow(i), set(to, row([], i))] : [],
    lexicalEnds,
    words.map((of) => set(todo[of]!, i64.and(here[of]!, i64.load(i32.const(0), leftChildren + 8 * of)))),
    sweeps,
    words.map((of) => i64.store(aliveAt(i), alive + 8 * of, here[of]!)),
    wantMore,
  ]
  return [
    set(last, wordOf(n)),
    set(inside, i64.sub(bit(n), one)),
    oneWord ? [] : clear(i32.const(unused), times(next(last), 512 * setWords)),
    words.map((of) => set(want[of]!, i64.load(i32.const(0), wantedAtEnd + 8 * of))),
    set(i, n),
    whilst(i, [
      set(i, i32.sub(i, i32.const(1))),
      set(record, i32.load(times(i, 4), 0)),
      words.map((of) => set(here[of]!, i64.and(want[of]!, i64.load(record, 8 * of)))),
      when(i64.eqz(i64.orAll(here)), leave(i32.const(0))),
      words.map((of) => i64.store(aliveAt(i), alive + 8 * of, here[of]!)),
      oneWord ? [] : makeRow(i),
      words.map((of) => set(want[of]!, i64.load(record, 8 * (2 * setWords + of)))),
      when(some(words.map((of) => i64.and(after[of]!, i64.load(record, 8 * (setWords + of))))), derive),
      words.map((of) => set(after[of]!, here[of]!)),
    ]),
    oneWord ? when(i64.eqz(i64.and(begun, one)), makeRow(i)) : [],
    i32.wrapI64(i64.and(i64.shrU(i64.load(row(last, i), 0), i64.extendI32U(n)), one)),
  ]
}
