import { classFlavour } from './words/flavour-class.ts'
import { enemiesFlavour } from './words/flavour-enemies.ts'
import { friendFlavour } from './words/flavour-friend.ts'
import { parentFlavour } from './words/flavour-parent.ts'

/** More than eighty ways to state each of four relations between {a} and {b}. */
export const flavour = {
  friend: friendFlavour,
  class: classFlavour,
  parent: parentFlavour,
  enemies: enemiesFlavour,
} as const
