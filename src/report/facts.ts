import type { Features } from '../core/index.ts'
import { thingsOf, withDerived } from './derived-columns.ts'
import type { ReportFrames } from './report.ts'

const FEATURE = 'feature_'

/** Frames with facts about groups as features; what the rows say themselves stays. */
export function withFacts(frames: ReportFrames, facts: ReadonlyMap<string, Features>): ReportFrames {
  const found = new Set([...facts.values()].flatMap((own) => Object.keys(own)).map((name) => `${FEATURE}${name}`))
  const names = [...found].filter((name) => !frames.columns.includes(name))
  if (names.length === 0) return frames
  const value = (group: string, column: string): number => {
    const fact = facts.get(group)?.[column.slice(FEATURE.length)]
    return typeof fact === 'number' ? fact : Number.NaN
  }
  return withDerived(frames, { names, of: 'group', value }, (task) => {
    const cut = frames.ofTask(task)
    const groups = thingsOf(cut, 'group')
    return withFacts(cut, new Map([...facts].filter(([group]) => groups.has(group))))
  })
}
