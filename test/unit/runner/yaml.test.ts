import { describe, expect, it } from 'vitest'
import { isUsageError } from '../../../src/core/index.ts'
import { readExperiment } from '../../../src/runner/index.ts'
import { readYaml } from '../../../src/runner/plan/yaml.ts'

const bomb = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...[...'bcdefghij'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghij'[i]}`).join(',')}]`),
].join('\n')

describe('YAML from strangers', () => {
  it.each([
    ['a bomb of aliases', bomb, /aliases/u],
    ['an alias that leads nowhere', 'a: *nobody', /alias/iu],
    ['nine million characters of comments', '# nothing\n'.repeat(900_000), /at most 1000000/u],
    ['deep lists', `a: ${'['.repeat(100)}${']'.repeat(100)}`, /nested too deep: expected at most 64 levels/u],
    ['lists as deep as a stack', `a: ${'['.repeat(200_000)}`, /nested too deep|flow/iu],
    ['deep mappings', Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}k:`).join('\n'), /nested too deep/u],
    ['a key twice', 'a: 1\na: 2', /unique/u],
    ['broken text', 'a: "', /./u],
  ])('%s is refused in words', (_name, text, message) => {
    for (const read of [() => readYaml(text, 'x.yaml'), () => readExperiment(text, 'x.yaml')]) {
      const error = thrown(read)
      expect(error).toSatisfy(isUsageError)
      expect((error as Error).message).toMatch(message)
      expect((error as Error).message).toMatch(/x\.yaml/u)
    }
  })

  it('reads what people write, aliases among it', () => {
    expect(readYaml('a: &x {b: 1}\nc: *x\n', 'x').value).toEqual({ a: { b: 1 }, c: { b: 1 } })
  })
})

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

it.each(['!!binary aGVsbG8=', '!!set {a, b}', '!!omap [a: 1]', '!!timestamp 2001-01-01', '!mine 3'])(
  'a value that JSON cannot say is refused with its place: %s',
  (value) => {
    expect(() => readYaml(`items: 1\nmodels: ${value}`, 'x.yaml')).toThrow(
      /x\.yaml: Unresolved tag: .* at line 2, column 9/u,
    )
  },
)
