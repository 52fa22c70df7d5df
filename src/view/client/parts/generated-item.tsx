import type { Json } from '../../../core/index.ts'
import type { GeneratedItem } from '../tasks/generated.ts'
import { Truth, useTruth } from '../truth/truth.tsx'
import { Fold } from './controls.tsx'
import { featureName, formatValue, visible } from './format.ts'
import { Question, Spoken } from './text.tsx'

interface GeneratedProps {
  readonly item: GeneratedItem
  readonly task: string
  /** What the features mean. */
  readonly features?: { readonly [name: string]: string }
}

/** An item generated in this browser: question, drawing and proof. */
export function GeneratedItemView({ item, task, features = {} }: GeneratedProps) {
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
        <Features features={item.features} meanings={features} />
      </section>
      <Truth state={truth} answer={item.problem.answer} />
    </>
  )
}

interface FeaturesProps {
  readonly features: { readonly [name: string]: Json }
  readonly meanings: { readonly [name: string]: string }
  readonly link?: (condition: string) => string
}

/** What an item is, each fact with its meaning and column in a tooltip; `link` leads to the items that share it. */
export const Features = ({ features, meanings, link }: FeaturesProps) => (
  <Fold
    title="Features"
    note={Object.entries(features)
      .slice(0, 3)
      .map(([name, value]) => `${featureName(name)} ${formatValue(value, 20)}`)
      .join(' · ')}
  >
    <dl class="facts">
      {Object.entries(features).map(([name, value]) => {
        const text = value === '' ? '(empty)' : formatValue(value, 40)
        const column = visible(`feature_${name}`).slice(0, 80)
        return (
          <div
            key={name}
            title={Object.hasOwn(meanings, name) ? `${visible(meanings[name] ?? '')} (${column})` : column}
          >
            <dt>{featureName(name)}</dt>
            {/* An item without a feature fulfils no condition on it. */}
            <dd>{link === undefined || value === null ? text : <a href={link(`${name}=${value}`)}>{text}</a>}</dd>
          </div>
        )
      })}
    </dl>
  </Fold>
)
