/** Options of the library whose flag has another name. */
const RENAMED: { readonly [option: string]: string } = {
  plugins: 'plugin',
  models: 'model',
  styles: 'style',
  judges: 'judge',
  strata: 'stratum',
  knobs: 'grid',
  presets: 'preset',
  formats: 'format',
  retry: 'code',
  usd: 'max-usd',
}

/** Those that are called alike; what else stands between backticks is no option. */
const ALIKE: ReadonlySet<string> = new Set(
  (
    'audit beacon cache config control count detail force items limit maxTokens measure model offline only oracles out ' +
    'parser perPerson port preset price quick run sample samples scripts seed shard split store style to where'
  ).split(' '),
)

/** The flag as it is typed. */
export const typed = (name: string): string => `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`

/** What the library says of its options (`out`, `models`), said of the flags that stand for them. */
export const asFlags = (message: string): string =>
  message.replaceAll(/`([a-z][A-Za-z]*)`/gu, (whole, name: string) => {
    const flag = RENAMED[name] ?? (ALIKE.has(name) ? name : null)
    return flag === null ? whole : typed(flag)
  })
