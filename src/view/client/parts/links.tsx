import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import type { Link } from './places.ts'

/** What is pointed at: a part of a drawing, or a text in the prompt or an answer. */
type Pointed = { readonly kind: 'part'; readonly part: string } | { readonly kind: 'text'; readonly text: string }

interface Links {
  readonly list: readonly Link[]
  readonly texts: ReadonlySet<string>
  readonly parts: ReadonlySet<string>
  /** Is it a drawing that is pointed at, so that texts must come into sight? */
  readonly fromDrawing: boolean
  declare(links: readonly Link[]): void
  point(at: Pointed | null): void
}

const none: ReadonlySet<string> = new Set()
const Context = createContext<Links>({
  list: [],
  texts: none,
  parts: none,
  fromDrawing: false,
  declare: () => {},
  point: () => {},
})
/** What stands before the parts of one drawing, to tell them from those of another. */
const Scope = createContext('')

/** Binds the drawings of the truth to the texts beside them: what is pointed at in one is set off in the others. */
export function Linked({ children }: { readonly children: ComponentChildren }) {
  const [list, declare] = useState<readonly Link[]>([])
  const [at, point] = useState<Pointed | null>(null)
  const value = useMemo((): Links => {
    const on =
      at === null
        ? []
        : list.filter((link) => (at.kind === 'part' ? link.parts.includes(at.part) : link.text === at.text))
    return {
      list,
      texts: new Set(on.map(({ text }) => text)),
      parts: new Set(on.flatMap(({ parts }) => parts)),
      fromDrawing: at?.kind === 'part',
      declare,
      point,
    }
  }, [list, at])
  return <Context.Provider value={value}>{children}</Context.Provider>
}

export const useLinks = (): Links => useContext(Context)

export const LinkScope = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <Scope.Provider value={name}>{children}</Scope.Provider>
)

export const scoped = (scope: string, part: string): string => `${scope}:${part}`

export interface PartLink {
  /** Stands for what is pointed at elsewhere. */
  readonly on: boolean
  enter(): void
  leave(): void
}

/** How the parts of this drawing take part in the links. */
export function usePartLinks(): (part: string) => PartLink {
  const scope = useContext(Scope)
  const { parts, point } = useLinks()
  return (name) => {
    const part = scoped(scope, name)
    return { on: parts.has(part), enter: () => point({ kind: 'part', part }), leave: () => point(null) }
  }
}
