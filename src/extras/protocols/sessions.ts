import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** The address of a client; empty for requests that came over no connection. */
export const addressOf = ({ env }: Context): string =>
  (env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress ?? ''

/** Part of all sessions that one address may hold, so that no client shuts out all others. */
const OWN_PART = 0.75

/** Why an address gets no further session; null: it gets one. @param open - sessions by their address. */
export function refusal(open: Iterable<{ readonly address: string }>, address: string, max: number): string | null {
  const all = [...open]
  if (all.length >= max) return `all ${max} sessions are in use`
  const own = all.filter((one) => one.address === address).length
  return own < OWN_PART * max ? null : `your address has ${own} of ${max} sessions: end some of them first`
}
