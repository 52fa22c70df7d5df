import { useEffect, useReducer, useState } from 'preact/hooks'
import { z } from 'zod'
import { sha256Hex } from '../../../core/hash.ts'
import { type ItemDocument, itemDocument, itemsPage, type ShownResponse } from '../../api/index.ts'
import { fetchDocument } from '../documents.ts'
import { kappa } from '../parts/agreement.ts'
import { NotApplied } from '../parts/choice.tsx'
import { Empty, Problem } from '../parts/state.tsx'
import { Spoken } from '../parts/text.tsx'
import { plural, share, shown, visible } from '../parts/words.ts'
import { goTo, parameter, type Route, withParameter } from '../routing.ts'
import { RequestView } from './item.tsx'

/** Answers of a sample. */
const SAMPLE = 30
/** Items on a page of the server. */
const PAGE = 200

const MARKS = { r: 'right', w: 'wrong', n: 'no answer' } as const
type Mark = keyof typeof MARKS
const isMark = (key: string): key is Mark => Object.hasOwn(MARKS, key)

const kept = z.record(z.string(), z.record(z.string(), z.enum(['r', 'w', 'n'])))
type Kept = z.infer<typeof kept>

/** What readers have said, kept in this browser: by reader, then by cell. */
function readKept(key: string): Kept {
  try {
    const parsed = kept.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}'))
    return parsed.success ? parsed.data : {}
  } catch {
    return {}
  }
}

interface Picked {
  readonly item: ItemDocument
  readonly response: ShownResponse
}

/** The seeded sample: which items, and one answer of each. */
async function sampleOf(run: string, seed: string): Promise<readonly Picked[]> {
  const first = await fetchDocument(itemsPage, `/api/runs/${run}/items`)
  const pages = new Map([[0, first]])
  const picked: Picked[] = []
  const tried = new Set<number>()
  for (let draw = 0; picked.length < Math.min(SAMPLE, first.total) && draw < 4 * SAMPLE; draw++) {
    const at = Number.parseInt(sha256Hex(`${seed} ${draw}`).slice(0, 8), 16) % Math.max(1, first.total)
    if (tried.has(at)) continue
    tried.add(at)
    const number = Math.floor(at / PAGE)
    const page = pages.get(number) ?? (await fetchDocument(itemsPage, `/api/runs/${run}/items?offset=${number * PAGE}`))
    pages.set(number, page)
    const row = page.rows[at % PAGE]
    if (row === undefined) continue
    const item = await fetchDocument(itemDocument, `/api/runs/${run}/item?id=${encodeURIComponent(row.item)}`)
    const answered = item.responses.filter(({ outcome }) => outcome?.kind === 'answered')
    const response =
      answered[Number.parseInt(sha256Hex(`${seed} ${draw} answer`).slice(0, 8), 16) % Math.max(1, answered.length)]
    if (response !== undefined) picked.push({ item, response })
  }
  return picked
}

/** Where a reader is, and what was said so far. */
interface Reading {
  readonly at: number
  readonly said: Kept
}
type Step =
  | { readonly kind: 'begin'; readonly said: Kept }
  | { readonly kind: 'move'; readonly by: number; readonly sample: readonly Picked[] }
  | { readonly kind: 'mark'; readonly mark: Mark; readonly reader: string; readonly sample: readonly Picked[] }

function step(before: Reading, action: Step): Reading {
  if (action.kind === 'begin') return { at: 0, said: action.said }
  const { at, said } = before
  const by = action.kind === 'mark' ? 1 : action.by
  const next = Math.max(0, Math.min(action.sample.length - 1, at + by))
  const one = action.sample[at]
  if (action.kind === 'move' || one === undefined) return { at: next, said }
  const mine = { ...said[action.reader], [String(one.response.cell)]: action.mark }
  return { at: next, said: { ...said, [action.reader]: mine } }
}

/** A person reads answers without knowing whose they are or how they were read; then the two are compared. */
export function AnnotatePage({ route, run }: { readonly route: Route; readonly run: string }) {
  const seed = parameter(route, 'seed') ?? '1'
  const reader = parameter(route, 'reader') ?? 'me'
  const key = `touchstone-annotate ${run} ${seed}`
  const [sample, setSample] = useState<readonly Picked[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [{ at, said }, act] = useReducer(step, null, () => ({ at: 0, said: readKept(key) }))
  useEffect(() => {
    setSample(null)
    act({ kind: 'begin', said: readKept(key) })
    sampleOf(run, seed).then(setSample, (error: unknown) =>
      setFault(error instanceof Error ? error.message : String(error)),
    )
  }, [key])
  useEffect(() => {
    if (Object.keys(said).length > 0) localStorage.setItem(key, JSON.stringify(said))
  }, [said])
  const mine = said[reader] ?? {}
  const mark = (value: Mark): void => act({ kind: 'mark', mark: value, reader, sample: sample ?? [] })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || sample === null) return
      if (isMark(event.key)) act({ kind: 'mark', mark: event.key, reader, sample })
      else if (event.key === 'j') act({ kind: 'move', by: 1, sample })
      else if (event.key === 'k') act({ kind: 'move', by: -1, sample })
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [sample, reader])
  const one = sample?.[at]
  const done = sample?.filter(({ response }) => mine[String(response.cell)] !== undefined).length ?? 0
  return (
    <>
      <h1>Read answers yourself</h1>
      <NotApplied route={route} />
      <p class="controls">
        <label>
          reader{' '}
          <input
            value={reader}
            size={8}
            onChange={({ currentTarget }) =>
              goTo(withParameter(route, 'reader', currentTarget.value || 'me'), { replace: true })
            }
          />
        </label>
        <label>
          sample seed{' '}
          <input
            value={seed}
            size={8}
            onChange={({ currentTarget }) =>
              goTo(withParameter(route, 'seed', currentTarget.value || '1'), { replace: true })
            }
          />
        </label>
      </p>
      {fault === null ? null : <Problem message={fault} next="Load the page again." />}
      {sample === null && fault === null ? <p class="waiting">The sample is being drawn …</p> : null}
      {sample?.length === 0 ? (
        <Empty>
          There is no answer to read: nothing is answered yet, or strings were scored. The board says how far the run
          is.
        </Empty>
      ) : null}
      {sample === null || one === undefined ? null : (
        <>
          <p role="status">
            Answer {at + 1} of {sample.length}; {done} read. Whose it is, and how it was read, is not said before.
          </p>
          <p class="controls">
            {Object.entries(MARKS).map(([letter, word]) => (
              <button
                key={letter}
                type="button"
                aria-pressed={mine[String(one.response.cell)] === letter}
                onClick={() => isMark(letter) && mark(letter)}
              >
                <kbd>{letter}</kbd> {word}
              </button>
            ))}
            <small>j and k move</small>
          </p>
          <div class="item-page two">
            <section aria-label="Answer">
              <h2>Answer</h2>
              <Spoken text={one.response.text?.text ?? ''} length={one.response.text?.length ?? 0} />
              <h2>
                Truth: <b>{shown(one.item.problem.answer, 400)}</b>
              </h2>
            </section>
            <section aria-label="Prompt">
              <h2>Prompt</h2>
              {one.item.prompts
                .filter(({ style }) => style === one.response.style)
                .map(({ style, request }) => (
                  <RequestView key={style} request={request} />
                ))}
            </section>
          </div>
          <Agreement sample={sample} said={said} reader={reader} />
        </>
      )}
    </>
  )
}

/** What a parser said of an answer, as a reader would say it. */
function parserMark({ outcome }: ShownResponse, parser: string): Mark {
  const verdict = outcome?.kind === 'answered' ? outcome.verdicts[parser] : undefined
  if (verdict === undefined || verdict.kind === 'unparsed') return 'n'
  return verdict.value >= 1 ? 'r' : 'w'
}

function Agreement({
  sample,
  said,
  reader,
}: {
  readonly sample: readonly Picked[]
  readonly said: Kept
  readonly reader: string
}) {
  const mine = said[reader] ?? {}
  const read = sample.filter(({ response }) => mine[String(response.cell)] !== undefined)
  if (read.length === 0) return null
  const own = read.map(({ response }) => mine[String(response.cell)] ?? 'n')
  const parsers = [
    ...new Set(
      read.flatMap(({ response: { outcome } }) => (outcome?.kind === 'answered' ? Object.keys(outcome.verdicts) : [])),
    ),
  ]
  const others = Object.keys(said).filter((name) => name !== reader)
  const rows = [
    ...parsers.map((parser) => ({
      name: `parser ${parser}`,
      ...kappa(
        own,
        read.map(({ response }) => parserMark(response, parser)),
      ),
    })),
    ...others.map((name) => {
      const both = read.filter(({ response }) => said[name]?.[String(response.cell)] !== undefined)
      const of = (who: string): string[] => both.map(({ response }) => said[who]?.[String(response.cell)] ?? 'n')
      return { name: `reader ${name}`, ...kappa(of(reader), of(name)) }
    }),
  ]
  const csv = [
    'reader,item,cell,model,style,mark,strict',
    ...Object.entries(said).flatMap(([name, marks]) =>
      sample.flatMap(({ item, response }) => {
        const value = marks[String(response.cell)]
        return value === undefined
          ? []
          : [
              [
                name,
                item.id,
                String(response.cell),
                response.model,
                response.style,
                MARKS[value],
                MARKS[parserMark(response, 'strict')],
              ]
                .map(csvCell)
                .join(','),
            ]
      }),
    ),
  ].join('\r\n')
  return (
    <section>
      <h2>Agreement</h2>
      <table class="data">
        <caption>
          {visible(reader)} on {plural(read.length, 'answer')}: share of the same mark, and Cohen's kappa (1: always, 0:
          as by habit alone).
        </caption>
        <tbody>
          {rows.map(({ name, agreed, n, kappa: value }) => (
            <tr key={name}>
              <th scope="row">{visible(name)}</th>
              <td>
                {agreed} of {n}
              </td>
              <td>kappa {value === null ? 'cannot be said: all marks are alike' : share(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a download="annotations.csv" href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`}>
          All marks as CSV
        </a>
      </p>
    </section>
  )
}

/** A cell that no spreadsheet takes for a formula. */
const csvCell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
