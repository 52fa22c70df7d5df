import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import type { Figure, Table } from '../../../src/core/index.ts'
import { drawFigure } from '../../../src/report/figures/draw.ts'
import { figurePng, figureSvg } from '../../../src/report/index.ts'

const between = (value: number) => ({ value, low: value - 0.1, high: value + 0.1, n: 9, method: 'm' })
const table: Table = {
  id: 't',
  title: 'T',
  columns: [
    { key: 'x', label: 'x', kind: 'number' },
    { key: 'y', label: 'y', kind: 'estimate', unit: 'share' },
    { key: 'model', label: 'Model', kind: 'text' },
    { key: 'bin', label: 'Bin', kind: 'text' },
  ],
  rows: [1, 2, 4, 8, 16].flatMap((x) =>
    ['a', 'b', '</svg><script>'].map((model, k) => ({
      x,
      y: between(0.2 + k / 5 + x / 100),
      model,
      bin: `k${k}`,
      chance: 0.5,
    })),
  ),
}
const figure = (more: Partial<Figure>): Figure => ({
  id: 'f',
  title: 'A <figure>',
  table: 't',
  x: { key: 'x', label: 'Length', unit: 'tokens' },
  y: { key: 'y', label: 'Accuracy', unit: 'share' },
  marks: [{ kind: 'point', series: 'model' }],
  ...more,
})
const draw = async (more: Partial<Figure>, of: Table = table) => {
  const svg = await figureSvg(figure(more), [of])
  const { document } = new JSDOM(svg, { contentType: 'image/svg+xml' }).window
  expect(document.querySelector('parsererror')).toBeNull()
  return { svg, document, count: (selector: string) => document.querySelectorAll(selector).length }
}

describe('figures', () => {
  it('are the same bytes every time', async () => {
    const marks = [{ kind: 'interval', series: 'model' }, { kind: 'line', series: 'model' }, { kind: 'point' }] as const
    expect((await draw({ marks })).svg).toBe((await draw({ marks })).svg)
  })

  it('are well-formed XML that runs nothing, whatever the names', async () => {
    const { count, document, svg } = await draw({})
    expect(count('script')).toBe(0)
    expect(svg).not.toContain('</svg><script>')
    expect([...document.querySelectorAll('text')].map((t) => t.textContent)).toContain('</svg><script>')
    expect([...document.querySelectorAll('text')].map((t) => t.textContent)).toContain('A <figure>')
  })

  it('draw a dot a row, a line and a band a series, bars with whole intervals', async () => {
    expect((await draw({})).count('[aria-label="dot"] circle, [aria-label="dot"] path')).toBe(15)
    const joined = await draw({
      marks: [
        { kind: 'interval', series: 'model' },
        { kind: 'line', series: 'model' },
      ],
    })
    expect(joined.count('[aria-label="line"] path')).toBe(3)
    expect(joined.count('[aria-label="area"] path')).toBe(3)
    const apart = await draw({
      x: { key: 'bin', label: 'Bin', scale: 'category' },
      marks: [{ kind: 'interval', series: 'model' }],
    })
    expect(apart.count('[aria-label="rule"] line')).toBe(15)
  })

  it('break the intervals that rest on fewer than ten groups, and say so', async () => {
    const rows = table.rows.map((row, i) => ({ ...row, y: { ...between(0.5), groups: i % 3 === 0 ? 4 : 10 } }))
    const interval = { kind: 'interval', series: 'model' } as const
    const apart = await draw({ x: { key: 'bin', label: 'Bin' }, marks: [interval] }, { ...table, rows })
    expect(apart.count('[aria-label="rule"][stroke-dasharray="3 2"] line')).toBe(5)
    expect(apart.count('[aria-label="rule"]:not([stroke-dasharray]) line')).toBe(10)
    expect(apart.svg).toContain('interval over fewer than 10 groups')
    const joined = await draw({ marks: [interval, { kind: 'line', series: 'model' }] }, { ...table, rows })
    expect(joined.count('[aria-label="line"][stroke-dasharray="3 2"] path')).toBe(2)
    expect((await draw({ marks: [interval] })).svg).not.toContain('fewer than 10')
  })

  it('share axes run from 0 to 1, log axes have no non-positive points', async () => {
    const { document } = await draw({ x: { key: 'x', label: 'Length', scale: 'log' } })
    const ticks = [...document.querySelectorAll('[aria-label="y-axis tick label"] text')].map((t) => t.textContent)
    expect(ticks[0]).toBe('0')
    expect(ticks.at(-1)).toBe('1')
    const across = [...document.querySelectorAll('[aria-label="x-axis tick label"] text')].map((t) => t.textContent)
    expect(across).toEqual(['1', '2', '4', '8', '16'])
  })

  it('log axes label each value that has room', async () => {
    const limits = [2048, 3840, 5632, 7424, 9216, 12_800, 14_592, 16_384, 32_768, 65_536]
    const rows = limits.map((x, i) => ({ x, y: i / 10, model: 'a' }))
    const { document } = await draw({ x: { key: 'x', label: 'Limit', scale: 'log' } }, { ...table, rows })
    const across = [...document.querySelectorAll('[aria-label="x-axis tick label"] text')].map((t) => t.textContent)
    expect(across).toEqual(limits.map((at) => (at === 14_592 ? '' : String(at))))
  })

  it('facets are panels with labels, heat maps have a cell and a number each', async () => {
    const faceted = await draw({ facet: 'model', marks: [{ kind: 'point' }] })
    const labels = [...faceted.document.querySelectorAll('text')].map((t) => t.textContent)
    expect(labels).toEqual(expect.arrayContaining(['a', 'b']))
    const heat = await draw({
      x: { key: 'model', label: 'Model', scale: 'category' },
      y: { key: 'x', label: 'x', scale: 'category' },
      marks: [
        { kind: 'cell', series: 'y' },
        { kind: 'text', series: 'y' },
      ],
    })
    expect(heat.count('[aria-label="cell"] rect')).toBe(15)
    expect(heat.count('[aria-label="text"] text')).toBe(15)
  })

  it('panels stand two in a row where three would cut their names, however much room the models take', async () => {
    const rows = ['recoglab/comparison', 'recoglab/syllogism', 'relic/recognize', 'clutrr/kinship', 'slr/trains'].map(
      (task) => ({ task, model: 'openai-compatible:some-model-2026-01-01', y: between(0.5) }),
    )
    const { document } = await draw(
      {
        x: { key: 'y', label: 'Accuracy', unit: 'share' },
        y: { key: 'model', label: 'Model', scale: 'category' },
        facet: 'task',
        marks: [{ kind: 'point' }],
      },
      { ...table, rows },
    )
    const labels = [...document.querySelectorAll('text')].map((t) => t.textContent)
    expect(labels).toEqual(expect.arrayContaining(rows.map(({ task }) => task)))
  })

  it('panels stand fewer in a row where slanted names below them would lie on one another', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((model) =>
      Array.from({ length: 18 }, (_, k) => ({ bin: `daughter-in-law-${k}`, model, y: between(0.5) })),
    )
    const drawn = (levels: number) =>
      draw(
        { x: { key: 'bin', label: 'Relation', scale: 'category' }, facet: 'model', marks: [{ kind: 'point' }] },
        { ...table, rows: rows.filter(({ bin }) => Number(bin.split('-')[3]) < levels) },
      )
    const columns = async (levels: number) =>
      (await drawn(levels)).count('[aria-label="x-axis tick label"] text') / levels
    expect([await columns(6), await columns(18)]).toEqual([3, 2])
  })

  it('heat maps: ink that stands out on the fill, a legend, and a sign where no row is', async () => {
    const grid: Table = {
      ...table,
      columns: [
        { key: 'y', label: 'Accuracy', kind: 'estimate', unit: 'share' },
        { key: 'n', label: 'Items', kind: 'number' },
      ],
      // Two wrong items are pale though they are few, two right ones dark though they are fewer.
      rows: [
        { model: 'a', bin: 'k0', y: between(0), n: 40 },
        { model: 'a', bin: 'k1', y: between(1), n: 2 },
        { model: 'b', bin: 'k0', y: between(0.05), n: 3 },
        { model: 'b', bin: 'k1', y: null, n: 0 },
      ],
    }
    const axes = {
      x: { key: 'model', label: 'Model', scale: 'category' },
      y: { key: 'bin', label: 'Bin', scale: 'category' },
    } as const
    const marks = [
      { kind: 'cell', series: 'y' },
      { kind: 'text', series: 'y' },
      { kind: 'text', series: 'n' },
    ] as const
    const svg = await figureSvg(figure({ ...axes, marks }), [grid])
    const { document } = new JSDOM(svg, { contentType: 'image/svg+xml' }).window
    const layers = [...document.querySelectorAll('[aria-label="text"]')].map((layer) =>
      [...layer.querySelectorAll('text')].map((t) => [
        t.textContent,
        t.getAttribute('fill') ?? layer.getAttribute('fill'),
      ]),
    )
    const [dark, white] = ['#1c1c1c', '#ffffff']
    expect(layers).toEqual([
      [['\u2013', '#222222']],
      [
        ['0.00', dark],
        ['1.00', white],
        ['0.05', dark],
      ],
      [
        ['40', dark],
        ['2', white],
        ['3', dark],
      ],
    ])
    const fills = [...document.querySelectorAll('[aria-label="cell"] rect')].map((rect) => rect.getAttribute('fill'))
    expect(fills).toHaveLength(3)
    expect(fills).not.toContain('rgb(255, 255, 255)')
    const legend = [...document.querySelectorAll('svg > text')].map((t) => t.textContent)
    expect(legend).toEqual(expect.arrayContaining(['Accuracy: 0', '1; in cells: Accuracy, Items; \u2013 no rows']))
  })

  it('long names that differ late have panels and ticks of their own', async () => {
    const config = (edits: string) =>
      `g3, {languages=["g1","g2","g3","g4","g5"],examples=[1,2,4,8],repetitions=3,edits=${edits},tests=12,distances=[0,1,2,3]}`
    const long = {
      ...table,
      rows: ['substitute', 'delete'].map((edits) => ({ x: 1, y: 0.5, config: config(edits) })),
    }
    const drawn = async (more: Partial<Figure>) => {
      const svg = await figureSvg(figure({ marks: [{ kind: 'point' }], ...more }), [long])
      return [...new JSDOM(svg, { contentType: 'image/svg+xml' }).window.document.querySelectorAll('text')]
        .map((t) => t.textContent ?? '')
        .filter((text) => text.startsWith('g3'))
    }
    for (const names of [
      await drawn({ facet: 'config' }),
      await drawn({ y: { key: 'config', label: 'Config', scale: 'category' } }),
    ]) {
      expect(names).toHaveLength(2)
      expect(names[0]).toContain('edits=subst')
      expect(names[1]).toContain('edits=delete')
    }
  })

  it('a name of 80 characters beside a figure is cut to what has room there', async () => {
    const rows = ['a', 'b'].map((end) => ({ x: 0.5, y: 0.5, model: `provider/${'family-'.repeat(10)}${end}` }))
    const svg = await figureSvg(
      figure({ y: { key: 'model', label: 'Model', scale: 'category' }, marks: [{ kind: 'point' }] }),
      [{ ...table, rows }],
    )
    const { document } = new JSDOM(svg, { contentType: 'image/svg+xml' }).window
    const labels = [...document.querySelectorAll('text')].filter(({ textContent }) => textContent?.startsWith('prov'))
    expect(labels.map(({ textContent }) => (textContent ?? '').length)).toEqual([34, 34])
    for (const label of labels) {
      const at = Number(/translate\((?<x>[\d.]+)/u.exec(label.getAttribute('transform') ?? '')?.groups?.['x'])
      expect(at - 34 * 12 * 0.6).toBeGreaterThan(20)
    }
  })

  it('an incomplete last row of panels stands below the slanted names of the row above it', async () => {
    const heightOf = async (panels: number) => {
      const names = Array.from({ length: 6 }, (_, k) => `provider/family-${k}`)
      const rows = Array.from({ length: panels }, (_, k) =>
        names.map((bin) => ({ bin, y: 0.5, model: `m${k}` })),
      ).flat()
      const shown = { x: { key: 'bin', label: 'Bin', scale: 'category' }, facet: 'model' } as const
      const { document } = await draw({ ...shown, marks: [{ kind: 'point' }] }, { ...table, rows })
      return Number(document.documentElement.getAttribute('height'))
    }
    expect(await heightOf(3)).toBeGreaterThan((await heightOf(4)) + 40)
  })

  it('levels that are numbers go up, names follow', async () => {
    const mixed = { ...table, rows: ['10', 'none', '2', '1'].map((bin) => ({ bin, y: 0.5 })) }
    const svg = await figureSvg(
      figure({ x: { key: 'bin', label: 'Bin', scale: 'category' }, marks: [{ kind: 'point' }] }),
      [mixed],
    )
    const { document } = new JSDOM(svg, { contentType: 'image/svg+xml' }).window
    const ticks = [...document.querySelectorAll('[aria-label="x-axis tick label"] text')].map((t) => t.textContent)
    expect(ticks).toEqual(['1', '2', '10', 'none'])
  })

  it('numbers below 0 have a true minus sign on axes, in cells and in the legend, and names stay', async () => {
    const rows = [-2, -1].flatMap((x) => ['gpt-4', '-3'].map((bin) => ({ x, bin, gap: x / 4, y: 0.5, model: 'm' })))
    const below = { ...table, columns: [...table.columns, { key: 'gap', label: 'Gap', kind: 'number' } as const], rows }
    const { document } = await draw(
      {
        x: { key: 'x', label: 'Level', scale: 'category' },
        y: { key: 'bin', label: 'Bin', scale: 'category' },
        marks: [
          { kind: 'cell', series: 'gap' },
          { kind: 'text', series: 'gap' },
        ],
      },
      below,
    )
    const texts = [...document.querySelectorAll('text')].map((text) => text.textContent ?? '')
    expect(texts).toEqual(expect.arrayContaining(['−2', '−1', '−3', '−0.50', '−0.25', 'Gap: −0.5', 'gpt-4']))
    expect(texts.filter((text) => /^-|\s-\d/u.test(text))).toEqual([])
    const line = await draw({ x: { key: 'gap', label: 'Gap' }, marks: [{ kind: 'point' }] }, below)
    const ticks = [...line.document.querySelectorAll('text')].map((text) => text.textContent ?? '')
    expect(new Set(ticks.filter((text) => /^[-−]/u.test(text)).map((text) => text[0]))).toEqual(new Set('−'))
  })

  it('rules are drawn once a level, bars stack', async () => {
    const ruled = await draw({ marks: [{ kind: 'rule', y: 'chance' }, { kind: 'point' }] })
    expect(ruled.count('[aria-label="rule"] line')).toBe(1)
    const bars = await draw({
      x: { key: 'bin', label: 'Bin', scale: 'category' },
      marks: [{ kind: 'bar', series: 'model' }],
    })
    expect(bars.count('[aria-label="bar"] rect')).toBe(15)
  })

  it.each<Partial<Figure>>([
    { marks: [{ kind: 'interval', series: 'model' }, { kind: 'line', series: 'model' }, { kind: 'point' }] },
    {
      marks: [
        { kind: 'reference', y: 'chance' },
        { kind: 'point', series: 'model' },
      ],
      facet: 'model',
    },
    { x: { key: 'x', label: 'A "log" & more', scale: 'log' } },
    { x: { key: 'bin', label: 'Bin', scale: 'category' }, marks: [{ kind: 'bar', series: 'model' }] },
    {
      x: { key: 'bin', label: 'Bin', scale: 'category' },
      y: { key: 'model', label: 'Model', scale: 'category' },
      marks: [
        { kind: 'cell', series: 'y' },
        { kind: 'text', series: 'y' },
      ],
    },
  ])('are the same bytes in the document of a browser: %j', async (more) => {
    const { document } = new JSDOM('').window
    expect(await figureSvg(figure(more), [table])).toBe(drawFigure(figure(more), table, document))
  })

  it('become PNG at twice the size', async () => {
    const { svg, document } = await draw({})
    const png = await figurePng(svg)
    expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
    const view = new DataView(png.buffer, png.byteOffset)
    expect(view.getUint32(16)).toBe(2 * Number(document.documentElement.getAttribute('width')))
    expect(view.getUint32(20)).toBe(2 * Number(document.documentElement.getAttribute('height')))
  })

  it('says which table is missing', async () => {
    await expect(figureSvg(figure({ table: 'nowhere' }), [table])).rejects.toThrow('needs table nowhere, got t')
  })
})
