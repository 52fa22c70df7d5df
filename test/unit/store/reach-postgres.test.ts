import { expect, it } from 'vitest'
import { withoutRetry } from '../../../src/extras/postgres/index.ts'

it('a database that is away is told with what to do, one that says no in its words', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
  await expect(withoutRetry(Promise.reject(away))).rejects.toMatchObject({
    kind: 'store',
    message: expect.stringMatching(/ECONNREFUSED .*: see that its server runs .* again/u),
  })
  const no = Object.assign(new Error('permission denied for schema x'), { code: '42501' })
  await expect(withoutRetry(Promise.reject(no))).rejects.toThrow(/permission denied for schema x$/u)
})
