import { z } from 'zod'
import { type ModelOptions, type ProviderEnvironment, requireKey } from './provider.ts'
import { isSecretName } from './secret-names.ts'

/** Headers that belong to the request itself. */
const OWN: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'transfer-encoding',
  'upgrade',
  'x-client-request-id',
])

/** A variable of the environment in a header's value. */
const VARIABLE = /\$\{(\w+)\}/gu

/**
 * Headers that are sent with every request, as an experiment writes them. They are recorded, so a secret is never written out: its value
 * names a variable of the environment, `Bearer ${NAME}`.
 */
export const headersSchema = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const whole = value.replaceAll(VARIABLE, '')
    if (!/^[\w!#$%&'*+.^`|~-]+$/u.test(name)) context.addIssue(`headers: "${name}" is not a header name`)
    else if (OWN.has(name.toLowerCase())) context.addIssue(`headers: "${name}" is written by the run`)
    else if (!/^[\t -~]*$/u.test(value)) context.addIssue(`headers: the value of "${name}" is not printable ASCII text`)
    else if (whole === value && (isSecretName(name) || /^(?:bearer|basic)\s/iu.test(value)))
      context.addIssue(
        `headers: "${name}" holds a secret, which would be recorded: put it into an environment variable and write \${VARIABLE}`,
      )
  }
})

/** The variables of the environment that headers name. */
export const headerVariables = ({ headers = {} }: ModelOptions): readonly string[] =>
  Object.values(headers).flatMap((value) => [...value.matchAll(VARIABLE)].map(([, name = '']) => name))

/** The headers that are given, by lower-case name, with the values of their variables. @throws UsageError for one that is not set */
export function givenHeaders(
  { headers = {} }: ModelOptions,
  around: ProviderEnvironment,
): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.replaceAll(VARIABLE, (_, variable: string) => requireKey(around, variable, `the header ${name}`)),
    ]),
  )
}

/** Do these headers authenticate? Then no key is needed. */
export const hasSecret = (headers: { readonly [name: string]: string }): boolean =>
  Object.keys(headers).some(isSecretName)
