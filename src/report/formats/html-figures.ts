import { LONG, pagesOf } from '../figures/rows.ts'
import { withPageColours } from '../figures/theme.ts'
import { escapeHtml } from './html-text.ts'
import { fileName } from './names.ts'

/** Inline figures of a page by id, and the parts that several of them show, as one hidden element. */
export interface PageFigures {
  readonly figures: ReadonlyMap<string, string>
  readonly shared: string
}

/** Figures in the colours and the style of the page: axes, legends and frames that are alike stand once and are used by each. */
export function pageFigures(files: ReadonlyMap<string, string>): PageFigures {
  const shared: string[] = []
  const parts = shareRepeated([...files.values()].map(compact), PART, shared)
  const texts = shareRepeated(parts, USES, shared)
  return {
    figures: new Map([...files.keys()].map((id, i) => [id, texts[i] as string])),
    shared: shared.length === 0 ? '' : `<svg class="shared" aria-hidden="true">${shared.join('')}</svg>`,
  }
}

/** A group without groups, a shape or a text. */
const PART =
  /<g\b[^<>]*>(?:(?!<\/?g\b).)*<\/g>|<(?:rect|circle|path|line)\b[^<>]*\/>|<text\b[^<>]*>(?:(?!<\/text>).)*<\/text>/gu
const USES = /(?:<use href="#p\d+"\/>){2,}/gu
/** Characters that a shared part must save. */
const MIN_SAVED = 60

/** Replaces what matches in several places; appends it to `shared`. */
function shareRepeated(texts: readonly string[], pattern: RegExp, shared: string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) for (const [part] of text.matchAll(pattern)) counts.set(part, (counts.get(part) ?? 0) + 1)
  const uses = new Map<string, string>()
  for (const [part, count] of counts) {
    const use = `<use href="#p${shared.length}"/>`
    if (count < 2 || (part.length - use.length) * (count - 1) < MIN_SAVED) continue
    shared.push(`<g id="p${shared.length}">${part}</g>`)
    uses.set(part, use)
  }
  return texts.map((text) => text.replaceAll(pattern, (part) => uses.get(part) ?? part))
}

/** In print two figures fit on a page; a tall one takes a page, a long one is cut between its rows over several. */
export function figureHtml(id: string, title: string, svg: string): string {
  const start =
    /^<svg[^>]* width="(?<width>[\d.]+)" height="(?<height>[\d.]+)"[^>]*?(?: data-cuts="(?<cuts>[\d ]+)")?>/u.exec(svg)
  const [width, height] = [Number(start?.groups?.['width']), Number(start?.groups?.['height'])]
  const { cuts } = start?.groups ?? {}
  const open = (shape: string): string => `<figure${shape} role="img" tabindex="0" aria-label="${escapeHtml(title)}">`
  if (start === null || cuts === undefined)
    return `${open(height > LONG * width ? ' class="long"' : height > width ? ' class="tall"' : '')}${svg}</figure>`
  const name = `drawing-${fileName(id)}`
  const whole = svg.replace(start[0], `${start[0]}<g id="${name}">`).replace(/<\/svg>\s*$/u, '</g></svg>')
  const pages = pagesOf(cuts.split(' ').map(Number), { width, height }).map(
    ({ from, to }) =>
      `<svg class="page" viewBox="0 ${from} ${width} ${to - from}" aria-hidden="true"><use href="#${name}"/></svg>`,
  )
  return `${open(' class="long cut"')}${whole}${pages.join('')}</figure>`
}

/** The same drawing in fewer bytes: the figure is labelled and not its marks, and marks that are alike are one path. */
const compact = (svg: string): string =>
  withPageColours(svg)
    .replaceAll(/(<(?:g|rect)\b[^<>]*?) aria-label="[^"]*"/gu, '$1')
    .replaceAll(' aria-hidden="true"', '')
    .replaceAll(/<(line|path|rect|circle|use|image)\b([^<>]*)><\/\1>/gu, '<$1$2/>')
    .replaceAll(/<style>[^<]*<\/style>/gu, '')
    .replaceAll(/<svg class="plot[^>]*?( width=[^>]*?) style="[^"]*"[^>]*?( y="[^"]*")?>/gu, '<svg class="plot"$1$2>')
    .replaceAll(' xmlns="http://www.w3.org/2000/svg"', '')
    .replace(/ role="img" aria-label="[^"]*"/u, '')
    .replaceAll(' font-family="inherit"', '')
    .replaceAll(/ (?:[xy][12]?|c[xy]|width|height|d|transform)="[^"]*"/gu, rounded)
    .replaceAll(' stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"', ' class="curve"')
    .replaceAll(
      /<text( x="[^"]*")? y="(?<dy>[\d.]+em)" transform="translate\((?<x>[-\d.]+),(?<y>[-\d.]+)\)"(?<rest>[^<>]*)>(?<text>[^<]*)<\/text>/gu,
      (whole, dx: string | undefined, dy: string, x: string, y: string, rest: string, text: string) =>
        dx === undefined ? `<text x="${x}" y="${y}" dy="${dy}"${rest}>${text}</text>` : whole,
    )
    .replaceAll(/(?:<path transform="translate\([^()]*\)" d="M[^"]*"\/>){2,}/gu, onePath)
    .replaceAll(/(?:<line x1="[^"]*" x2="[^"]*" y1="[^"]*" y2="[^"]*"\/>){2,}/gu, oneLine)
    .replaceAll(/(?:<rect x="[^"]*" width="[^"]*" y="[^"]*" height="[^"]*" fill="[^"]*"\/>){2,}/gu, pathsOfRects)
    .replaceAll(
      /<g fill="([^"]*)"((?: transform="[^"]*")?)>((?:<circle cx="[^"]*" cy="[^"]*" r="3"\/>)+)<\/g>/gu,
      (_, colour: string, place: string, dots: string) =>
        `<path class="spots" stroke="${colour}"${place} d="${dots.replaceAll(/<circle cx="([^"]*)" cy="([^"]*)" r="3"\/>/gu, 'M$1,$2h0')}"/>`,
    )

/** Tenths of a pixel are enough on a page. */
const rounded = (attribute: string): string =>
  attribute.includes('em"')
    ? attribute
    : attribute.replaceAll(/-?\d+\.\d+/gu, (number) => String(tenths(Number(number))))

const tenths = (number: number): number => Number(number.toFixed(1))

/** Marks or ticks, each a polygon around its place. */
const onePath = (paths: string): string => {
  const each = [...paths.matchAll(/translate\(([^(),]*),([^()]*)\)" d="M([^,"]*),([^LhZ"]*)([^"]*)"/gu)].map(
    ([, x, y, dx, dy, rest = '']) => {
      let last = [Number(dx), Number(dy)]
      const lines = rest.replaceAll(/L([^,LZ]*),([^LZ]*)/gu, (_, toX: string, toY: string) => {
        const by = [Number(toX) - (last[0] as number), Number(toY) - (last[1] as number)]
        last = [Number(toX), Number(toY)]
        return `l${by.map(tenths).join(',')}`
      })
      return `M${tenths(Number(x) + Number(dx))},${tenths(Number(y) + Number(dy))}${lines}`
    },
  )
  return `<path d="${each.join('')}"/>`
}

const oneLine = (lines: string): string =>
  `<path d="${[...lines.matchAll(/x1="([^"]*)" x2="([^"]*)" y1="([^"]*)" y2="([^"]*)"/gu)]
    .map(([, x1, x2, y1, y2]) => `M${x1},${y1}${x1 === x2 ? `V${y2}` : y1 === y2 ? `H${x2}` : `L${x2},${y2}`}`)
    .join('')}"/>`

/** Cells of a heat map by colour. */
function pathsOfRects(rects: string): string {
  const each = [...rects.matchAll(/<rect ([^<>]*) fill="([^"]*)"\/>/gu)]
  const paths = Map.groupBy(each, ([, , fill]) => fill as string)
  return [...paths]
    .map(([fill, cells]) => {
      const d = cells.map(([, place = '']) => {
        const [x, width, y, height] = place.match(/-?\d*\.?\d+/gu) ?? []
        return `M${x},${y}h${width}v${height}h-${width}z`
      })
      return `<path fill="${fill}" d="${d.join('')}"/>`
    })
    .join('')
}
