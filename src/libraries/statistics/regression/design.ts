/** What a model may be regressed on. */
export type Variable =
  | { readonly kind: 'numeric'; readonly values: ArrayLike<number> }
  | {
      readonly kind: 'nominal'
      /** Index into `levels` for each row. */
      readonly codes: ArrayLike<number>
      readonly levels: readonly string[]
      /** Reference level. Default: the first that occurs. */
      readonly base?: string
    }

/** A main effect (`['x']`) or an interaction (`['x', 'model']`) of variables by name. */
export type Term = readonly string[]

/** Which columns of a design belong to one term. */
export interface TermColumns {
  readonly name: string
  /** Columns from..to-1. */
  readonly from: number
  readonly to: number
}

/** A design matrix, column after column, with an intercept first. */
export interface Design {
  readonly rows: number
  readonly columns: readonly Float64Array[]
  readonly names: readonly string[]
  readonly terms: readonly TermColumns[]
}

/**
 * Builds a design matrix: numeric columns as they are, nominal ones in treatment coding (a column for each level that occurs but the base,
 * named `variable=level`), interactions as products (`x:model=a`). Every part of an interaction must itself be a term, so that
 * the coding is full rank and the meaning of a main effect is plain. Missing values (NaN, code -1) are an error: leave those
 * rows out first.
 *
 * @example
 * import { design } from '@touchstone-eval/touchstone/statistics'
 *
 * const matrix = design({ x: { kind: 'numeric', values: [0, 1, 2, 3, 4, 5] } }, [['x']])
 * console.log(matrix.names, matrix.rows) // [ 'Intercept', 'x' ] 6
 */
export function design(variables: { readonly [name: string]: Variable }, terms: readonly Term[]): Design {
  const rows = rowCount(variables)
  const coded = new Map<string, readonly Coded[]>()
  for (const name of new Set(terms.flat())) {
    const variable = variables[name]
    if (variable === undefined) {
      throw new RangeError(`no variable ${name}; there are ${Object.keys(variables).join(', ') || 'none'}`)
    }
    coded.set(name, variable.kind === 'numeric' ? [numeric(name, variable.values)] : nominal(name, variable))
  }
  const columns: Coded[] = [{ name: 'Intercept', values: new Float64Array(rows).fill(1) }]
  const spans: TermColumns[] = []
  const seen = new Set<string>()
  for (const term of terms) {
    checkMargins(term, terms)
    const name = term.join(':')
    const key = [...term].sort().join(':')
    if (seen.has(key)) throw new RangeError(`term ${name} is given twice`)
    seen.add(key)
    const from = columns.length
    columns.push(...term.map((part) => coded.get(part) as readonly Coded[]).reduce(products))
    spans.push({ name, from, to: columns.length })
  }
  return { rows, columns: columns.map((c) => c.values), names: columns.map((c) => c.name), terms: spans }
}

/**
 * All main effects and all pairwise interactions of the names.
 *
 * @example
 * import { pairwise } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(pairwise(['x', 'model'])) // [ [ 'x' ], [ 'model' ], [ 'x', 'model' ] ]
 */
export const pairwise = (names: readonly string[]): Term[] => [
  ...names.map((name) => [name]),
  ...names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b])),
]

interface Coded {
  readonly name: string
  readonly values: Float64Array
}

function numeric(name: string, values: ArrayLike<number>): Coded {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) throw new RangeError(`${name} is not a finite number in row ${i}: ${values[i]}`)
  }
  return { name, values: Float64Array.from(values) }
}

function nominal(name: string, { codes, levels, base }: Variable & { kind: 'nominal' }): readonly Coded[] {
  const found = new Set<number>()
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number
    if (levels[code] === undefined) throw new RangeError(`${name} has no level in row ${i} (code ${code})`)
    found.add(code)
  }
  const used = [...found].sort((a, b) => a - b)
  const baseCode = base === undefined ? used[0] : levels.indexOf(base)
  if (baseCode === undefined || !found.has(baseCode)) {
    throw new RangeError(
      `${name} never takes the base level ${base}; it takes ${used.map((c) => levels[c]).join(', ')}`,
    )
  }
  return used
    .filter((code) => code !== baseCode)
    .map((code) => ({ name: `${name}=${levels[code]}`, values: Float64Array.from(codes, (c) => (c === code ? 1 : 0)) }))
}

function products(left: readonly Coded[], right: readonly Coded[]): readonly Coded[] {
  return left.flatMap((a) =>
    right.map((b) => ({ name: `${a.name}:${b.name}`, values: a.values.map((x, i) => x * (b.values[i] as number)) })),
  )
}

function checkMargins(term: Term, terms: readonly Term[]): void {
  if (term.length === 0) throw new RangeError('a term names at least one variable; the intercept is always there')
  if (new Set(term).size !== term.length) throw new RangeError(`term ${term.join(':')} names a variable twice`)
  if (term.length === 1) return
  for (const left of term) {
    const margin = term.filter((name) => name !== left)
    const there = terms.some((other) => other.length === margin.length && margin.every((name) => other.includes(name)))
    if (!there) throw new RangeError(`interaction ${term.join(':')} needs the term ${margin.join(':')} as well`)
  }
}

function rowCount(variables: { readonly [name: string]: Variable }): number {
  let rows: number | undefined
  for (const [name, variable] of Object.entries(variables)) {
    const length = variable.kind === 'numeric' ? variable.values.length : variable.codes.length
    if (rows !== undefined && rows !== length) throw new RangeError(`${name} has ${length} rows, others have ${rows}`)
    rows = length
  }
  if (rows === undefined) throw new RangeError('a design needs at least one variable')
  return rows
}
