import { audit } from './audit.ts'
import { generate } from './generate.ts'
import { list } from './list.ts'
import { merge } from './merge.ts'
import { show } from './show.ts'
import { verify } from './verify.ts'

/** Every command, in the order help shows them. */
export const commands = { list, show, generate, verify, audit, merge }
