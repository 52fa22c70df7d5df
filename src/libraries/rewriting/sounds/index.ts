export * from './apply.ts'
export * from './notation.ts'
export * from './sound.ts'
