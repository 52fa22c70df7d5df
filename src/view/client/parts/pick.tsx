import { visible } from './format.ts'

/** A choice with its label: it applies at once. */
export function Pick({
  label,
  value,
  options,
  onPick,
  none = null,
}: {
  readonly label: string
  readonly value: string | undefined
  /** Values, with their words where these are others. */
  readonly options: readonly (string | readonly [value: string, words: string])[]
  /** undefined: nothing. */
  readonly onPick: (value: string | undefined) => void
  /** The option for nothing; null: a value is required. */
  readonly none?: string | null
}) {
  return (
    <label>
      {label}{' '}
      <select value={value ?? ''} onChange={({ currentTarget }) => onPick(currentTarget.value || undefined)}>
        {none === null ? null : <option value="">{none}</option>}
        {options.map((option) => {
          const [one, words] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={one} value={one}>
              {visible(words)}
            </option>
          )
        })}
      </select>
    </label>
  )
}
