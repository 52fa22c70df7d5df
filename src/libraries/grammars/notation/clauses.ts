import { GrammarSyntaxError, numberOf } from '../grammar/cfg.ts'
import type { Mcfg, McfgRule, Part } from '../pcfg/mcfg.ts'

/** A multiple context-free grammar with the names of its nonterminals (the start symbol first) and tokens. */
export interface NamedMcfg extends Mcfg {
  readonly nonterminals: readonly string[]
  readonly tokens: ReadonlyMap<string, number>
}

const TERM = String.raw`([^\s()']+)\(([^()]*)\)`
const LINE = new RegExp(String.raw`^\s*${TERM}\s*(?:->((?:\s*${TERM})+)\s*)?$`, 'u')

/**
 * Reads clauses, one a line: `A('x', 'y')`, `A(a c, b d) -> B(a, b) C(c, d)`. Tokens stand in single quotes, all else within
 * brackets are variables, each of which stands once on either side.
 *
 * @throws {GrammarSyntaxError}
 */
export function parseClauses(text: string, start: string): NamedMcfg {
  const nonterminals = new Map([[start, 0]])
  const tokens = new Map<string, number>()
  const rules = text.split('\n').map((line, at): McfgRule => {
    const fail = (problem: string): never => {
      throw new GrammarSyntaxError(
        { line: at + 1, column: 1 },
        problem,
        "Write A(a c, b d) -> B(a, b) C(c, d) or A('x', 'y')",
      )
    }
    const [, left = '', head = '', body = ''] =
      LINE.exec(line) ?? fail(`expected a clause, got ${JSON.stringify(line)}`)
    const children = [...body.matchAll(new RegExp(TERM, 'gu'))].map(([, name = '', list = '']) => ({
      name,
      variables: list.split(',').map((variable) => variable.trim()),
    }))
    const variables = new Map(
      children.flatMap((child, index) =>
        child.variables.map(
          (name, component) => [name, { kind: 'component', child: index, component } as const] as const,
        ),
      ),
    )
    const used: string[] = []
    const partOf = (name: string): Part => {
      if (/^'[^']+'$/u.test(name)) return { kind: 'token', token: numberOf(tokens, name.slice(1, -1)) }
      used.push(name)
      return variables.get(name) ?? fail(`${name} stands on the left only`)
    }
    const components = head.split(',').map((string) => string.trim().split(/\s+/u).map(partOf))
    const stated = children.flatMap((child) => child.variables)
    if (new Set(used).size !== used.length || used.length !== stated.length || variables.size !== stated.length)
      fail('expected each variable once on either side')
    return {
      left: numberOf(nonterminals, left),
      children: children.map(({ name }) => numberOf(nonterminals, name)),
      components,
    }
  })
  return { start: 0, rules, nonterminals: [...nonterminals.keys()], tokens }
}
