import { setImmediate } from 'node:timers/promises'
import type { Run } from '../../runner/index.ts'
import { responseTexts } from '../../store/index.ts'
import type { ItemsFilter } from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'

/** Upper case is the same in every context, so a contained text stays contained. Lone surrogates are replaced. */
const folded = (text: string): string => text.toWellFormed().toUpperCase()

/** The calls whose response contains the text of a filter; null: no text. */
export const search = async (viewed: ViewedRun, { text }: ItemsFilter): Promise<readonly number[] | null> =>
  text === undefined
    ? null
    : viewed.remembered(`response text ${folded(text)}`, () => cellsSaying(viewed.run, folded(text)))

/** Prompts by item and style, in two parallel lists. */
interface Prompts {
  readonly items: readonly string[]
  readonly styles: readonly string[]
}

export interface FoundPrompts {
  readonly holding: Prompts
  /** Prompts that the installed task version no longer writes. */
  readonly lost: Prompts
}

/** The prompts that contain a text, case-insensitive. */
export const promptsHolding = (viewed: ViewedRun, text: string): Promise<FoundPrompts> =>
  viewed.remembered(`prompt text ${folded(text)}`, () => asking(viewed.run, folded(text)))

async function cellsSaying({ ledger }: Run, wanted: string): Promise<readonly number[]> {
  const cells: number[] = []
  for await (const page of responseTexts(ledger)) {
    for (const { call, text, reasoning } of page)
      if (folded(text).includes(wanted) || (reasoning !== null && folded(reasoning).includes(wanted))) cells.push(call)
    // Others are answered between two pages.
    await setImmediate()
  }
  return cells
}

async function asking(run: Run, wanted: string): Promise<FoundPrompts> {
  const [holding, lost] = [nothing(), nothing()]
  for await (const { item, style, texts } of promptTexts(run)) {
    const found = texts === null ? lost : texts.some((text) => text.includes(wanted)) ? holding : null
    found?.items.push(item)
    found?.styles.push(style)
  }
  return { holding, lost }
}

const nothing = () => ({ items: [] as string[], styles: [] as string[] })

interface PromptTexts {
  readonly item: string
  readonly style: string
  /** In upper case; null: the installed task writes other prompts. */
  readonly texts: readonly string[] | null
}

/** Most characters of cached prompts of a run: writing 200,000 prompts takes 10 s, searching them 0.5 s. */
const KEPT = 200_000_000
const kept = new WeakMap<Run, { readonly items: number; readonly all: readonly PromptTexts[] }>()

async function* promptTexts(run: Run): AsyncGenerator<PromptTexts> {
  const known = kept.get(run)
  const items = Number(run.ledger.query('SELECT COUNT(*) AS n FROM item')[0]?.['n'])
  if (known?.items === items) {
    yield* known.all
    return
  }
  const all: PromptTexts[] = []
  let size = 0
  for await (const page of run.ledger.items()) {
    for (const { item, shared } of page)
      for (const style of run.sources.styles(item)) {
        const made = { item: item.id, style, texts: textsOf(run, item, shared, style) }
        size += (made.texts ?? []).reduce((sum, text) => sum + text.length, 0)
        if (size <= KEPT) all.push(made)
        yield made
      }
    await setImmediate()
  }
  if (size <= KEPT) kept.set(run, { items, all })
}

function textsOf({ sources }: Run, ...what: Parameters<Run['sources']['request']>): readonly string[] | null {
  try {
    const request = sources.request(...what)
    const texts =
      request.kind === 'chat' ? request.messages.map(({ content }) => content) : [request.context, request.text]
    return texts.map(folded)
  } catch {
    return null
  }
}
