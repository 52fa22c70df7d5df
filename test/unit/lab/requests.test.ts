import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Lab, openLab } from '../../../src/lab/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'requests-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lab = await openLab({ tasks: ['relic/recognize'], env: {} })
// As JavaScript calls it.
const asked = lab as unknown as { readonly [name in keyof Lab]: (...given: readonly unknown[]) => unknown }
const out = join(folder, 'none')
const experiment = { items: [{ task: 'relic/recognize', preset: 'relic-demo', count: 2 }], models: ['baseline:gold'] }

describe('a request of another shape is refused in words', () => {
  it.each<[keyof Lab, readonly unknown[], string | RegExp]>([
    ['generate', [], /^generate is asked with a mapping of task, preset, .*; came undefined$/u],
    ['generate', [{ task: 'relic/recognize' }], 'generate: out: expected a text, came nothing'],
    [
      'generate',
      [{ task: 'relic/recognize', out, cuont: 3 }],
      /^generate: unknown key "cuont" \(did you mean "count"\?\); keys here: task/u,
    ],
    [
      'generate',
      [{ task: 'relic/recognize', out, count: 0 }],
      'generate: count: expected a number of at least 1, came 0',
    ],
    ['generate', [{ task: 'relic/recognize', out, count: '3' }], 'generate: count: expected a number, came "3"'],
    [
      'generate',
      [{ task: 'relic/recognize', out, shard: { index: 0, off: 2 } }],
      /shard: unknown key "off" \(did you mean "of"\?\)/u,
    ],
    [
      'report',
      [out, { formats: ['jsn'] }],
      'report: formats.0: expected one of html, md, json, csv, svg, png, came "jsn" (did you mean "json"?)',
    ],
    ['report', [out, null], /^report is asked with a mapping of .*; came null$/u],
    ['report', [], 'expected the path of a folder or file, came undefined'],
    ['verify', [out, { sampel: 3 }], /unknown key "sampel" \(did you mean "sample"\?\)/u],
    ['run', [{ experiment, out, onProgress: 3 }], 'run: onProgress: expected a function'],
    ['run', [{ experiment, out, stop: 'no' }], /^run: stop: expected an AbortSignal/u],
    ['run', [{ experiment: { ...experiment, models: [] }, out }], /^an experiment needs models/u],
    ['plan', [{ experiment: { items: experiment.items } }], /^an experiment needs models/u],
    ['run', [{ experiment }], 'run: out: expected a text, came nothing'],
    ['task', [], 'expected the name of a task, came undefined'],
    ['init', [3], 'expected the name of a task, came number'],
    ['merge', ['parts', out], /^expected a list of folders/u],
    ['merge', [[out, folder], `${out}-merged`], `there is no folder ${out}`],
    ['reveal', [], 'expected the path of a folder or file, came undefined'],
    ['reproduce', [''], 'expected the name of a table or figure, came an empty text'],
    ['compare', [out], /^expected a list of one run or two/u],
    ['import', ['relic'], /^import is asked with a mapping of out/u],
    ['resume', [out, { retry: 3 }], /^resume: retry: expected all or a list, came 3$/u],
    ['check', ['relic/recognize', { preset: ['relic-demo'] }], /unknown key "preset" \(did you mean "presets"\?\)/u],
    ['serve', [{ port: 70_000 }], 'serve: port: expected a number of at most 65535, came 70000'],
  ])('%s %j', async (name, given, message) => {
    await expect((async () => asked[name](...given))()).rejects.toMatchObject({
      kind: 'usage',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  it('of a lab too', async () => {
    await expect(openLab({ plugin: ['x'] } as never)).rejects.toThrow(
      /openLab: unknown key "plugin" \(did you mean "plugins"\?\)/u,
    )
  })

  it('and a request that fits is taken as it is: what is undefined is left out', async () => {
    const stop = new AbortController()
    const options = { concurrency: undefined, stop: stop.signal, onProgress: () => undefined, env: undefined }
    const { env: _env, ...request } = options
    expect(await asked.run({ experiment, out, ...request })).toMatchObject({ status: 'done' })
  })

  it('codes that no cell failed by are told, with those that are there', async () => {
    const failing = join(folder, 'failing')
    const models = [{ model: 'exec:/bin/false', name: 'false' }]
    await asked.run({ experiment: { ...experiment, models, limits: { retries: 0 } }, out: failing, preflight: false })
    const [{ code }] = (await lab.resume(failing)).failures as unknown as [{ code: string }]
    await expect(lab.resume(failing, { retry: [`${code}x`] })).rejects.toThrow(
      `(did you mean "${code}"?); there are ${code} (2)`,
    )
    expect(await lab.resume(out, { retry: ['timeout'] })).toMatchObject({ retried: 0 })
  })
})
