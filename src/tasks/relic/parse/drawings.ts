import type { Json, Problem } from '../../../core/index.ts'
import { type Derivation, derivationNodes } from '../grammars/derivation.ts'
import { type Shared, symbolsOf } from '../grammars/grammar.ts'
import type { Given } from './draw.ts'

/** The derivation as a tree; the rules that it uses are found again in the lines of the grammar. */
export function drawings({ shared, answer }: Problem<Shared, Given, Derivation>): readonly Json[] {
  const { tokens } = symbolsOf(shared)
  const notes = new Set<string>()
  /** Finished nodes, the next child uppermost. */
  const built: Json[] = []
  for (const { rule } of (derivationNodes(shared, answer) ?? []).toReversed()) {
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
