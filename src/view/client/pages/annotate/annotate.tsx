import { useEffect, useState } from 'preact/hooks'
import { sha256Hex } from '../../../../core/hash.ts'
import { krippendorffAlpha } from '../../../../libraries/statistics/agreement.ts'
import { type ItemDocument, itemDocument, itemsPage, type ShownResponse } from '../../../api/index.ts'
import { fetchRunDocument } from '../../documents.ts'
import { useKeys } from '../../keys.tsx'
import {
  type Annotation,
  isMark,
  type Kept,
  kappa,
  MARKS,
  type Marked,
  marksCsv,
  marksIn,
  readKept,
  withOthers,
} from '../../parts/annotations.ts'
import { Field } from '../../parts/controls.tsx'
import { formatInteger, formatShare, formatValue, plural, visible } from '../../parts/format.ts'
import { Grid } from '../../parts/grid.tsx'
import { OfOutline } from '../../parts/outline.tsx'
import { Empty, Working } from '../../parts/state.tsx'
import { NotApplied } from '../../parts/subset.tsx'
import { Spoken } from '../../parts/text.tsx'
import { goTo, queryValue, type RunPage, type RunPageProps, withQueryValue } from '../../routing.ts'
import { RequestView } from '../item/item.tsx'

/** Answers of a sample. */
const SAMPLE = 30
/** Items on a page of the server. */
const PAGE = 200

interface Picked {
  readonly item: ItemDocument
  readonly response: ShownResponse
}

/** The seeded sample: which items, and one answer of each. */
async function sampleOf(run: string, seed: string, signal: AbortSignal): Promise<readonly Picked[]> {
  const first = await fetchRunDocument(run, itemsPage, [], signal)
  const pages = new Map([[0, first]])
  const picked: Picked[] = []
  const tried = new Set<number>()
  for (let draw = 0; picked.length < Math.min(SAMPLE, first.total) && draw < 4 * SAMPLE; draw++) {
    const at = Number.parseInt(sha256Hex(`${seed} ${draw}`).slice(0, 8), 16) % Math.max(1, first.total)
    if (tried.has(at)) continue
    tried.add(at)
    const number = Math.floor(at / PAGE)
    const page =
      pages.get(number) ?? (await fetchRunDocument(run, itemsPage, [['offset', String(number * PAGE)]], signal))
    pages.set(number, page)
    const row = page.rows[at % PAGE]
    if (row === undefined) continue
    const item = await fetchRunDocument(run, itemDocument, [['id', row.item]], signal)
    const answered = item.responses.filter(({ outcome }) => outcome?.kind === 'answered')
    const response =
      answered[Number.parseInt(sha256Hex(`${seed} ${draw} answer`).slice(0, 8), 16) % Math.max(1, answered.length)]
    if (response !== undefined) picked.push({ item, response })
  }
  return picked
}

/** A person reads answers without knowing whose they are or how they were read; then the two are compared. */
function AnnotatePage(props: RunPageProps) {
  const { route, run } = props
  const [seed, reader] = [queryValue(route, 'seed') ?? '1', queryValue(route, 'reader') ?? 'me']
  const field = (name: string, label: string, value: string, none: string) => (
    <Field
      label={label}
      value={value}
      onChange={(text) => goTo(withQueryValue(route, name, text || none), { replace: true })}
    />
  )
  return (
    <>
      <h1>Annotate responses</h1>
      <NotApplied route={route} />
      <p class="controls">
        {field('reader', 'reader', reader, 'me')}
        {field('seed', 'sample seed', seed, '1')}
      </p>
      <OfOutline {...props}>
        {() => (
          <Working
            key={seed}
            work={(signal) => sampleOf(run, seed, signal)}
            waiting="Drawing the sample …"
            next="Load the page again."
          >
            {(sample) =>
              sample.length === 0 ? (
                <Empty>There is no response to annotate yet: strings were scored.</Empty>
              ) : (
                <Annotate
                  key={JSON.stringify([seed, reader])}
                  store={`touchstone-annotate ${run} ${seed}`}
                  reader={reader}
                  sample={sample}
                />
              )
            }
          </Working>
        )}
      </OfOutline>
    </>
  )
}

/** The sample, one response after another, from the first that this rater has not annotated. */
function Annotate({ store, reader, sample }: { store: string; reader: string; sample: readonly Picked[] }) {
  const [annotations, setAnnotations] = useState(() => readKept(store))
  const mine = annotations[reader] ?? {}
  const isOpen = ({ response }: Picked): boolean => mine[String(response.cell)] === undefined
  const [at, setAt] = useState(() => Math.max(0, sample.findIndex(isOpen)))
  const one = sample[at] as Picked
  const cell = String(one.response.cell)
  useEffect(() => {
    if (Object.keys(annotations).length > 0) localStorage.setItem(store, JSON.stringify(annotations))
  }, [annotations])
  const move = (by: number): void => setAt(Math.max(0, Math.min(sample.length - 1, at + by)))
  const mark = (value: Annotation): void => {
    setAnnotations({ ...annotations, [reader]: { ...mine, [cell]: value } })
    move(1)
  }
  useKeys({
    ...Object.fromEntries(
      Object.entries(MARKS).map(([letter, word]) => [letter, [word, () => isMark(letter) && mark(letter)] as const]),
    ),
    j: ['next answer', () => move(1)],
    k: ['answer before', () => move(-1)],
  })
  return (
    <>
      <p role="status">
        Answer {at + 1} of {sample.length}; {sample.length - sample.filter(isOpen).length} annotated. Model and parsed
        answer are hidden.
      </p>
      <p class="controls">
        {Object.entries(MARKS).map(([letter, word]) => (
          <button
            key={letter}
            type="button"
            aria-pressed={mine[cell] === letter}
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
            Truth: <b>{formatValue(one.item.problem.answer, 400)}</b>
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
      <Agreement sample={sample} annotations={annotations} reader={reader} />
      <Others sample={sample} onRead={(others) => setAnnotations(withOthers(annotations, others))} />
    </>
  )
}

function parserMark({ outcome }: ShownResponse, parser: string): Annotation {
  const verdict = outcome?.kind === 'answered' ? outcome.results[parser] : undefined
  if (verdict === undefined || verdict.kind === 'unparsed') return 'n'
  return verdict.value >= 1 ? 'r' : 'w'
}

function Agreement({ sample, annotations, reader }: { sample: readonly Picked[]; annotations: Kept; reader: string }) {
  const mine = annotations[reader] ?? {}
  const read = sample.filter(({ response }) => mine[String(response.cell)] !== undefined)
  if (read.length === 0) return null
  const own = read.map(({ response }) => mine[String(response.cell)] ?? 'n')
  // Shown after each response it would reveal the parsed answers.
  const hidden = read.length < sample.length
  const parsers = [
    ...new Set(
      (hidden ? [] : read).flatMap(({ response: { outcome } }) =>
        outcome?.kind === 'answered' ? Object.keys(outcome.results) : [],
      ),
    ),
  ]
  const others = Object.keys(annotations).filter((name) => name !== reader)
  const rows = [
    ...parsers.map((parser) => ({
      name: `parser ${parser}`,
      ...kappa(
        own,
        read.map(({ response }) => parserMark(response, parser)),
      ),
    })),
    ...others.map((name) => {
      const both = read.filter(({ response }) => annotations[name]?.[String(response.cell)] !== undefined)
      const of = (who: string): string[] => both.map(({ response }) => annotations[who]?.[String(response.cell)] ?? 'n')
      return { name: `reader ${name}`, ...kappa(of(reader), of(name)) }
    }),
  ]
  const csv = marksCsv(sample.map(markedOf), annotations, hidden)
  return (
    <section>
      <h2>Agreement</h2>
      {hidden ? (
        <p class="note">Agreement with the parsers is shown once all {sample.length} responses are annotated.</p>
      ) : null}
      {rows.length === 0 ? null : (
        <Grid
          label="Agreement"
          bare
          caption={`${visible(reader)} on ${plural(read.length, 'answer')}: share of the same mark, and Cohen's kappa (1: always, 0: as by habit alone).`}
          rows={rows}
          keyOf={({ name }) => name}
          columns={({ rowHead, text }) => [
            rowHead('', ({ name }) => visible(name)),
            text('', ({ agreed, n }) => `${agreed} of ${n}`),
            text(
              '',
              ({ kappa: value }) => `kappa ${value === null ? 'undefined: all marks are equal' : formatShare(value)}`,
            ),
          ]}
        />
      )}
      <AllReaders sample={sample} annotations={annotations} />
      <p>
        <a download="annotations.csv" href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`}>
          All marks as CSV
        </a>
      </p>
    </section>
  )
}

/** Agreement of three or more raters; pairs stand above. */
function AllReaders({ sample, annotations }: { sample: readonly Picked[]; annotations: Kept }) {
  const cells = sample.map(({ response }) => String(response.cell))
  const readers = Object.values(annotations).filter((marks) => cells.some((cell) => marks[cell] !== undefined))
  if (readers.length < 3) return null
  const letters = Object.keys(MARKS)
  const alpha = krippendorffAlpha(readers.map((marks) => cells.map((cell) => letters.indexOf(marks[cell] ?? ''))))
  const shared = cells.filter((cell) => readers.filter((marks) => marks[cell] !== undefined).length > 1).length
  return (
    <p>
      All {formatInteger(readers.length)} readers on the {plural(shared, 'answer')} that two or more have read:
      Krippendorff's alpha {alpha === null ? 'undefined: all marks are equal' : formatShare(alpha)}.
    </p>
  )
}

function Others({ sample, onRead }: { sample: readonly Picked[]; onRead: (annotations: Kept) => void }) {
  const [message, setMessage] = useState('')
  const take = async (file: File): Promise<void> => {
    try {
      const annotations = marksIn(await file.text(), sample.map(markedOf))
      const count = Object.values(annotations).reduce((sum, marks) => sum + Object.keys(marks).length, 0)
      setMessage(
        count === 0
          ? 'No mark of this sample found. Was the file made with another seed or from another run?'
          : `${plural(count, 'mark')} of ${Object.keys(annotations).map(visible).join(', ')}`,
      )
      onRead(annotations)
    } catch (error) {
      setMessage(visible(error instanceof Error ? error.message : String(error)))
    }
  }
  return (
    <p class="controls">
      <label>
        marks of other readers (their CSV){' '}
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file !== undefined) void take(file)
          }}
        />
      </label>
      <small role="status">{message}</small>
    </p>
  )
}

const markedOf = ({ item, response }: Picked): Marked => ({
  item: item.id,
  cell: String(response.cell),
  model: response.model,
  style: response.style,
  strict: parserMark(response, 'strict'),
})

export const annotatePage: RunPage = { name: 'annotate', label: 'Annotate', key: 'a', Page: AnnotatePage }
