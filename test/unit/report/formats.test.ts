import { JSDOM } from 'jsdom'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Figure, Table } from '../../../src/core/index.ts'
import {
  csvTable,
  figureSvg,
  htmlPage,
  jsonReport,
  makeReport,
  markdownReport,
  markdownTable,
  plainTable,
  type Report,
  shortNumber,
} from '../../../src/report/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask } from './invented.ts'

const table: Table = {
  id: 'x/y',
  title: 'A table',
  columns: [
    { key: 'name', label: 'Name', kind: 'text' },
    { key: 'n', label: 'Count', kind: 'number' },
    { key: 'share', label: 'Share', kind: 'estimate', unit: 'share' },
  ],
  rows: [
    { name: 'plain', n: 3, share: { value: 0.5, low: 0.25, high: 0.75, n: 8, method: 'm' } },
    { name: '=HYPERLINK("http://x")|<img src=x>', n: -1234.5, share: null },
    { name: 'two\nlines\u001b[31m \u202Eabc', n: null, share: null },
  ],
}

describe('numbers for reading', () => {
  it('keeps whole numbers whole and small p values apart from zero', () => {
    expect([0, 12, -3, 0.5, 12.345, 1234.56, 0.00042, 3e-9, 7654321.5].map(shortNumber)).toEqual([
      '0',
      '12',
      '-3',
      '0.500',
      '12.35',
      '1234.6',
      '0.00042',
      '3.0e-9',
      '7654322',
    ])
  })
})

describe('the title', () => {
  const unnamed: Report = {
    schema: 'touchstone/report/1',
    run: 'runs/2026_a',
    rows: 1,
    parser: 'strict',
    tasks: [],
    verdict: null,
    headline: [],
    analyses: [],
    skipped: [],
  }
  const page = (report: Report) =>
    new JSDOM(htmlPage(report, { mostRows: 50, csv: false, svg: false, figures: new Map() })).window.document
  const markdown = (report: Report) =>
    markdownReport(report, { mostRows: 50, csv: false, svg: false }).trim().split('\n\n')

  it('is the name of the run, with its folder below it', () => {
    const report = { ...unnamed, name: 'few <shots>' }
    expect([page(report).title, page(report).querySelector('h1')?.textContent]).toEqual([
      'Report: few <shots>',
      'Report: few <shots>',
    ])
    expect(page(report).querySelector('header code')?.textContent).toBe('runs/2026_a')
    expect(markdown(report).slice(0, 2)).toEqual(['# Report: few &lt;shots&gt;', 'runs/2026_a'])
  })

  it('is the folder of a run without a name, which then stands there once', () => {
    expect(page(unnamed).title).toBe('Report: runs/2026_a')
    expect(page(unnamed).querySelector('header code')).toBeNull()
    expect(markdown(unnamed).slice(0, 2)).toEqual(['# Report: runs/2026_a', '1 row, strict parser.'])
  })
})

describe('numbers below 0', () => {
  const below: Table = {
    ...table,
    rows: [
      { name: 'gpt-4 -7', n: -1234.5, share: { value: -0.5, low: -0.75, high: 0.25, n: 8, method: 'm' } },
      { name: 'lr 1e-5', n: 3e-9, share: null },
    ],
  }
  const report: Report = {
    schema: 'touchstone/report/1',
    run: 'run',
    rows: 1,
    parser: 'strict',
    tasks: [],
    verdict: null,
    headline: ['gpt-4 differs by -0.500 [-0.750, 0.250].'],
    analyses: [
      { id: 'x', title: 'X', question: 'accuracy', task: null, source: null, notes: [], tables: [below], figures: [] },
    ],
    skipped: [],
  }

  it('have a true minus sign on the page, and in names nothing is changed', () => {
    const { document } = new JSDOM(htmlPage(report, { mostRows: 50, csv: false, svg: false, figures: new Map() }))
      .window
    expect([...document.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual([
      'gpt-4 -7',
      '\u22121234.5',
      '\u22120.500 [\u22120.750, 0.250] n 8',
      'lr 1e-5',
      '3.0e\u22129',
      '',
    ])
    expect(document.querySelector('.headline')?.textContent).toBe('gpt-4 differs by \u22120.500 [\u22120.750, 0.250].')
  })

  it('keep the hyphen where programs read them', () => {
    for (const text of [markdownTable(below), plainTable(below), csvTable(below), jsonReport(report)]) {
      expect(text).toContain('-1234.5')
      expect(text).not.toContain('\u2212')
    }
  })
})

describe('plain text', () => {
  it('lines up, numbers to the right, and holds nothing a terminal would obey', () => {
    const text = plainTable(table)
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(2 + table.rows.length)
    expect(lines[0]).toMatch(/^Name +Count +Share$/)
    expect(lines[2]).toContain('0.500 [0.250, 0.750]')
    expect(text).not.toMatch(/[^\n\P{C}]/u)
    expect(lines[2]?.indexOf('3')).toBe((lines[0]?.indexOf('Count') as number) + 4)
  })
})

describe('Markdown', () => {
  it('text cannot leave its cell', () => {
    const lines = markdownTable(table).trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    for (const line of lines) expect(line.match(/(?<!\\)\|/g)).toHaveLength(4)
    expect(lines[3]).toContain('&lt;img src=x&gt;')
    expect(lines[1]).toBe('| --- | ---: | ---: |')
  })
})

describe('CSV', () => {
  it('has full precision, four columns an estimate, quoting, and no formulas', () => {
    expect(csvTable(table)).toBe(
      [
        'name,n,share,share_low,share_high,share_n',
        'plain,3,0.5,0.25,0.75,8',
        `"'=HYPERLINK(""http://x"")|<img src=x>",-1234.5,,,,`,
        '"two\nlines\\u{1b}[31m \\u{202e}abc",,,,,',
        '',
      ].join('\n'),
    )
  })
})

describe('the whole report', () => {
  let report: Report
  beforeAll(async () => {
    const frames = await framesFromRows(inventedRows(200))
    report = makeReport({ run: '</title><script>alert(1)</script>', frames, tasks: [inventedTask()] })
  })

  it('as JSON has the documented shape', () => {
    const parsed = JSON.parse(jsonReport(report)) as Report
    expect(parsed.schema).toBe('touchstone/report/1')
    expect(parsed.analyses.length).toBeGreaterThan(3)
    for (const analysis of parsed.analyses) {
      expect(Object.keys(analysis)).toEqual(expect.arrayContaining(['id', 'title', 'source', 'tables', 'figures']))
      for (const { columns, rows } of analysis.tables) {
        for (const column of columns)
          expect(column).toMatchObject({ key: expect.any(String), label: expect.any(String) })
        for (const row of rows) for (const key of Object.keys(row)) expect(columns.map((c) => c.key)).toContain(key)
      }
    }
  })

  it('as HTML runs nothing, loads nothing, and shows hostile names as text', () => {
    const html = htmlPage(report, { mostRows: 50, csv: true, svg: true, figures: new Map() })
    const { document } = new JSDOM(html, { runScripts: 'outside-only' }).window
    expect(document.querySelectorAll('script, img, link, iframe, object')).toHaveLength(0)
    // A model is named `=weak|<b>one`.
    expect([...document.querySelectorAll('b')].map(({ textContent }) => textContent)).not.toContain('one')
    expect(document.querySelector('h1')?.textContent).toContain('<script>')
    expect(document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')).toContain(
      "default-src 'none'",
    )
    for (const link of document.querySelectorAll('a')) expect(link.getAttribute('href')).toMatch(/^(#|tables\/)/)
    const cells = [...document.querySelectorAll('td')].map((cell) => cell.textContent)
    expect(cells).toContain('=weak|<b>one')
    const ids = [...document.querySelectorAll('section[id]')].map((section) => section.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('as HTML lets names go on in the next line behind their signs, and only what has none anywhere', () => {
    const [first] = report.analyses
    const table = {
      id: 't',
      title: 'T',
      columns: [{ key: 'name', label: 'Name', kind: 'text' }],
      rows: [{ name: 'recoglab/comparison at 0.25' }, { name: 'averyveryverylongunbrokenname' }],
    }
    const figure = { ...first?.figures[0], id: 'f', title: 'high' }
    const analyses = [{ ...first, figures: [figure], tables: [table] }] as unknown as Report['analyses']
    const figures = new Map([['f', '<svg xmlns="" width="760" height="900"></svg>']])
    const html = htmlPage({ ...report, analyses }, { mostRows: 50, csv: false, svg: false, figures })
    expect(html).toContain('<td>recoglab/<wbr>comparison at 0.25')
    expect(html).toContain('<td class="run-on">averyveryverylongunbrokenname')
    expect(html).toContain('<figure class="tall"')
    const long = new Map([['f', '<svg xmlns="" width="760" height="4000"></svg>']])
    const strip = htmlPage({ ...report, analyses }, { mostRows: 50, csv: false, svg: false, figures: long })
    expect(strip).toContain('<figure class="long"')
    // On paper it goes on over pages, as wide as one.
    expect(strip).toContain('figure.long>svg{max-height:none}')
  })

  it('as HTML shows once what figures share, and each still draws it', () => {
    const [first] = report.analyses
    const ids = ['f', 'g']
    const axis = `<g><path d="M0,0L${'1,1L'.repeat(30)}2,2"></path></g>`
    const figures = new Map(ids.map((id) => [id, `<svg width="9" height="9">${axis}<text>${id}</text></svg>`]))
    const named = ids.map((id) => ({ ...first?.figures[0], id, title: id }))
    const analyses = [{ ...first, figures: named, tables: [] }] as unknown as Report['analyses']
    const html = htmlPage({ ...report, analyses }, { mostRows: 50, csv: false, svg: false, figures })
    const { document } = new JSDOM(html).window
    expect(html.split('1,1L1,1L1,1L').length - 1).toBeLessThan(15)
    for (const figure of document.querySelectorAll('figure')) {
      const used = figure.querySelector('use')?.getAttribute('href') ?? ''
      expect(document.querySelector(used)?.getAttribute('d')).toContain('1,1L')
      expect(figure.querySelector('text')?.textContent).toBe(figure.getAttribute('aria-label'))
    }
  })

  it.each([
    ['levels', { y: { key: 'name', label: 'Name', scale: 'category' } }],
    ['panels', { y: { key: 'v', label: 'Share' }, facet: 'name' }],
  ] as const)('as HTML a long figure of many %s goes on over pages of paper, each of whole rows', async (_, more) => {
    const [first] = report.analyses
    const rows = Array.from({ length: 80 }, (_, i) => ({ name: `name ${i}`, v: i / 80 }))
    const table = { id: 't', title: 'T', columns: [], rows }
    const figure = {
      id: 'f',
      title: 'F',
      table: 't',
      x: { key: 'v', label: 'Share' },
      ...more,
      marks: [{ kind: 'point' }],
    }
    const svg = await figureSvg(figure as unknown as Figure, [table])
    const analyses = [{ ...first, figures: [figure], tables: [] }] as unknown as Report['analyses']
    const html = htmlPage(
      { ...report, analyses },
      { mostRows: 5, csv: false, svg: false, figures: new Map([['f', svg]]) },
    )
    const height = Number(/height="(\d+)"/u.exec(svg)?.[1])
    const pages = [...html.matchAll(/<svg class="page" viewBox="0 (\d+) 760 (\d+)"/gu)].map((one) =>
      one.slice(1).map(Number),
    )
    expect(pages.length).toBeGreaterThan(1)
    let end = 0
    for (const [from = -1, tall = 0] of pages) {
      expect(from).toBe(end)
      expect(tall).toBeLessThan(1000)
      end = from + tall
    }
    expect(end).toBe(height)
    // No name of a level or panel is cut: none stands where a page ends.
    const texts = [...new JSDOM(svg).window.document.querySelectorAll('text')]
    const names = texts.filter(({ textContent }) => /^name \d+$/u.test(textContent)).map(heightOf)
    expect(names).toHaveLength(80)
    for (const [from = 0] of pages.slice(1)) for (const y of names) expect(Math.abs(y - from)).toBeGreaterThan(6)
  })

  it('as HTML stays a page that opens: what a very large one leaves out is said, with where it is', () => {
    const [first] = report.analyses
    const [table] = first?.tables ?? []
    if (first === undefined || table === undefined) throw new Error('nothing to enlarge')
    const rows = Array.from({ length: 500 }, (_, i) => table.rows[i % table.rows.length] ?? {})
    const svgOf = (id: string): string =>
      `<svg><path d="${'M0,0'.repeat(25_000)}" id="${id}"></path><path><title>kept whole</title></path></svg>`
    const figures = Array.from({ length: 12 }, (_, i) => ({ ...first.figures[0], id: `f/${i}`, title: `drawing ${i}` }))
    const large = Array.from({ length: 8 }, (_, i) => ({
      ...first,
      id: `core/large-${i}`,
      tables: [{ ...table, rows }],
      figures: figures.map((figure) => ({ ...figure, id: `${figure.id}-${i}` })),
    })) as unknown as Report['analyses']
    const drawn = new Map(large.flatMap((one) => one.figures.map(({ id }) => [id, svgOf(id)] as const)))
    const page = htmlPage({ ...report, analyses: large }, { mostRows: 500, csv: true, svg: true, figures: drawn })
    expect(page.length).toBeLessThan(3_000_000)
    const { document } = new JSDOM(page).window
    expect(document.querySelectorAll('figure')).toHaveLength(8 * 3)
    expect(document.querySelector('figure title')?.textContent).toBe('kept whole')
    expect(document.body.textContent).toContain('475 more rows in the CSV file')
    expect(document.body.textContent).toContain('9 more figures are not on this page')
    expect(document.querySelector('a[href="figures/f-11-7.svg"]')?.textContent).toBe('drawing 11')
  })

  it('as Markdown says how many rows are elsewhere', () => {
    const text = markdownReport(report, { mostRows: 5, csv: true, svg: true })
    expect(text).toMatch(/more rows in \[core-confusion\.csv\]\(tables\/core-confusion\.csv\)/)
    expect(text).toContain('![Accuracy with 95 % CIs](figures/core-accuracy.svg)')
    expect(text).not.toMatch(/<script|<b>/)
  })
})

/** Pixels down to what stands in a drawing. */
function heightOf(element: Element): number {
  const down = Number(/translate\([-\d.]+,([-\d.]+)\)/u.exec(element.getAttribute('transform') ?? '')?.[1] ?? 0)
  const own = element.tagName === 'svg' ? Number(element.getAttribute('y') ?? 0) : 0
  return down + own + (element.parentElement === null ? 0 : heightOf(element.parentElement))
}
