import type { Config } from './config.ts'

/** How many hobbies two people share: 0 to 4, equally often. */
const SHARED = [0, 1, 2, 3, 4]

/** The answers that are balanced: sizes, Yes and No, which of the two, or how many are shared. */
export function labelsOf(c: Pick<Config, 'ask' | 'maxMembers'>): readonly string[] {
  switch (c.ask) {
    case 'size':
      return Array.from({ length: c.maxMembers }, (_, i) => String(i + 1))
    case 'hobby':
      return ['Yes', 'No']
    case 'shared-hobbies':
      return SHARED.map(String)
    default:
      return ['first', 'second']
  }
}
