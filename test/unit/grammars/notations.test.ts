import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Cfg,
  type CfgSymbol,
  cfgOf,
  cnfOf,
  GrammarKindError,
  GrammarSyntaxError,
  nonterminal,
  parseRational,
  printRational,
  rational,
  terminal,
} from '../../../src/libraries/grammars/grammar/cfg.ts'
import {
  cfgFromJson,
  cfgToJson,
  normalForm,
  parseNltkGrammar,
  parseRelicGrammar,
  printLarkGrammar,
  printNltkGrammar,
  readGrammar,
} from '../../../src/libraries/grammars/index.ts'
import { codePoint } from '../../code-point.ts'
import { cykAccepts } from './cyk.ts'
import { strings } from './enumerate.ts'
import { anyCnf } from './random-cnf.ts'

/** Names that a notation may stumble over: blanks, quotes, escapes, controls, halves of surrogate pairs, prefixes of others. */
const hostileNames = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 6 }),
  fc
    .array(
      fc.constantFrom(
        'B',
        'C',
        ' ',
        "'",
        '"',
        '\\',
        'u00',
        'n',
        '\n',
        '\r',
        '\u0001',
        '\ud800',
        '->',
        '|',
        '#',
        '%',
        ':',
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((parts) => parts.join('')),
)
const hostileCfgs = fc
  .array(
    fc.record({
      left: fc.oneof(fc.constantFrom('s', 'np', 'vp'), hostileNames),
      right: fc.array(fc.oneof(hostileNames.map(terminal), hostileNames.map(nonterminal)), { maxLength: 3 }),
      weight: fc.constant(null),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((rules): Cfg => ({ start: rules[0]?.left as string, rules }))
/** The same with plain nonterminals that all have rules, so that more of it can be written. */
const hostileTerminals = fc
  .array(fc.array(fc.oneof(hostileNames.map(terminal), fc.constant(nonterminal('start'))), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((bodies): Cfg => ({ start: 'start', rules: bodies.map((right) => ({ left: 'start', right, weight: null })) }))

const weight = fc
  .tuple(fc.bigInt({ min: 0n, max: 999n }), fc.bigInt({ min: 1n, max: 999n }))
  .map(([numerator, denominator]) => rational(numerator, denominator))
const names = fc.constantFrom('S', 'NP', 'VP', 'X', 'Y')
const symbols: fc.Arbitrary<CfgSymbol> = fc.oneof(
  names.map(nonterminal),
  fc.constantFrom('a', "it's", 'b c', '"').map(terminal),
)
/** Grammars with long, unit, empty, repeated and weighted rules. */
const cfgs = (symbol = symbols, weights: fc.Arbitrary<Cfg['rules'][number]['weight']> = fc.option(weight)) =>
  fc
    .array(fc.record({ left: names, right: fc.array(symbol, { maxLength: 4 }), weight: weights }), {
      minLength: 1,
      maxLength: 8,
    })
    .chain((rules) => fc.record({ start: names, rules: fc.constant(rules) }))

function place(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof GrammarSyntaxError) return `${error.line}:${error.column} ${error.message}`
    throw error
  }
  return 'read'
}

describe('rational numbers', () => {
  it('are read exactly and printed in lowest terms', () => {
    expect(['0.25', '.5', '2/8', '3', '0.10', '0'].map((text) => printRational(parseRational(text) as never))).toEqual([
      '1/4',
      '1/2',
      '1/4',
      '3',
      '1/10',
      '0',
    ])
    expect(['', '.', '1/0', '1.5/2', '-1', '1e3', 'x', '1'.repeat(31)].map(parseRational)).toEqual(Array(8).fill(null))
    expect(() => rational(1n, 0n)).toThrow(RangeError)
    expect(rational(2n, -4n)).toEqual({ numerator: -1n, denominator: 2n })
  })
})

describe('the NLTK notation', () => {
  it('reads alternatives, weights, comments and the start directive', () => {
    const text = `# toy\n%start S\nNP -> 'the' N [0.75] | "it's" [1/4]\nS -> NP VP # main\nVP ->`
    expect(parseNltkGrammar(text)).toEqual({
      start: 'S',
      rules: [
        { left: 'NP', right: [terminal('the'), nonterminal('N')], weight: rational(3n, 4n) },
        { left: 'NP', right: [terminal("it's")], weight: rational(1n, 4n) },
        { left: 'S', right: [nonterminal('NP'), nonterminal('VP')], weight: null },
        { left: 'VP', right: [], weight: null },
      ],
    })
    expect(parseNltkGrammar("A -> 'a'\nB -> A").start).toBe('A')
  })

  it('reads every spelling of an arrow, and places what follows it', () => {
    const plain = parseNltkGrammar('S -> A B\nA -> "a"\nB -> "b"')
    for (const arrow of ['→', '::=', '->'])
      expect(parseNltkGrammar(`S ${arrow} A B\nA ${arrow} "a"\nB${arrow}"b"`)).toEqual(plain)
    expect(place(() => parseNltkGrammar('S → A [x]'))).toMatch(/^1:7 .*a weight such as/)
    expect(place(() => parseNltkGrammar('S ::= A\n\nA ::= B [x]'))).toMatch(/^3:9 .*a weight such as/)
  })

  it('comes back the same from printing and reading', () => {
    fc.assert(
      fc.property(cfgs(), (cfg) => {
        expect(parseNltkGrammar(printNltkGrammar(cfg))).toEqual(cfg)
      }),
    )
  })

  it('says line and column of what it cannot read', () => {
    expect(place(() => parseNltkGrammar('S -> A\nS = B'))).toMatch(/^2:3 .*operator =/)
    expect(place(() => parseNltkGrammar('S A'))).toMatch(/^1:3 .*expected -> .*found "A"/)
    expect(place(() => parseNltkGrammar('S -> A [x]'))).toMatch(/^1:8 .*a weight such as/)
    expect(place(() => parseNltkGrammar('S -> A [1] B'))).toMatch(/^1:12 .*after a weight/)
    expect(place(() => parseNltkGrammar('S -> A [1'))).toMatch(/^1:8 .*not closed/)
    expect(place(() => parseNltkGrammar('S -> A -> B'))).toMatch(/^1:8 .*a symbol, \| or a weight/)
    expect(place(() => parseNltkGrammar('%begin S'))).toMatch(/^1:1 .*%start NAME/)
    expect(place(() => parseNltkGrammar('# nothing'))).toMatch(/^1:1 .*at least one rule/)
    expect(() => printNltkGrammar({ start: 'S', rules: [{ left: 'a b', right: [], weight: null }] })).toThrow(
      GrammarKindError,
    )
  })
})

describe("Lark's notation", () => {
  it('reads alternatives over several lines, escapes and comments', () => {
    const text = `// toy\nstart: np vp\n     | "stop"\nnp: "a\\"b" | // nothing\nvp: np np np\n%ignore " "\n`
    expect(readGrammar(text).grammar).toEqual({
      start: 'start',
      rules: [
        { left: 'start', right: [nonterminal('np'), nonterminal('vp')], weight: null },
        { left: 'start', right: [terminal('stop')], weight: null },
        { left: 'np', right: [terminal('a"b')], weight: null },
        { left: 'np', right: [], weight: null },
        { left: 'vp', right: [nonterminal('np'), nonterminal('np'), nonterminal('np')], weight: null },
      ],
    })
  })

  it('comes back the same from printing and reading, up to case and grouping', () => {
    fc.assert(
      fc.property(cfgs(symbols, fc.constant(null)), (cfg) => {
        const used = new Set<string>(cfg.rules.map(({ left }) => left))
        const closed = {
          start: cfg.rules[0]?.left as string,
          rules: cfg.rules.map((rule) => ({
            ...rule,
            right: rule.right.filter(({ kind, name }) => kind === 'terminal' || used.has(name)),
          })),
        }
        const low = ({ kind, name }: CfgSymbol) => ({ kind, name: kind === 'terminal' ? name : name.toLowerCase() })
        const grouped = [...Map.groupBy(closed.rules, ({ left }) => left).values()].flat()
        expect(readGrammar(printLarkGrammar(closed), { start: closed.start.toLowerCase() }).grammar).toEqual({
          start: closed.start.toLowerCase(),
          rules: grouped.map(({ left, right }) => ({ left: left.toLowerCase(), right: right.map(low), weight: null })),
        })
      }),
    )
  })

  it('says line and column of what it cannot read', () => {
    expect(place(() => readGrammar('start: "x"', { start: 'begin' }))).toMatch(/^1:1 .*start symbol begin/)
    expect(place(() => readGrammar('start: "x"\n"y"\n)'))).toMatch(/^3:1 .*found \)/)
    expect(place(() => readGrammar('"y"'))).toMatch(/^1:1 .*expected a rule/)
    expect(place(() => readGrammar('start: ("x"'))).toMatch(/^1:8 .*\( is not closed/)
    expect(place(() => readGrammar('start: "x\nb: "y"'))).toMatch(/^1:8 .*unexpected character/)
    expect(place(() => readGrammar('start: "x" ~ 5..2'))).toMatch(/^1:8 .*at most 1000/)
    expect(place(() => readGrammar('%declare X'))).toMatch(/^1:1 .*expected a rule/)
    const same = { start: 'A', rules: [{ left: 'A', right: [nonterminal('a')], weight: null }] }
    expect(() => printLarkGrammar(same)).toThrow(/same name in Lark/)
  })
})

describe('hostile names', () => {
  const readBack = (cfg: Cfg, print: (cfg: Cfg) => string, parse: (text: string) => Cfg) => {
    let text: string
    try {
      text = print(cfg)
    } catch (error) {
      expect(error).toBeInstanceOf(GrammarKindError)
      return
    }
    expect(parse(text)).toEqual(cfg)
  }

  it('are refused or come back the same from printing and reading', () => {
    for (const grammars of [hostileCfgs, hostileTerminals])
      fc.assert(fc.property(grammars, (cfg) => readBack(cfg, printNltkGrammar, parseNltkGrammar)))
    fc.assert(
      fc.property(hostileTerminals, (cfg) => {
        expect(readGrammar(printLarkGrammar(cfg)).grammar).toEqual(cfg)
      }),
    )
    fc.assert(
      fc.property(hostileCfgs, (cfg) => {
        expect(cfgFromJson(cfgToJson(cfg))).toEqual(cfg)
      }),
    )
  })

  it("of Lark are read in all of Python's escapes, and refused where an escape names no character", () => {
    const [rule] = readGrammar(String.raw`start: "\t\x41\u0042\U0001f600\"\\\r"`).grammar.rules
    expect(rule?.right).toEqual([terminal('\tAB\u{1f600}"\\\r')])
    expect(place(() => readGrammar(String.raw`start: "a\u00g0"`))).toMatch(/^1:8 .*names no character/)
    expect(place(() => readGrammar(String.raw`start: "\UFFFFFFFF"`))).toMatch(/^1:8 .*names no character/)
  })

  it('with blanks are told apart in normal form', () => {
    const sides = [
      ['B C', 'D'],
      ['B', 'C D'],
    ]
    const rules = [
      ...sides.map((right) => ({ left: 'S', right: right.map(nonterminal), weight: null })),
      ...sides.flat().map((left) => ({ left, right: [terminal('x')], weight: null })),
    ]
    expect(normalForm({ start: 'S', rules }).grammar.binary).toHaveLength(6)
    const repeated = { start: 'S', rules: [...rules, ...rules.slice(1, 2)] }
    expect(() => cnfOf(repeated)).toThrow(/stands twice/)
  })
})

describe('grammars as JSON', () => {
  it('come back the same', () => {
    fc.assert(
      fc.property(cfgs(), (cfg) => {
        expect(cfgFromJson(JSON.parse(JSON.stringify(cfgToJson(cfg))))).toEqual(cfg)
      }),
    )
  })

  it('are refused with the place that is wrong', () => {
    expect(() => cfgFromJson({ start: 'S' })).toThrow(/rules/)
    expect(() => cfgFromJson({ start: 'S', rules: [{ left: 'S', right: [{ terminal: '' }] }] })).toThrow(/right\[0\]/)
    expect(() => cfgFromJson({ start: 'S', rules: [{ left: 'S', right: [], weight: 'half' }] })).toThrow(
      /rules\[0\]\.weight is "half"/,
    )
  })
})

describe('Chomsky normal form', () => {
  it('is what RELIC text gives, and nothing else is taken for it', () => {
    const text = "S -> A B\nA -> 'x'\nB -> 'y'"
    expect(cnfOf(parseNltkGrammar(text))).toEqual(parseRelicGrammar(text))
    fc.assert(
      fc.property(anyCnf({ nonterminals: 4, terminals: 3, rules: 6 }), (grammar) => {
        const rules = cfgOf(grammar)
        const repeated = new Set(rules.rules.map((rule) => JSON.stringify(rule))).size < rules.rules.length
        const inside = [...grammar.binary].some((symbol, at) => at % 3 !== 0 && symbol === 0)
        if (repeated || inside) expect(() => cnfOf(rules)).toThrow(GrammarKindError)
        else expect(cfgOf(cnfOf(rules))).toEqual(rules)
      }),
    )
    for (const bad of ['S -> A', "S -> 'x' 'y'", 'S -> A B C', 'S ->', 'S -> S A', "A -> 'x'\nA -> 'x'"])
      expect(() => cnfOf(parseNltkGrammar(bad))).toThrow(GrammarKindError)
  })

  it('derives the same strings as the grammar it was made from', () => {
    const plain = fc.oneof(names.map(nonterminal), fc.constantFrom('a', 'b').map(terminal))
    const all = [0, 1, 2, 3, 4].flatMap((length) => [...strings(2, length)])
    fc.assert(
      fc.property(cfgs(plain, fc.constant(null)), (cfg) => {
        const { grammar, derivesEmpty } = normalForm(cfg)
        for (const tokens of all) {
          const words = tokens.map((t) => 'ab'[t] as string)
          const numbers = words.map((word) => grammar.terminals.indexOf(word))
          expect(tokens.length === 0 ? derivesEmpty : cykAccepts(grammar, numbers)).toBe(derives(cfg, words))
        }
        expect([...grammar.binary].every((symbol, at) => at % 3 === 0 || symbol !== 0)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('numbers new symbols after the one they serve, past names that are taken', () => {
    const long = (left: string) => ({ left, right: ['S_2', 'S_2', 'S_2'].map(nonterminal), weight: null })
    const rules = [long('S'), long('S'), { left: 'S_2', right: [terminal('a')], weight: null }]
    expect(normalForm({ start: 'S', rules }).grammar.nonterminals).toEqual(['S', 'S_2', 'S_1', 'S_3'])
  })
})

/** Membership for any grammar: the least table of (symbol, span) that the rules make, by rounds. */
function derives(cfg: Cfg, words: readonly string[]): boolean {
  const known = new Set<string>()
  const ends = (right: readonly CfgSymbol[], from: number): Set<number> => {
    let at = new Set([from])
    for (const { kind, name } of right) {
      const next = new Set<number>()
      for (const k of at)
        for (let to = k; to <= words.length; to++)
          if (kind === 'terminal' ? to === k + 1 && words[k] === name : known.has(`${name} ${k} ${to}`)) next.add(to)
      at = next
    }
    return at
  }
  for (let size = -1; size < known.size; ) {
    size = known.size
    for (const { left, right } of cfg.rules)
      for (let from = 0; from <= words.length; from++)
        for (const to of ends(right, from)) known.add(`${left} ${from} ${to}`)
  }
  return known.has(`${cfg.start} 0 ${words.length}`)
}
