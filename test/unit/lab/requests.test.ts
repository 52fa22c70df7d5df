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
const experiment = {
  items: [{ task: 'relic/recognize', preset: 'relic-demo', config: { twins: 'none' }, count: 2 }],
  models: ['baseline:gold'],
}

describe('a request of another shape is refused in words', () => {
  it.each<[keyof Lab, readonly unknown[], string | RegExp]>([
    ['generate', [], 'generate: task: expected a text, got nothing\ngenerate: out: expected a text, got nothing'],
    ['generate', [{ task: 'relic/recognize' }], 'generate: out: expected a text, got nothing'],
    [
      'generate',
      [{ task: 'relic/recognize', out, cuont: 3 }],
      /^generate: unknown key "cuont" \(did you mean "count"\?\); keys here: task/u,
    ],
    [
      'generate',
      [{ task: 'relic/recognize', out, count: 0 }],
      'generate: count: expected a number of at least 1, got 0',
    ],
    ['generate', [{ task: 'relic/recognize', out, count: '3' }], 'generate: count: expected a number, got "3"'],
    [
      'generate',
      [{ task: 'relic/recognize', out, shard: { index: 0, off: 2 } }],
      /shard: unknown key "off" \(did you mean "of"\?\)/u,
    ],
    [
      'report',
      [out, { formats: ['jsn'] }],
      'report: formats.0: expected one of html, md, json, csv, svg, png, got "jsn" (did you mean "json"?)',
    ],
    ['report', [out, null], /^report takes an object with the keys .*; got null$/u],
    ['report', [], 'expected the path of a folder or file, got undefined'],
    ['verify', [out, { sampel: 3 }], /unknown key "sampel" \(did you mean "sample"\?\)/u],
    ['run', [{ experiment, out, onProgress: 3 }], 'run: onProgress: expected a function'],
    ['run', [{ experiment, out, stop: 'no' }], /^run: stop: expected an AbortSignal/u],
    ['run', [{ experiment: { ...experiment, models: [] }, out }], /^an experiment needs models/u],
    ['plan', [{ experiment: { items: experiment.items } }], /^an experiment needs models/u],
    ['run', [{ experiment }], 'run: out: expected a text, got nothing'],
    ['task', [], 'expected the name of a task, got undefined'],
    ['initTask', [3], 'expected the name of a task, got number'],
    ['merge', ['parts', out], /^expected a list of folders/u],
    ['merge', [[out, folder], `${out}-merged`], `no such folder: ${out}`],
    ['revealExam', [], 'expected the path of a folder or file, got undefined'],
    ['reproduce', [''], 'expected the name of a table or figure, got an empty text'],
    ['compare', [out], /^expected a list of one run or two/u],
    ['import', ['relic'], 'import: out: expected a text, got nothing'],
    ['resume', [out, { retryErrors: 3 }], /^resume: retryErrors: expected true or false, got 3$/u],
    ['resume', [out, { errorCodes: ['timeout'] }], '--error-code: only with --retry-errors'],
    ['resume', [out, { repair: true, retryErrors: true }], /exclude one another$/u],
    ['resume', [out, { repair: true, maxUsd: 1 }], '--max-usd: --repair calls no model'],
    [
      'checkTask',
      ['relic/recognize', { preset: ['relic-demo'] }],
      /unknown key "preset" \(did you mean "presets"\?\)/u,
    ],
    ['serve', [{ port: 70_000 }], 'serve: port: expected a number of at most 65535, got 70000'],
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
    expect(await asked.run({ experiment, out, ...request })).toMatchObject({ status: 'completed' })
  })

  it('an error code that no call has is told, with those that there are', async () => {
    const failing = join(folder, 'failing')
    const models = [{ model: 'exec:/bin/false', name: 'false' }]
    await asked.run({ experiment: { ...experiment, models, limits: { retries: 0 } }, out: failing, canary: false })
    const [{ code }] = (await lab.resume(failing)).errors as unknown as [{ code: string }]
    await expect(lab.resume(failing, { retryErrors: true, errorCodes: [`${code}x`] })).rejects.toThrow(
      `(did you mean "${code}"?); it has ${code} (2)`,
    )
    expect(await lab.resume(out, { retryErrors: true, errorCodes: ['timeout'] })).toMatchObject({ retried: 0 })
  })
})
