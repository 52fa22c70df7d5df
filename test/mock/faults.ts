import { hash } from 'node:crypto'

/** How the mock answers one request. */
export type Behaviour =
  | 'right'
  | 'wrong'
  | 'unparsable'
  | 'truncated'
  | 'refused'
  | 'slow'
  | 'rate-limit'
  | 'rate-limit-after'
  | 'error-401'
  | 'evil-400'
  | 'error-500'
  | 'cut'
  | 'cut-body'
  | 'silent'
  | 'bad-json'
  | 'wrong-json'
  | 'usage-text'
  | 'usage-negative'
  | 'usage-fraction'
  | 'usage-absurd'
  | 'usage-none'
  | 'usage-above'
  | 'overrun'
  | 'overrun-unread'
  | 'usage-400'
  | 'streamed'
  | 'odd-json'
  | 'huge'
  | 'huge-chunked'

/** Shares of behaviours; what is left of 1 is `right`. */
export type Mix = { readonly [behaviour in Behaviour]?: number }

/** The faults that a provider may show and tries may mend, however many it takes, in equal parts of `share`. */
export function faultMix(share: number): Mix {
  const faults = ['rate-limit', 'rate-limit-after', 'error-500', 'cut', 'cut-body', 'silent', 'wrong-json'] as const
  return Object.fromEntries(faults.map((fault) => [fault, share / faults.length]))
}

/** The behaviour for a request: a function of the seed and the request's id alone. */
export function behaviourOf(mix: Mix, seed: string, id: string): Behaviour {
  let at = Number.parseInt(hash('sha256', `${seed}\n${id}`, 'hex').slice(0, 12), 16) / 2 ** 48
  for (const [behaviour, share] of Object.entries(mix) as [Behaviour, number][]) {
    if (at < share) return behaviour
    at -= share
  }
  return 'right'
}
