import { createHash } from 'node:crypto'
import { nodes } from '../../test/unit/layers/imports.ts'

/** One small change of a source file: the expression or statement at `from..to` becomes `by`. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly from: number
  readonly to: number
  readonly by: string
  readonly kind: 'expression' | 'statement'
  /** What is changed, in short: an operator or a number, of the expression that holds it. */
  readonly change: string
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
  const all = [...nodes(file, text)]
  const types = all.filter(({ type }) => type === 'TSLiteralType').map(span)
  const keys = new Set(all.filter(isKeyed).map(({ key }) => span(key).start))
  const isValue = ({ start }: Span) =>
    !keys.has(start) && !types.some((type) => type.start <= start && start < type.end)
  const read = ({ start, end }: Span) => text.slice(start, end)
  const statements = new Map(
    all.filter(({ type }) => type === 'ExpressionStatement').map((one) => [span(one).start, span(one).end]),
  )
  const add = (at: Span, by: string, change: string, kind: Mutant['kind'] = 'expression') => {
    const line = text.slice(0, at.start).split('\n').length
    // Brackets at the beginning of a statement would be arguments of what stands on the line before.
    const whole = kind === 'expression' ? statements.get(at.start) : undefined
    if (whole === undefined) found.push({ file, line, from: at.start, to: at.end, by, kind, change })
    else {
      const rest = text.slice(at.end, whole)
      found.push({ file, line, from: at.start, to: whole, by: by + rest, kind: 'statement', change })
    }
  }
  for (const node of all) {
    const at = span(node)
    const operator = String(node['operator'])
    const swap = SWAPS[operator]
    const change = `${operator} -> ${swap}`
    if (/^(Binary|Logical)Expression$/.test(node.type) && swap !== undefined) {
      // A sum with a text in it has no difference.
      if (!(operator === '+' && /['`]/.test(read(at))))
        add(at, `(${read(span(node['left']))}) ${swap} (${read(span(node['right']))})`, change)
    } else if (node.type === 'AssignmentExpression' && swap !== undefined) {
      const sign = text.indexOf(operator, span(node['left']).end)
      add(at, text.slice(at.start, sign) + swap + text.slice(sign + operator.length, at.end), change)
    } else if (node.type === 'UpdateExpression' && swap !== undefined)
      add(at, node['prefix'] === true ? swap + read(at).slice(2) : read(at).slice(0, -2) + swap, change)
    else if (node.type === 'Literal' && typeof node['value'] === 'number' && isValue(at)) {
      for (const by of [node['value'] + 1, node['value'] - 1]) add(at, String(by), `${read(at)} -> ${by}`)
    } else if (node.type === 'Literal' && typeof node['value'] === 'boolean' && isValue(at))
      add(at, String(!node['value']), `${read(at)} -> ${!node['value']}`)
    else if (node.type === 'MemberExpression' && /^Math\.(min|max)$/.test(read(at))) {
      const by = read(at) === 'Math.min' ? 'Math.max' : 'Math.min'
      add(at, by, `${read(at)} -> ${by}`)
    } else if (/^(Expression|Throw|Break|Continue)Statement$/.test(node.type))
      add(at, '', `${read(at)} -> nothing`, 'statement')
    else if (/^(If|Conditional)/.test(node.type)) {
      const test = span(node['test'])
      add(test, `!(${read(test)})`, `${read(test)} -> not`)
    }
  }
  return found
}

const isKeyed = (node: { readonly type: string; readonly [key: string]: unknown }): boolean =>
  /^(Property|PropertyDefinition|MethodDefinition|TSPropertySignature)$/.test(node.type) && node['computed'] !== true

/** Some of the mutants, the same every time: those whose digest with the seed is least. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: string): Mutant[] {
  const rank = ({ file, from, to, by }: Mutant) =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, from, to, by]))
      .digest('hex')
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
