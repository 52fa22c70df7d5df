import type { DistinctSequence, Listed } from '../../../../libraries/grammars/sample/distinct-sequence.ts'

/** Maximum strings in a row that repeat another up to renaming, per string found plus 10. */
const patience = 200

/**
 * The sequence without strings that repeat another up to renaming, for which `keyOf` is equal. `seen` may be shared by
 * several sequences. Its end is proved if the end of the underlying sequence is.
 */
export function upToRenaming(
  roster: DistinctSequence,
  keyOf: (tokens: Int32Array) => string,
  seen: Set<string> = new Set(),
): DistinctSequence {
  const found: Int32Array[] = []
  let taken = 0
  let repeats = 0
  let end: Listed | null = null

  function grow(): void {
    const listed = roster.at(taken)
    if (listed.kind === 'exhausted') {
      end = { ...listed, count: found.length }
      return
    }
    taken++
    const key = keyOf(listed.entry)
    if (!seen.has(key)) {
      seen.add(key)
      found.push(listed.entry)
      repeats = 0
    } else if (++repeats > patience * (found.length + 10))
      end = { kind: 'exhausted', count: found.length, proved: false }
  }

  return {
    at(o) {
      while (found.length <= o && end === null) grow()
      const entry = found[o]
      return entry === undefined ? (end as Listed) : { kind: 'entry', entry }
    },
  }
}
