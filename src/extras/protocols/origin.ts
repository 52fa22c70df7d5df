import { isIP } from 'node:net'

/** The name in a Host header, without its port and the brackets of an IPv6 address. */
const nameOf = (host: string): string =>
  host
    .replace(/:\d+$/u, '')
    .replace(/^\[(.*)\]$/u, '$1')
    .toLowerCase()

/** True for names of this machine that no other can be reached by; `host` may have a port. */
export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/u.test(nameOf(host))

/**
 * True for addresses and for names that only a local network can resolve. Under any other name a web page of that name may
 * have been pointed at this machine (DNS rebinding) and speaks here through the browser of somebody who opened it.
 */
export const isLocalName = (host: string): boolean => {
  const name = nameOf(host)
  return isIP(name) !== 0 || !name.includes('.') || /\.(?:localhost|local|internal)$/u.test(name)
}

/** True where no web page of another address asks; only browsers send `origin`. */
export const isSameOrigin = (host: string, origin: string | undefined): boolean =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`
