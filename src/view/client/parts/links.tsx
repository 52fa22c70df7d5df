import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { useKeys } from '../keys.tsx'
import { plural, visible } from './format.ts'
import type { Link } from './text-spans.ts'

/** What is pointed at: a part of a drawing, or a text in the prompt or an answer. */
type Pointed = { readonly kind: 'part'; readonly part: string } | { readonly kind: 'text'; readonly text: string }

interface Links {
  readonly list: readonly Link[]
  readonly texts: ReadonlySet<string>
  readonly parts: ReadonlySet<string>
  /** What stays set off when pointer and focus have left it. */
  readonly held: Pointed | null
  /** True if a drawing is pointed at, so that texts scroll into view. */
  readonly fromDrawing: boolean
  declare(links: readonly Link[]): void
  point(at: Pointed | null): void
  hold(at: Pointed | null): void
}

const none: ReadonlySet<string> = new Set()
const Context = createContext<Links>({
  list: [],
  texts: none,
  parts: none,
  held: null,
  fromDrawing: false,
  declare: () => {},
  point: () => {},
  hold: () => {},
})
/** Prefix of the parts of one drawing. */
const Scope = createContext('')

/** Links drawings and texts: a part that is pointed at or focused is highlighted in the others. */
export function Linked({ children }: { children: ComponentChildren }) {
  const [list, declare] = useState<readonly Link[]>([])
  const [pointed, point] = useState<Pointed | null>(null)
  const [held, hold] = useState<Pointed | null>(null)
  const at = pointed ?? held
  const value = useMemo((): Links => {
    const on =
      at === null
        ? []
        : list.filter((link) => (at.kind === 'part' ? link.parts.includes(at.part) : link.text === at.text))
    return {
      list,
      texts: new Set(on.map(({ text }) => text)),
      parts: new Set(on.flatMap(({ parts }) => parts)),
      held,
      fromDrawing: at?.kind === 'part',
      declare,
      point,
      hold,
    }
  }, [list, at, held])
  useKeys({ Escape: ['', () => (held === null ? false : hold(null))] })
  return (
    <Context.Provider value={value}>
      {children}
      <p class="hidden" role="status">
        {at === null ? '' : inWords(at, value)}
      </p>
    </Context.Provider>
  )
}

/** Highlighted parts, for screen readers. */
function inWords(at: Pointed, { texts, parts }: Links): string {
  if (at.kind === 'text')
    return `${plural(parts.size, 'part')} of the drawing ${parts.size === 1 ? 'stands' : 'stand'} for it`
  const [first] = texts
  return first === undefined
    ? ''
    : `in the texts: ${[...texts]
        .slice(0, 3)
        .map((text) => visible(text).slice(0, 120))
        .join('; ')}`
}

export const useLinks = (): Links => useContext(Context)

export const LinkScope = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <Scope.Provider value={name}>{children}</Scope.Provider>
)

export const scoped = (scope: string, part: string): string => `${scope}:${part}`

const isHeld = (held: Pointed | null, at: Pointed): boolean =>
  held !== null &&
  (held.kind === 'part' ? at.kind === 'part' && at.part === held.part : at.kind === 'text' && at.text === held.text)

/** What an element needs to be pointed at, reached by keys, held by Enter and let go by Escape. */
function pointing(at: Pointed, { held, point, hold }: Links) {
  const own = isHeld(held, at)
  return {
    // As the attribute is written: of a part of a picture no other spelling makes it one that can have the focus.
    tabindex: -1,
    onMouseEnter: () => point(at),
    onMouseLeave: () => point(null),
    onFocus: () => point(at),
    onBlur: () => point(null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return
      event.preventDefault()
      hold(own ? null : at)
    },
  }
}

export interface PartLink {
  /** Stands for what is pointed at elsewhere. */
  readonly on: boolean
  readonly held: boolean
  /** Properties of the element that draws the part. `says`: its description. */
  readonly props: ReturnType<typeof pointing> & { readonly 'data-part': string; readonly 'data-says': string }
}

/** How the parts of this drawing take part in the links. */
export function usePartLinks(): (part: string, says: string) => PartLink {
  const scope = useContext(Scope)
  const links = useLinks()
  return (name, says) => {
    const at = { kind: 'part', part: scoped(scope, name) } as const
    return {
      on: links.parts.has(at.part),
      held: isHeld(links.held, at),
      props: { ...pointing(at, links), 'data-part': name, 'data-says': says },
    }
  }
}

/** What a text in a prompt or an answer needs for it. */
export const textLink = (text: string, links: Links) => {
  const at = { kind: 'text', text } as const
  return {
    ...pointing(at, links),
    role: 'button' as const,
    'aria-pressed': isHeld(links.held, at),
    'data-part': 'text',
  }
}

/** A part of a picture is a button: what it shows is not read otherwise. */
export const asButton = ({ held, props }: PartLink) => ({
  ...props,
  role: 'button' as const,
  'aria-pressed': held,
  'aria-label': props['data-says'],
})
