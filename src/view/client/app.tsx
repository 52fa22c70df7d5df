import { useEffect, useRef, useState } from 'preact/hooks'
import type { FolderSummary, Folders, RunSummary } from '../api/index.ts'
import { isExport, type Loading, START_AGAIN, useFolders } from './documents.ts'
import { KeyHelp, useKeys } from './keys.tsx'
import { DatasetPage } from './pages/dataset/dataset.tsx'
import { GalleryPage } from './pages/playground/gallery.tsx'
import { PlaygroundPage } from './pages/playground/playground.tsx'
import { runPages } from './pages/run-pages.ts'
import { RunsPage } from './pages/runs/runs.tsx'
import { dateWords, formatInteger, visible } from './parts/format.ts'
import { setModels } from './parts/names.ts'
import { ParserSelect } from './parts/outline.tsx'
import { RowsProgress, RunProgress } from './parts/progress.tsx'
import { Empty, Loaded } from './parts/state.tsx'
import { keptParameters } from './parts/subset.tsx'
import { goTo, linkTo, type Route, type RunPageProps, useRoute } from './routing.ts'

type Theme = 'system' | 'light' | 'dark'
const NEXT: { readonly [theme in Theme]: Theme } = { system: 'dark', dark: 'light', light: 'system' }

const ICONS = { system: '◐', light: '☀', dark: '☾' } as const

const remembered = (): Theme => {
  const found = localStorage.getItem('touchstone-theme')
  return found === 'light' || found === 'dark' ? found : 'system'
}

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(remembered)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    localStorage.setItem('touchstone-theme', theme)
  }, [theme])
  return (
    <button type="button" class="theme" title={`colours: ${theme}`} onClick={() => setTheme(NEXT[theme])}>
      <span aria-hidden="true">{ICONS[theme]}</span>
      <span class="hidden">colours: {theme}</span>
    </button>
  )
}

/** What a tab, a bookmark and the history of the browser call a page. */
function titleOf({ path: [kind, id, page] }: Route, folders: readonly FolderSummary[]): string {
  const folder = folders.find((one) => one.id === id)
  const name = folder?.kind === 'run' ? folder.name : folder?.kind === 'dataset' ? folder.task : null
  const parts = kind === 'playground' ? ['playground'] : name === null ? [] : [page ?? null, name]
  return [...parts.filter((part) => part !== null).map(visible), 'Touchstone'].join(' · ')
}

/** The view: the address decides which page is shown. */
export function App() {
  const route = useRoute()
  const { folders, away } = useFolders()
  const title = titleOf(route, folders.kind === 'ready' ? folders.value.folders : [])
  useEffect(() => {
    document.title = title
  }, [title])
  // A followed link may have disappeared with its page: keyboard focus then moves to the content.
  const shownPath = useRef(route.path.join('/'))
  useEffect(() => {
    const path = route.path.join('/')
    if (path === shownPath.current) return
    shownPath.current = path
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [route.path.join('/')])
  const run =
    route.path[0] === 'r' && folders.kind === 'ready'
      ? folders.value.folders.filter((one) => one.kind === 'run').find(({ id }) => id === route.path[1])
      : undefined
  useKeys({
    '/': ['search', () => document.querySelector<HTMLElement>('input[type=search]')?.focus() ?? false],
  })
  if (run !== undefined) setModels(run.models.map(({ name }) => name))
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header>
        <a class="brand" href="#/">
          Touchstone
        </a>
        <Crumbs
          route={route}
          first={isGallery(folders) ? 'Tasks' : 'Runs'}
          runs={folders.kind === 'ready' ? folders.value.folders.filter((one) => one.kind === 'run') : []}
        />
        <KeyHelp />
        <ThemeButton />
      </header>
      {run === undefined ? null : <Tabs route={route} run={run} />}
      <main id="main" tabIndex={-1}>
        {away === null || folders.kind !== 'ready' ? null : (
          <p class="problem" role="status">
            The server has not responded since {away.toLocaleTimeString()}. The page shows earlier results.{' '}
            {START_AGAIN}
          </p>
        )}
        <Loaded state={folders}>
          {(value) => {
            const [kind, id] = route.path
            if (kind === undefined) return isGallery(folders) ? <GalleryPage /> : <RunsPage folders={value} />
            if (kind === 'playground') return <PlaygroundPage route={route} />
            const folder = value.folders.find((one) => one.id === id)
            if (kind === 'r' && folder?.kind === 'run')
              return (
                <>
                  <RowsProgress run={folder} />
                  <RunProgress run={folder} />
                  <RunPages key={folder.id} route={route} run={folder.id} revision={folder.revision} />
                </>
              )
            if (kind === 'd' && folder?.kind === 'dataset')
              return <DatasetPage key={folder.id} route={route} id={folder.id} />
            return (
              <>
                <h1>Page not found</h1>
                <Empty>
                  This address names no run, dataset or page. <a href="#/">All runs</a>
                </Empty>
              </>
            )
          }}
        </Loaded>
      </main>
      <footer>
        {isExport() ? 'Exported view: no server is used.' : 'Served from this machine; no data leaves it.'}
      </footer>
    </>
  )
}

/** The export of nothing, whose first page lists the tasks. */
const isGallery = (folders: Loading<Folders>): boolean =>
  isExport() && folders.kind === 'ready' && folders.value.folders.length === 0

function Crumbs({ route, first, runs }: { route: Route; first: string; runs: readonly RunSummary[] }) {
  const [kind, id, page] = route.path
  return (
    <nav aria-label="Runs and tasks">
      <a href="#/" aria-current={kind === undefined ? 'page' : undefined}>
        {first}
      </a>
      <a href="#/playground" aria-current={kind === 'playground' ? 'page' : undefined}>
        Playground
      </a>
      {kind === 'r' && runs.some((run) => run.id === id) ? (
        <select
          aria-label="Run"
          value={id}
          onChange={({ currentTarget }) =>
            goTo(linkTo(['r', currentTarget.value, ...(page === undefined || page === 'item' ? [] : [page])]))
          }
        >
          {runs.map((run) => (
            <option key={run.id} value={run.id}>
              {visible(run.name)} {dateWords(run.created)}
            </option>
          ))}
        </select>
      ) : null}
    </nav>
  )
}

function Tabs({ route, run }: { route: Route; run: RunSummary }) {
  const page = route.path[2] ?? ''
  const kept = keptParameters(route)
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (current != null) nav.current?.scrollTo({ left: current.offsetLeft - 60 })
  }, [page])
  const addressOf = (name: string): string => linkTo(['r', run.id, ...(name === '' ? [] : [name])], kept)
  useKeys(
    Object.fromEntries(
      runPages.flatMap(({ key, label, name }) =>
        key === undefined || label === null ? [] : [[`g ${key}`, [label, () => goTo(addressOf(name))] as const]],
      ),
    ),
  )
  return (
    <section class="tabs" aria-label="This run">
      <nav aria-label="Pages of the run" ref={nav}>
        {runPages.map(({ name, label }) =>
          label === null ? null : (
            <a
              key={name}
              href={addressOf(name)}
              aria-current={page === name || (page === 'item' && name === 'items') ? 'page' : undefined}
            >
              {label} {name === 'items' ? <small>{formatInteger(run.items)}</small> : null}
            </a>
          ),
        )}
      </nav>
      {run.counts.done === 0 ? null : <ParserSelect route={route} run={run} />}
    </section>
  )
}

function RunPages({ route, run, revision }: RunPageProps) {
  // A page does not change while it is read; new results are shown on request.
  const [seen, setSeen] = useState(revision)
  const page = route.path[2]
  const found = runPages.find(({ name }) => name === (page ?? ''))
  return (
    <>
      {page !== undefined && seen !== revision ? (
        <p class="note">
          The run has new results.{' '}
          <button type="button" onClick={() => setSeen(revision)}>
            Show them
          </button>
        </p>
      ) : null}
      {found === undefined ? (
        <>
          <h1>Page not found</h1>
          <Empty>A run has no such page. Choose one of those above.</Empty>
        </>
      ) : (
        <found.Page route={route} run={run} revision={page === undefined ? revision : seen} />
      )}
    </>
  )
}
