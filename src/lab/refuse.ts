import { UsageError } from '../core/index.ts'

/** An option that would be passed over in silence is a mistake. @throws UsageError where one of these is given. */
export function refuse<Request extends object>(
  request: Request,
  names: readonly (keyof Request & string)[],
  why: string,
): void {
  const given = names.filter((name) => request[name] !== undefined && request[name] !== false)
  if (given.length > 0) throw new UsageError(`${given.map((name) => `\`${name}\``).join(', ')}: ${why}`)
}
