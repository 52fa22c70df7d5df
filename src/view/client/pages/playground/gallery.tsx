import { plural, visible } from '../../parts/format.ts'
import { Working } from '../../parts/state.tsx'
import { linkTo } from '../../routing.ts'
import { askTasks } from '../../tasks/ask.ts'
import type { TaskFacts } from '../../tasks/work.ts'

/** What a view without runs shows first: every task, to be played with. */
export const GalleryPage = () => (
  <>
    <h1>Tasks</h1>
    <p>
      Items are made in this browser, by the code that makes test sets: choose a task, change its parameters, and look
      at the truth of an item drawn, with its proof checked here. Nothing is installed, and nothing is asked of any
      server.
    </p>
    <Working work={() => askTasks({ kind: 'list' })} waiting="Loading the tasks …">
      {(tasks) => <Families tasks={tasks} />}
    </Working>
  </>
)

const Families = ({ tasks }: { tasks: readonly TaskFacts[] }) => (
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
