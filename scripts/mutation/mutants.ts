import { createHash } from 'node:crypto'
import { nodes } from '../../test/unit/layers/imports.ts'

/** One small change of a source file: what stands at `from..to` becomes `by`. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly from: number
  readonly to: number
  readonly was: string
  readonly by: string
}

/** What each operator is taken for. */
const SWAPS: { readonly [operator: string]: string } = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '++': '--',
  '--': '++',
  '+=': '-=',
  '-=': '+=',
  '&': '|',
  '|': '&',
}

interface Span {
  readonly start: number
  readonly end: number
}
const span = (node: unknown): Span => node as Span

/**
 * Every mutant of a file: an operator for its neighbour, a number for the next or the last, least for greatest, a condition
 * for its opposite, a statement for nothing.
 */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = []
  const add = (from: number, to: number, by: string) => {
    const line = text.slice(0, from).split('\n').length
    found.push({ file, line, from, to, was: text.slice(from, to), by })
  }
  const types = [...nodes(file, text)].filter(({ type }) => type === 'TSLiteralType').map(span)
  const inType = ({ start }: Span) => types.some((type) => type.start <= start && start < type.end)
  for (const node of nodes(file, text)) {
    const { start, end } = span(node)
    const operator = String(node['operator'])
    const swap = SWAPS[operator]
    if (/^(Binary|Logical|Assignment)Expression$/.test(node.type) && swap !== undefined) {
      const at = text.indexOf(operator, span(node['left']).end)
      // A sum with a text in it has no difference.
      if (!(operator === '+' && /['`]/.test(text.slice(start, end)))) add(at, at + operator.length, swap)
    } else if (node.type === 'UpdateExpression' && swap !== undefined) {
      const at = node['prefix'] === true ? start : end - operator.length
      add(at, at + operator.length, swap)
    } else if (node.type === 'Literal' && typeof node['value'] === 'number' && !inType({ start, end })) {
      add(start, end, String(node['value'] + 1))
      add(start, end, `(${node['value'] - 1})`)
    } else if (node.type === 'Literal' && typeof node['value'] === 'boolean' && !inType({ start, end }))
      add(start, end, String(!node['value']))
    else if (node.type === 'MemberExpression' && /^Math\.(min|max)$/.test(text.slice(start, end)))
      add(start, end, text.slice(start, end) === 'Math.min' ? 'Math.max' : 'Math.min')
    else if (/^(Expression|Throw|Break|Continue)Statement$/.test(node.type)) add(start, end, ';')
    else if (/^(If|Conditional)/.test(node.type)) {
      const test = span(node['test'])
      add(test.start, test.end, `!(${text.slice(test.start, test.end)})`)
    }
  }
  return found
}

/** Some of the mutants, the same every time: those whose digest with the seed is least. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: string): Mutant[] {
  const rank = ({ file, from, by, was }: Mutant) =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, from, was, by]))
      .digest('hex')
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
