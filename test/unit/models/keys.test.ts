import { expect, it } from 'vitest'
import { openModel, providers } from '../../../src/models/index.ts'

const open = (spec: string, env: { readonly [name: string]: string }) =>
  openModel(spec, { baseUrl: 'http://127.0.0.1:9/v1' }, providers, {
    env,
    openReplay: () => Promise.reject(new Error('no')),
  })

const asked = [
  ['openai:m', 'OPENAI_API_KEY'],
  ['anthropic:m', 'ANTHROPIC_API_KEY'],
  ['google:m', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ['openai-compatible:m', 'OPENAI_COMPATIBLE_API_KEY'],
  ['completions:m', 'COMPLETIONS_API_KEY'],
] as const

it.each(asked)(
  'a key of %s that no header can hold is refused before anything is asked, and not shown',
  async (spec, name) => {
    for (const key of ['first-half\nsecond-half', 'quoted\u{2019}key'])
      await expect(open(spec, { [name]: key })).rejects.toThrow(
        new RegExp(
          `variable ${name} holds a line break or another character that no key has(?!.*(?:half|quoted))`,
          'u',
        ),
      )
    await expect(open(spec, { [name]: ' \n' })).rejects.toThrow(`${name} is blank`)
  },
)

it.each(asked)('a key of %s may end in a line break, as in a file', async (spec, name) => {
  await expect(open(spec, { [name]: 'key-of-a-test\r\n' })).resolves.toMatchObject({ remote: true })
})
