import type { Mutant } from './mutants.ts'

/** A mutant and the number by which it is switched on. */
export interface Numbered {
  readonly id: number
  readonly mutant: Mutant
}

/**
 * The text of a file with mutants of it compiled in, each behind the switch `$mutant(id)` (mutant schemata: Untch, Offutt and
 * Harrold, ISSTA 1993).
 */
export function compileIn(text: string, mutants: readonly Numbered[]): string {
  const outerFirst = mutants.toSorted(
    ({ mutant: a }, { mutant: b }) => a.from - b.from || b.to - a.to || depth(a.kind) - depth(b.kind),
  )
  return `const $mutant = globalThis.$mutant; ${render(text, 0, text.length, outerFirst)}`
}

/** A statement may be as long as the expression in it. */
const depth = (kind: Mutant['kind']): number => (kind === 'statement' ? 0 : 1)

function render(text: string, from: number, to: number, mutants: readonly Numbered[]): string {
  let written = ''
  let at = from
  for (let i = 0; i < mutants.length; ) {
    const place = (mutants[i] as Numbered).mutant
    let within = i
    while (within < mutants.length && (mutants[within] as Numbered).mutant.from < place.to) within++
    const here = mutants
      .slice(i, within)
      .filter(({ mutant }) => mutant.from === place.from && mutant.to === place.to && mutant.kind === place.kind)
    const inner = mutants.slice(i, within).filter((one) => !here.includes(one))
    written += text.slice(at, place.from) + switched(here, render(text, place.from, place.to, inner))
    at = place.to
    i = within
  }
  return written + text.slice(at, to)
}

/** A statement or an expression, or what a mutant of it has in its place. */
function switched(mutants: readonly Numbered[], original: string): string {
  const isStatement = mutants.every(({ mutant }) => mutant.kind === 'statement')
  if (isStatement)
    return `${mutants.map(({ id, mutant }) => `if ($mutant(${id})) { ${mutant.by} } else `).join('')}{ ${original} }`
  const cases = mutants.map(({ id, mutant }) => `$mutant(${id}) ? ${mutant.by} : `)
  return `(${cases.join('')}(${original}))`
}
