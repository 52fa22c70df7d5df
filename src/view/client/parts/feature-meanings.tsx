import { featureName, visible } from './format.ts'

/** Descriptions of features as text. */
export function FeatureMeanings({
  names,
  meanings,
}: {
  readonly names: readonly string[]
  readonly meanings: { readonly [name: string]: string }
}) {
  const described = names.filter((name) => Object.hasOwn(meanings, name))
  if (described.length === 0) return null
  return (
    <details class="meanings">
      <summary>Meaning of the features</summary>
      <dl>
        {described.map((name) => (
          <div key={name}>
            <dt>{featureName(name)}</dt>
            <dd>{visible(meanings[name] ?? '')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
