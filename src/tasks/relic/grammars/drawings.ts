import type { Json } from '../../../core/index.ts'
import { chartDrawing } from '../recognize/drawings.ts'
import { type Derivation, derivationNodes, namedRule } from './derivation.ts'
import { analyzerOf, liftedOf, printedRules, type Shared, symbolsOf, tokensOf } from './grammar.ts'

/** A derivation as a tree; the rules that it uses are found again in the lines of the grammar. */
export function treeDrawing(shared: Shared, derivation: Derivation): readonly Json[] {
  const { tokens } = symbolsOf(shared)
  const notes = new Set<string>()
  /** Finished nodes, the next child uppermost. */
  const built: Json[] = []
  for (const { rule } of (derivationNodes(shared, derivation) ?? []).toReversed()) {
    const [label = '', ...right] = rule
    const note = `${label} -> ${right.map((name) => (tokens.has(name) ? `'${name}'` : name)).join(' ')}`
    const children = right.map((name) =>
      tokens.has(name) ? { label: name, note: '', children: [] } : (built.pop() as Json),
    )
    notes.add(note)
    built.push({ label, note, children })
  }
  const [root] = built
  const links = [...notes].map((text) => ({ text, parts: [`note/${text}`] }))
  return root === undefined ? [] : [{ kind: 'tree', title: 'A derivation', root, links }]
}

/** A derivation of a string of the language, the first of its chart. */
export const stringDrawing = (shared: Shared, string: string): readonly Json[] =>
  treeDrawing(
    shared,
    printedRules(shared, analyzerOf(shared).derivation(tokensOf(shared, string)) ?? []).map(namedRule),
  )

/** Which symbols derive which part of a string. */
export const stringChart = (shared: Shared, string: string): Json =>
  chartDrawing(liftedOf(shared).cnf, analyzerOf(shared).chart(tokensOf(shared, string)), string.split(' '))
