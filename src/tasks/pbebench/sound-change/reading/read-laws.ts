import { parseLaw, printLaw, type SoundLaw } from '../../../../libraries/rewriting/sounds/index.ts'

/** The laws of an answer that are run: those that read as they are written, as far as the limit goes. */
export const readLaws = (texts: readonly string[], most: number): readonly SoundLaw[] =>
  texts.slice(0, most).flatMap((text) => {
    const read = parseLaw(text)
    return read.kind === 'law' && printLaw(read.law) === text ? [read.law] : []
  })
