import { useState } from 'preact/hooks'
import { z } from 'zod/mini'
import { type DatasetDocument, datasetDocument } from '../../../api/index.ts'
import { useDocument } from '../../documents.ts'
import { formatInteger, formatValue, plural, reasonWords, shellWord, visible } from '../../parts/format.ts'
import { Grid } from '../../parts/grid.tsx'
import { Probes } from '../../parts/probes.tsx'
import { Empty, Loaded, Working } from '../../parts/state.tsx'
import type { Route } from '../../routing.ts'
import { askTasks } from '../../tasks/ask.ts'
import { RowCheck } from './row-check.tsx'

export function DatasetPage({ route, id }: { route: Route; id: string }) {
  const state = useDocument(datasetDocument, `/api/datasets/${id}`)
  return <Loaded state={state}>{(set) => <Dataset route={route} set={set} />}</Loaded>
}

function Dataset({ route, set }: { route: Route; set: DatasetDocument }) {
  const { dataset, strata, empty } = set
  const parameters = typeof set.config === 'object' && set.config !== null ? Object.entries(set.config) : []
  return (
    <>
      <h1>
        {visible(dataset.task)} {dataset.preset === null ? '' : visible(dataset.preset)}
      </h1>
      <p>
        {plural(dataset.count, 'item')}, version {set.version}, split {visible(dataset.split)}
        {empty.proved + empty.notFound > 0
          ? `, ${plural(empty.proved, 'index', 'indices')} proved empty, ${formatInteger(empty.notFound)} not found`
          : ', no empty indices'}
      </p>
      <RootCheck set={set} />
      <p class="features">
        {parameters.map(([name, value]) => (
          <span key={name} class="chip">
            {visible(name)} = {formatValue(value, 40)}
          </span>
        ))}
      </p>
      <h2>Is this row in the dataset?</h2>
      <RowCheck route={route} set={set} />
      <h2>Strata</h2>
      {strata.filled.length === 0 ? <Empty>This dataset has no strata.</Empty> : <Strata set={set} />}
      <h2>Audit</h2>
      <AuditTable audit={set.audit} path={dataset.path} />
      <h2>Files</h2>
      <ul>
        {set.files.map(({ file, count, sha256 }) => (
          <li key={file}>
            {visible(file)}: {plural(count, 'row')}, <code class="path">{sha256}</code>
          </li>
        ))}
      </ul>
      <p class="note">
        This page regenerates items and does not read these files. To check the files:{' '}
        <code>touchstone verify {shellWord(dataset.path)}</code>
      </p>
    </>
  )
}

/** Most items of a dataset that is regenerated in the browser. */
const MAX = 5000

/** Regenerates every item in the browser and compares the root hash with the manifest. */
function RootCheck({ set }: { set: DatasetDocument }) {
  const [begun, begin] = useState(false)
  const { dataset, version, config, seed, salted, first, indices } = set
  const why =
    seed === null || salted
      ? 'the seed is sealed'
      : first !== 0
        ? 'the dataset is a shard of another'
        : indices > MAX
          ? `it has ${formatInteger(indices)} indices; use touchstone verify`
          : null
  const regenerate = async () => {
    const start = performance.now()
    const set = { task: dataset.task, version, config, seed: seed ?? '', split: dataset.split, count: indices }
    return { root: await askTasks({ kind: 'root', ...set }), seconds: (performance.now() - start) / 1000 }
  }
  return (
    <div>
      <p class="path">
        root <code>{dataset.root}</code>
      </p>
      {why !== null ? (
        <p class="note">This page cannot regenerate it: {why}.</p>
      ) : !begun ? (
        <button type="button" onClick={() => begin(true)}>
          Regenerate all {formatInteger(indices)} indices and compare the root
        </button>
      ) : (
        <Working work={regenerate} waiting="Regenerating every item …">
          {({ root, seconds }) =>
            root === dataset.root ? (
              <p class="seal good" role="status">
                ✓ All {formatInteger(indices)} indices were regenerated in this browser in {seconds.toFixed(1)} s; the
                root matches.
              </p>
            ) : (
              <p class="seal bad" role="alert">
                ✗ The regenerated root differs: <code>{root}</code>
              </p>
            )
          }
        </Working>
      )}
    </div>
  )
}

function Strata({ set: { strata } }: { set: DatasetDocument }) {
  const most = Math.max(1, ...strata.filled.map(({ count }) => count))
  const rows = [
    ...strata.filled.map((one) => ({ levels: one.levels, count: one.count, why: '' })),
    ...strata.empty.map((one) => ({ levels: one.levels, count: 0, why: `proved empty: ${reasonWords(one.proof)}` })),
    ...strata.notFound.map((one) => ({
      levels: one.levels,
      count: 0,
      why: `not found after ${plural(one.tries, 'try', 'tries')}: ${reasonWords(one.reason)}`,
    })),
  ]
  return (
    <>
      <Grid
        label="Strata"
        rows={rows.slice(0, 400)}
        keyOf={({ levels, why }) => JSON.stringify([levels, why])}
        columns={({ numeric, text }) => [
          ...strata.factors.map((factor, i) =>
            text(visible(factor), ({ levels }: (typeof rows)[number]) => formatValue(levels[i])),
          ),
          numeric('items', ({ count }) => formatInteger(count)),
          text('share of the largest', ({ count, why }) =>
            why === '' ? (
              <meter min={0} max={most} value={count} aria-label={`${count} of ${most}`} />
            ) : (
              <small>{visible(why)}</small>
            ),
          ),
        ]}
      />
      {rows.length > 400 ? <p class="note">{rows.length - 400} more strata are in manifest.json.</p> : null}
    </>
  )
}

const auditDocument = z.object({
  verdict: z.tuple([z.string()], z.string()),
  style: z.string(),
  tests: z.array(
    z.object({
      probe: z.string(),
      mode: z.string(),
      n: z.number(),
      accuracy: z.nullable(z.number()),
      chance: z.nullable(z.number()),
      gain: z.number(),
      ci: z.tuple([z.number(), z.number()]),
      pAdjusted: z.number(),
      status: z.string(),
    }),
  ),
})

function AuditTable({ audit, path }: { audit: unknown; path: string }) {
  if (audit === null)
    return (
      <Empty>
        This dataset has no audit yet: <code>touchstone audit {shellWord(path)}</code>
      </Empty>
    )
  const parsed = auditDocument.safeParse(audit)
  if (!parsed.success)
    return (
      <Empty>
        audit.json is damaged or has another version. Run the audit again:{' '}
        <code>touchstone audit {shellWord(path)}</code>
      </Empty>
    )
  const { verdict, style, tests } = parsed.data
  return (
    <>
      <p>
        <b>{visible(verdict[0])}</b>, prompts in style {visible(style)}
      </p>
      <Probes tests={tests} most={24} />
    </>
  )
}
