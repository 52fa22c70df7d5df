import { soundOf, type Word } from '../../../../libraries/rewriting/sounds/index.ts'

/** A sound that differs between two aligned words: in the earlier word at `at`; '' stands for no sound. */
export interface Difference {
  readonly at: number
  readonly from: string
  readonly to: string
}

/** Twice the edits between two words; a vowel in the place of a consonant counts one and a half. */
const EDIT = 2
const costOf = (a: string, b: string): number => {
  if (a === b) return 0
  const [one, other] = [soundOf(a).values['kind'], soundOf(b).values['kind']]
  return one === other ? EDIT : EDIT + 1
}

function tableOf(earlier: Word, later: Word): readonly Int32Array[] {
  const rows = [Int32Array.from({ length: later.length + 1 }, (_, j) => j * EDIT)]
  for (const [i, sound] of earlier.entries()) {
    const above = rows[i] as Int32Array
    const row = new Int32Array(later.length + 1)
    row[0] = (i + 1) * EDIT
    for (let j = 1; j <= later.length; j++)
      row[j] = Math.min(
        (above[j - 1] as number) + costOf(sound, later[j - 1] as string),
        (above[j] as number) + EDIT,
        (row[j - 1] as number) + EDIT,
      )
    rows.push(row)
  }
  return rows
}

/** What it takes to write one word over the other: 2 an edit. */
export const distanceOf = (earlier: Word, later: Word): number =>
  tableOf(earlier, later)[earlier.length]?.[later.length] ?? 0

/** The differences of one best alignment, from the left. */
export function differencesOf(earlier: Word, later: Word): readonly Difference[] {
  const rows = tableOf(earlier, later)
  const out: Difference[] = []
  let [i, j] = [earlier.length, later.length]
  while (i > 0 || j > 0) {
    const here = rows[i]?.[j]
    const [from, to] = [earlier[i - 1] ?? '', later[j - 1] ?? '']
    if (i > 0 && j > 0 && here === (rows[i - 1]?.[j - 1] ?? 0) + costOf(from, to)) {
      if (from !== to) out.push({ at: i - 1, from, to })
      i--
      j--
    } else if (i > 0 && here === (rows[i - 1]?.[j] ?? 0) + EDIT) {
      out.push({ at: i - 1, from, to: '' })
      i--
    } else {
      out.push({ at: i, from: '', to })
      j--
    }
  }
  return out.reverse()
}
