import { describe, expect, it } from 'vitest'
import { parseExperiment, readExperiment } from '../../../src/runner/index.ts'

const good = `
name: first
seed: 7
items:
  - task: mock/parity
    preset: small
    sweep: { digits: [2, 3] }
    count: 20
    style: plain
models:
  - baseline:exact
  - { model: openai-compatible:m, settings: [{ temperature: 0 }, { effort: high }], samples: 2, subsample: { perStratum: 2 } }
limits: { concurrency: 3 }
`

describe('reading an experiment', () => {
  it('fills in what is left out', () => {
    expect(readExperiment('items: { task: a/b }')).toEqual({
      name: 'run',
      seed: 0,
      items: [{ task: 'a/b', split: 'test' }],
      models: [],
      limits: { concurrency: 100, retries: 8, timeout: 600 },
    })
  })

  it('takes one value where a list is meant, and a model by its spec alone', () => {
    const experiment = readExperiment(good)
    expect(experiment.items[0]?.style).toEqual(['plain'])
    expect(experiment.models[0]).toEqual({ model: 'baseline:exact', settings: [{}], samples: 1 })
    expect(experiment.models[1]?.settings).toEqual([{ temperature: 0 }, { effort: 'high' }])
  })

  it.each([
    ['itmes: []\nitems: { task: a/b }', /x\.yaml:1: unknown key "itmes" \(did you mean "items"\?\)/u],
    ['items:\n  - task: a/b\n    styel: plain', /x\.yaml:3: items\.0: unknown key "styel" \(did you mean "style"\?\)/u],
    [
      'items: { task: a/b }\nmodels:\n  - model: x:y\n    settings: { temprature: 0 }',
      /x\.yaml:4: models\.0\.settings\.0: unknown key "temprature" \(did you mean "temperature"\?\)/u,
    ],
    ['items: { task: a/b }\nlimits: { concurrent: 3 }', /unknown key "concurrent" \(did you mean "concurrency"\?\)/u],
    ['items: { task: a/b }\nmodels: [{ model: a:b, subsample: { perStrata: 2 } }]', /unknown key "perStrata"/u],
    ['items:\n  - { task: a/b, count: many }', /x\.yaml:2: items\.0\.count: .*expected/u],
    ['items: [\n', /x\.yaml: /u],
    ['- 1', /an experiment is a mapping/u],
    ['items: { task: a/b }\nitems: { task: a/c }', /[Mm]ap keys must be unique/u],
  ])('refuses %j in plain words', (text, message) => {
    expect(() => readExperiment(text, 'x.yaml')).toThrow(message)
  })

  it('refuses a small file that unfolds to a large one', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nitems: [*c,*c,*c,*c,*c,*c,*c]`
    expect(() => readExperiment(bomb)).toThrow(/alias/iu)
  })

  it('reads a value put together from flags the same way', () => {
    expect(parseExperiment({ items: [{ task: 'a/b' }], models: ['baseline:x'] }).models[0]?.model).toBe('baseline:x')
    expect(() => parseExperiment({ items: [{ task: 'a/b' }], model: [] })).toThrow(/did you mean "models"/u)
  })
})
