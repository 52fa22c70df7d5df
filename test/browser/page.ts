// What the page of the browser test runs.
import { hashes, streams } from './content.ts'

Object.assign(globalThis, { touchstone: { hashes, streams } })
