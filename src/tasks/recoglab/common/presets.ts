import type { Preset } from '../../../core/index.ts'

export type Presets<C> = { readonly [name: string]: Preset<C> }

/** A preset for each value: its name, its summary, its config, and the name in the published release if any. */
export const presetsOf = <C, T>(
  values: readonly T[],
  of: (value: T) => readonly [name: string, summary: string, config: Partial<NoInfer<C>>, alias?: string | undefined],
): Presets<C> =>
  Object.fromEntries(
    values.map((value): [string, Preset<C>] => {
      const [name, summary, config, alias] = of(value)
      return [name, { summary, ...(alias === undefined ? {} : { aliases: [alias] }), config }]
    }),
  )
