import { FeatureMeanings } from '../parts/feature-meanings.tsx'
import { featureName, formatValue } from '../parts/format.ts'
import { Spoken } from '../parts/text.tsx'
import type { GeneratedItem } from '../tasks/generated.ts'
import { Truth, useTruth } from '../truth/truth.tsx'

/** An item generated in this browser: prompt, drawing and proof. */
export function GeneratedItemView({
  item,
  task,
  features = {},
}: {
  readonly item: GeneratedItem
  readonly task: string
  /** Meaning of the features, by name. */
  readonly features?: { readonly [name: string]: string }
}) {
  const truth = useTruth(task, item.version, item.problem)
  return (
    <div class="item-page two">
      <section aria-label="Prompt">
        <h2>Prompt</h2>
        <Spoken text={item.prompt} length={item.prompt.length} />
        {item.gold === null ? null : (
          <details>
            <summary>A response that is right</summary>
            <Spoken text={item.gold} length={item.gold.length} />
          </details>
        )}
        <p class="features">
          {Object.entries(item.features).map(([name, value]) => (
            <span key={name} class="chip" title={features[name]}>
              {featureName(name)} = {value === '' ? '(empty)' : formatValue(value, 30)}
            </span>
          ))}
        </p>
        <FeatureMeanings names={Object.keys(item.features)} meanings={features} />
      </section>
      <Truth state={truth} answer={item.problem.answer} />
    </div>
  )
}
