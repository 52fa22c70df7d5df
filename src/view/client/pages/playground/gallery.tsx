import { useEffect, useState } from 'preact/hooks'
import { plural, visible } from '../../parts/format.ts'
import { linkTo } from '../../routing.ts'
import { askTasks } from '../../tasks/ask.ts'
import type { TaskFacts } from '../../tasks/work.ts'

type Listed =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ready'; readonly tasks: readonly TaskFacts[] }
  | { readonly kind: 'broken'; readonly message: string }

/** What a view without runs shows first: every task, to be played with. */
export function GalleryPage() {
  const [listed, setListed] = useState<Listed>({ kind: 'waiting' })
  useEffect(() => {
    askTasks({ kind: 'list' }).then(
      (tasks) => setListed({ kind: 'ready', tasks }),
      (error: unknown) =>
        setListed({ kind: 'broken', message: error instanceof Error ? error.message : String(error) }),
    )
  }, [])
  return (
    <>
      <h1>Tasks</h1>
      <p>
        Items are made in this browser, by the code that makes test sets: choose a task, change its parameters, and look
        at the truth of an item drawn, with its proof checked here. Nothing is installed, and nothing is asked of any
        server.
      </p>
      {listed.kind === 'waiting' ? <p class="waiting">Loading the tasks …</p> : null}
      {listed.kind === 'broken' ? <p class="problem">{listed.message}</p> : null}
      {listed.kind === 'ready' ? <Families tasks={listed.tasks} /> : null}
    </>
  )
}

const Families = ({ tasks }: { readonly tasks: readonly TaskFacts[] }) => (
  <>
    {[...Map.groupBy(tasks, ({ name }) => name.split('/')[0] ?? name)].map(([family, own]) => (
      <section key={family}>
        <h2>{visible(family)}</h2>
        <ul class="gallery">
          {own.map(({ name, summary, presets, parameters }) => (
            <li key={name} class="card">
              <h3>
                <a href={linkTo(['playground'], [['task', name]])}>{visible(name)}</a>
              </h3>
              <p>{visible(summary)}</p>
              <p class="note">
                {plural(presets.length, 'preset')}, {plural(parameters.length, 'parameter')}
              </p>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
)
