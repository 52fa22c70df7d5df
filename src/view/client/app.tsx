import { useEffect, useRef, useState } from 'preact/hooks'
import type { FolderSummary, Folders } from '../api/index.ts'
import { isExport, type Loading, START_AGAIN, useFolders } from './documents.ts'
import { DatasetPage } from './pages/dataset.tsx'
import { GalleryPage } from './pages/gallery.tsx'
import { PlaygroundPage } from './pages/playground.tsx'
import { runPages } from './pages/run-pages.ts'
import { RunsPage } from './pages/runs.tsx'
import { visible } from './parts/format.ts'
import { RowsProgress } from './parts/rows-progress.tsx'
import { RunProgress } from './parts/run-progress.tsx'
import { Empty, Loaded } from './parts/state.tsx'
import { keptParameters } from './parts/subset.tsx'
import { linkTo, type Route, type RunPageProps, useRoute } from './routing.ts'
import { ThemeButton } from './theme.tsx'

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
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header>
        <a class="brand" href="#/">
          Touchstone
        </a>
        <Crumbs route={route} first={isGallery(folders) ? 'Tasks' : 'Runs'} />
        <ThemeButton />
      </header>
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

function Crumbs({ route, first }: { readonly route: Route; readonly first: string }) {
  const [kind, id, page] = route.path
  const kept = keptParameters(route)
  return (
    <nav aria-label="Pages">
      <a href="#/" aria-current={kind === undefined ? 'page' : undefined}>
        {first}
      </a>
      <a href="#/playground" aria-current={kind === 'playground' ? 'page' : undefined}>
        Playground
      </a>
      {kind === 'r' && id !== undefined ? (
        <>
          <a href={linkTo(['r', id], kept)} aria-current={page === undefined ? 'page' : undefined}>
            {visible(id.replace(/-[0-9a-f]{6}$/u, ''))}
          </a>
          {runPages.map(({ name, label }) =>
            label === null ? null : (
              <a key={name} href={linkTo(['r', id, name], kept)} aria-current={page === name ? 'page' : undefined}>
                {label}
              </a>
            ),
          )}
        </>
      ) : null}
    </nav>
  )
}

function RunPages({ route, run, revision }: RunPageProps) {
  // A page does not change while it is read; new results are shown on request.
  const [seen, setSeen] = useState(revision)
  const page = route.path[2]
  const shownRevision = page === undefined ? revision : seen
  const props = { route, run, revision: shownRevision }
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
      <RunPage {...props} />
    </>
  )
}

function RunPage(props: RunPageProps) {
  const found = runPages.find(({ name }) => name === (props.route.path[2] ?? ''))
  if (found !== undefined) return <found.Page {...props} />
  return (
    <>
      <h1>Page not found</h1>
      <Empty>A run has no such page. Choose one of those above.</Empty>
    </>
  )
}
