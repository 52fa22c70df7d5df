import { createRequire } from 'node:module'

/** An interpreter of Prolog that shares nothing with ours, as far as it is used here. */
interface Session {
  consult(program: string, on: { readonly success: () => void; readonly error: (error: unknown) => void }): void
  query(goal: string, on: { readonly success: () => void; readonly error: (error: unknown) => void }): void
  answer(on: {
    readonly success: (answer: object) => void
    readonly fail: () => void
    readonly error: (error: unknown) => void
    readonly limit: () => void
  }): void
}
interface Tau {
  create(limit: number): Session
}

const require = createRequire(import.meta.url)
const tau = require('tau-prolog') as Tau
// Modules add themselves to the interpreter they are given.
for (const module of ['lists']) (require(`tau-prolog/modules/${module}`) as (into: Tau) => void)(tau)

export type Said = 'proved' | 'refuted' | 'fault'

/** Says whether a goal follows from a program. */
export function tauProves(program: string, goal: string): Promise<Said> {
  const session = tau.create(100_000)
  return new Promise((resolve) => {
    const fault = (): void => resolve('fault')
    session.consult(`:- use_module(library(lists)).\n${program}`, {
      success: () =>
        session.query(`${goal}.`, {
          success: () =>
            session.answer({
              success: () => resolve('proved'),
              fail: () => resolve('refuted'),
              error: fault,
              limit: fault,
            }),
          error: fault,
        }),
      error: fault,
    })
  })
}
