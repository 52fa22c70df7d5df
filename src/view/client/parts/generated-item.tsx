import type { GeneratedItem } from '../tasks/generated.ts'
import { Truth, useTruth } from '../truth/truth.tsx'
import { Fold } from './controls.tsx'
import { featureName, formatValue } from './format.ts'
import { Question, Spoken } from './text.tsx'

/** An item generated in this browser: question, drawing and proof. */
export function GeneratedItemView({
  item,
  task,
  features = {},
}: {
  item: GeneratedItem
  task: string
  /** Meaning of the features, by name. */
  features?: { readonly [name: string]: string }
}) {
  const truth = useTruth(task, item.version, item.problem)
  return (
    <>
      <section aria-label="Question">
        <h2>Question</h2>
        <Question prompt={item.prompt} truth={item.problem.answer} />
        <Fold title="Full prompt" note={`${item.prompt.length} characters`}>
          <Spoken text={item.prompt} length={item.prompt.length} />
        </Fold>
        {item.gold === null ? null : (
          <Fold title="A correct response">
            <Spoken text={item.gold} length={item.gold.length} />
          </Fold>
        )}
        <Fold title="Features" note={`${Object.keys(item.features).length}`}>
          <dl class="facts">
            {Object.entries(item.features).map(([name, value]) => (
              <div key={name} title={features[name]}>
                <dt>{featureName(name)}</dt>
                <dd>{value === '' ? '(empty)' : formatValue(value, 40)}</dd>
              </div>
            ))}
          </dl>
        </Fold>
      </section>
      <Truth state={truth} answer={item.problem.answer} />
    </>
  )
}
