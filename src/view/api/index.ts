/** The documents that the server of the view sends to its pages, which parse each of them. */

export * from './address.ts'
export * from './ask.ts'
export * from './documents/accuracy.ts'
export * from './documents/folders.ts'
export * from './documents/items.ts'
export * from './documents/tokens.ts'
export * from './documents/values.ts'
export * from './words.ts'
