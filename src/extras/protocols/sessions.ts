import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** The address of a client; empty for requests that came over no connection. */
export const addressOf = ({ env }: Context): string =>
  (env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress ?? ''

/** Part of all sessions that one address may hold, so that no client shuts out all others. */
const OWN_PART = 0.75

/** Bounds concurrent sessions, in all and of one address. */
export class SessionLimit {
  private readonly max: number
  private readonly held = new Map<string, number>()
  private total = 0

  constructor(max: number) {
    this.max = max
  }

  /** Takes a session for an address. @returns why it gets none; null: it has one. */
  take(address: string): string | null {
    const own = this.held.get(address) ?? 0
    if (this.total >= this.max) return `all ${this.max} sessions are in use`
    if (own >= OWN_PART * this.max) return `your address has ${own} of ${this.max} sessions: end some of them first`
    this.held.set(address, own + 1)
    this.total++
    return null
  }

  release(address: string): void {
    const own = this.held.get(address) ?? 0
    if (own <= 1) this.held.delete(address)
    else this.held.set(address, own - 1)
    this.total--
  }
}
