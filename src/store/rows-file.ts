import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { sortedJson } from '../core/index.ts'
import type { ColumnSpec, Row } from './columns.ts'
import { explained } from './errors.ts'
import { FEATURE_TYPES } from './frame.ts'
import type { Ledger } from './ledger.ts'
import { parquetColumns, parquetMetadata, readParquet } from './parquet.ts'
import { joinedParquet, parquetWriter, writePart } from './parquet-writer.ts'
import { PART } from './row-table.ts'
import { modelAttributes, type RowFilter, rowBounds, rowColumns, runRows } from './run-rows.ts'

/** Of the layout of rows.parquet: bump = old files are rebuilt. */
const LAYOUT = '2'

/** Some rows of the file in their order, at most a row group: those of the cells beyond one up to another. */
export interface RowsPart {
  /** The file of the part. */
  readonly path: string
  readonly columns: readonly ColumnSpec[]
  readonly after: number
  /** null: to the end. */
  readonly upTo: number | null
}

/** How rows are made. */
export interface Refreshing {
  /** Makes parts elsewhere, as {@link writeRowsPart} does, several at once; left out: here, one after another. */
  readonly make?: (part: RowsPart) => Promise<void>
  /** Told as rows come to be, if they have to be made anew. */
  readonly onProgress?: (done: number, of: number) => void
}

/**
 * Brings `rows.parquet` up to date with the ledger it is derived from, streaming. A file is believed only where the ledger
 * itself knows its hash. It has the same bytes, whoever makes its parts.
 * @returns whether it had to be rebuilt.
 */
export async function refreshRows(ledger: Ledger, path: string, refreshing: Refreshing = {}): Promise<boolean> {
  const revision = revisionOf(ledger)
  const tie = await ledger.meta('rows')
  if (tie?.startsWith(`${revision} `) === true && existsSync(path) && tie === `${revision} ${await digest(path)}`)
    return false
  const names = ledger.names()
  const columns = rowColumns(names, await modelAttributes(ledger))
  const metadata = { revision, [FEATURE_TYPES]: JSON.stringify(names.features) }
  const { make, onProgress = () => undefined } = refreshing
  const { ends, rows } = rowBounds(ledger, PART)
  onProgress(0, rows)
  const made =
    make === undefined || rows <= PART
      ? await madeHere(ledger, path, columns, metadata, (done) => onProgress(done, rows))
      : await madeElsewhere(path, columns, metadata, { ends, rows, make, onProgress })
  ledger.tieRows(`${revision} ${made.sha256}`)
  return true
}

async function madeHere(
  ledger: Ledger,
  path: string,
  columns: readonly ColumnSpec[],
  metadata: { readonly [key: string]: string },
  onProgress: (done: number) => void,
): Promise<{ readonly sha256: string }> {
  const writer = await parquetWriter(path, columns, metadata)
  let done = 0
  try {
    for await (const rows of runRows(ledger)) {
      await writer.write(asTyped(rows, columns))
      done += rows.length
      onProgress(done)
    }
  } catch (error) {
    await writer.abort()
    throw error
  }
  return writer.close()
}

interface Elsewhere extends Required<Refreshing> {
  readonly ends: readonly number[]
  readonly rows: number
}

function madeElsewhere(
  path: string,
  columns: readonly ColumnSpec[],
  metadata: { readonly [key: string]: string },
  { ends, rows, make, onProgress }: Elsewhere,
): Promise<{ readonly sha256: string }> {
  // Where the last part is whole, nothing follows it.
  const parts = Math.ceil(rows / PART)
  let done = 0
  return joinedParquet(path, metadata, parts, async (part, file) => {
    const upTo = part === parts - 1 ? null : (ends[part] ?? null)
    await make({ path: file, columns, after: part === 0 ? 0 : (ends[part - 1] as number), upTo })
    done = Math.min(rows, done + PART)
    onProgress(done, rows)
  })
}

/** Writes one part of the rows. */
export function writeRowsPart(ledger: Ledger, { path, columns, after, upTo }: RowsPart): Promise<void> {
  return writePart(path, columns, typedRows(ledger, columns, { after, ...(upTo === null ? {} : { upTo }) }))
}

async function* typedRows(
  ledger: Ledger,
  columns: readonly ColumnSpec[],
  filter: RowFilter,
): AsyncGenerator<readonly Row[]> {
  for await (const rows of runRows(ledger, filter)) yield asTyped(rows, columns)
}

const revisionOf = (ledger: Ledger): string => `${LAYOUT}.${ledger.revision()}`

async function digest(path: string): Promise<string> {
  return explained(path, async () => {
    const hash = createHash('sha256')
    for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array)
    return hash.digest('hex')
  })
}

/** How `rows.parquet` compares with rows made anew; at most a hundred faults are told. */
export type RowsCompared =
  | { readonly kind: 'absent' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'compared'; readonly faults: readonly string[] }

const MAX_FAULTS = 100

/** Compares `rows.parquet` with the ledger, row by row; writes nothing. */
export async function compareRows(ledger: Ledger, path: string): Promise<RowsCompared> {
  if (!existsSync(path)) return { kind: 'absent' }
  const said = (await parquetMetadata(path))?.['revision']
  if (
    said !== undefined &&
    said !== revisionOf(ledger) &&
    (await ledger.meta('rows')) === `${said} ${await digest(path)}`
  )
    return { kind: 'stale' }
  const columns = rowColumns(ledger.names(), await modelAttributes(ledger))
  const faults: string[] = []
  const tell = (message: string): void => {
    if (faults.length < MAX_FAULTS) faults.push(`rows.parquet ${message}`)
  }
  const form = (list: readonly ColumnSpec[]): string =>
    list.map(({ name, type }) => `${name} ${type === 'json' ? 'text' : type}`).join(', ')
  const stored = await parquetColumns(path)
  if (form(stored) !== form(columns)) {
    tell('has other columns than the ledger gives')
    return { kind: 'compared', faults }
  }
  const fresh = flat(runRows(ledger))
  let number = 0
  for await (const batch of readParquet(path))
    for (const row of batch) {
      number++
      const next = await fresh.next()
      if (next.done === true) tell(`has a row ${number} that the ledger does not give`)
      else {
        const [made] = asTyped([next.value], columns)
        const wrong = columns.filter(
          ({ name, type }) => cell(row[name] ?? null, 'text') !== cell(made?.[name] ?? null, type),
        )
        if (wrong.length > 0)
          tell(`row ${number} is not what the ledger gives: ${wrong.map(({ name }) => name).join(', ')}`)
      }
    }
  if ((await fresh.next()).done !== true) tell(`ends after ${number} rows, the ledger gives more`)
  return { kind: 'compared', faults }
}

const cell = (value: Row[string], type: ColumnSpec['type']): string =>
  sortedJson(type === 'json' && value !== null && value !== undefined ? sortedJson(value) : (value ?? null))

async function* flat(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages) yield* page
}

/** The revision of the ledger that a rows.parquet was made from; null where there is no such file, or it does not say. */
export async function rowsRevision(path: string): Promise<number | null> {
  if (!existsSync(path)) return null
  const text = (await parquetMetadata(path).catch(() => null))?.['revision']
  const [layout, revision] = text?.split('.') ?? []
  return layout === LAYOUT && revision !== undefined ? Number(revision) : null
}

/** A feature used with two types is shown as text. */
function asTyped(rows: readonly Row[], columns: readonly ColumnSpec[]): readonly Row[] {
  const texts = columns.filter((column) => column.type === 'text' && column.name.startsWith('feature_'))
  if (texts.length === 0) return rows
  return rows.map((row) => {
    const wrong = texts.filter(
      ({ name }) => row[name] !== null && row[name] !== undefined && typeof row[name] !== 'string',
    )
    return wrong.length === 0
      ? row
      : { ...row, ...Object.fromEntries(wrong.map(({ name }) => [name, String(row[name])])) }
  })
}
