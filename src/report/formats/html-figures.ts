import { LONG, pagesOf } from '../figures/rows.ts'
import { withPageColours } from '../figures/theme.ts'
import { escapeHtml } from './html-text.ts'
import { fileName } from './values.ts'

/** Inline figures of a page by id, and the parts that several of them show, as one hidden element. */
export interface PageFigures {
  readonly figures: ReadonlyMap<string, string>
  readonly shared: string
}

/** Figures in the colours and the style of the page: axes, legends and frames that are alike stand once and are used by each. */
export function pageFigures(files: ReadonlyMap<string, string>): PageFigures {
  const shared: string[] = []
  const texts = [GROUP, SHAPE, USES].reduce<readonly string[]>(
    (all, pattern) => shareRepeated(all, pattern, shared),
    [...files.values()].map(compact),
  )
  return {
    figures: new Map([...files.keys()].map((id, i) => [id, texts[i] as string])),
    shared: shared.length === 0 ? '' : `<svg class="shared" aria-hidden="true">${shared.join('')}</svg>`,
  }
}

/** A group without groups. */
const GROUP = /<g\b[^<>]*>(?:(?!<\/?g\b).)*<\/g>/gu
/** A shape or a text. */
const SHAPE = /<(?:rect|circle|path|line)\b[^<>]*\/>|<text\b[^<>]*>(?:(?!<\/text>).)*<\/text>/gu
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
    const id = ` id="p${shared.length}"`
    shared.push(pattern === USES ? `<g${id}>${part}</g>` : part.replace(/^<\w+/u, `$&${id}`))
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
    .replace(/<svg class="plot[^>]*? y="([^"]*)">(.*)<\/svg>/su, '<g class="plot" transform="translate(0,$1)">$2</g>')
    .replaceAll(
      /rgb\((\d+), (\d+), (\d+)\)/gu,
      (_, ...parts) =>
        `#${parts
          .slice(0, 3)
          .map((part) => Number(part).toString(16).padStart(2, '0'))
          .join('')}`,
    )
    .replaceAll(' xmlns="http://www.w3.org/2000/svg"', '')
    .replace('<rect width="100%" height="100%" fill="var(--paper)"/>', '')
    .replace(/ role="img" aria-label="[^"]*"/u, '')
    .replaceAll(' font-family="inherit"', '')
    .replaceAll(/ (?:[xy][12]?|c[xy]|width|height|d|transform)="[^"]*"/gu, rounded)
    .replaceAll(' font-size="15" font-weight="bold" fill="var(--ink)"', ' class="title"')
    .replaceAll(' font-size="12" fill="var(--ink)"', ' class="key"')
    .replaceAll(' fill="var(--ink)"', '')
    .replaceAll(' fill="none" stroke="currentColor"', ' class="ticks"')
    .replaceAll(' stroke="currentColor" stroke-opacity="0.1"', ' class="grid"')
    .replaceAll(/ stroke-width="1.5" stroke-dasharray="(\d) (\d)"/gu, ' class="dash$1$2"')
    .replaceAll(' stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"', ' class="curve"')
    .replaceAll(
      /<g\b([^<>]*)>((?:<text y="[\d.]+em" transform="translate\([-\d.,]+\)"[^<>]*>[^<]*<\/text>)+)<\/g>/gu,
      textsOf,
    )
    .replaceAll(/<g>((?:(?!<\/?g\b).)*)<\/g>|<g [^<>]*><\/g>/gu, '$1')
    .replaceAll(/(?:<path transform="translate\([^()]*\)" d="M[^"]*"\/>){2,}/gu, onePath)
    .replaceAll(/(?:<line x1="[^"]*" x2="[^"]*" y1="[^"]*" y2="[^"]*"\/>){2,}/gu, oneLine)
    .replaceAll(/(?:<rect (?:(?:[xy]|width|height)="[^"]*" ?){4}(?:fill="[^"]*")?\/>){2,}/gu, pathsOfRects)
    .replaceAll(
      /<g fill="([^"]*)"((?: transform="[^"]*")?)><path d="((?:M[^M]*l2\.9,5l-2\.9,5l-2\.9,-5Z)+)"\/><\/g>/gu,
      diamonds,
    )
    .replaceAll(
      /<g fill="([^"]*)"((?: transform="[^"]*")?)>((?:<circle cx="[^"]*" cy="[^"]*" r="3"\/>)+)<\/g>/gu,
      (_, colour: string, place: string, dots: string) =>
        `<path class="spots" stroke="${colour}"${place} d="${dots.replaceAll(/<circle cx="([^"]*)" cy="([^"]*)" r="3"\/>/gu, 'M$1,$2h0')}"/>`,
    )

/** Diamonds of the second model: strokes so short that their square ends are all of them. */
const diamonds = (_: string, colour: string, place: string, d: string): string =>
  `<path class="spots m2" stroke="${colour}"${place} d="${d.replaceAll(/M([^,]*),([^l]*)[^M]*/gu, (_each, x, y) => `M${x},${tenths(Number(y) + 5)}l.1.1`)}"/>`

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
        const [across, down] = by.map(tenths)
        return across === 0 ? `v${down}` : down === 0 ? `h${across}` : `l${across},${down}`
      })
      return `M${tenths(Number(x) + Number(dx))},${tenths(Number(y) + Number(dy))}${lines}`
    },
  )
  return `<path d="${each.join('')}"/>`
}

/** Texts that are each in their place: by colour and line, a sign that repeats as one text. */
function textsOf(_: string, group: string, texts: string): string {
  const size = Number(/ font-size="([\d.]+)"/u.exec(group)?.[1] ?? 12)
  const each = [
    ...texts.matchAll(/ y="([\d.]+)em" transform="translate\(([-\d.]+),([-\d.]+)\)"([^<>]*)>([^<]*)<\/text>/gu),
  ].map(([, dy, x, y, rest = '', text = '']) => ({ x, y: tenths(Number(y) + size * Number(dy)), rest, text }))
  const byText = Map.groupBy(each, ({ rest, text }) => `${rest}>${text}`)
  const isSign = ({ rest, text }: (typeof each)[number]): boolean =>
    text.length === 1 && (byText.get(`${rest}>${text}`) ?? []).length > 2
  const signs = [...byText.values()].flatMap((same) => {
    const [{ rest, text }] = same as [(typeof each)[number]]
    const [xs, ys] = [same.map(({ x }) => x).join(' '), same.map(({ y }) => y).join(' ')]
    return same.every(isSign) ? [`<text x="${xs}" y="${ys}"${rest}>${text.repeat(same.length)}</text>`] : []
  })
  const others = each.filter((one) => !isSign(one))
  const lines = [...Map.groupBy(others, ({ y, rest }) => `<text y="${y}"${rest}>`)].map(([open, own]) => {
    const [only] = own
    return own.length === 1
      ? `${open.replace('<text', `<text x="${only?.x}"`)}${only?.text}</text>`
      : `${open}${own.map(({ x, text }) => `<tspan x="${x}">${text}</tspan>`).join('')}</text>`
  })
  return `<g${group}>${[...signs, ...lines].join('')}</g>`
}

const oneLine = (lines: string): string =>
  `<path d="${[...lines.matchAll(/x1="([^"]*)" x2="([^"]*)" y1="([^"]*)" y2="([^"]*)"/gu)]
    .map(([, x1, x2, y1, y2]) => `M${x1},${y1}${x1 === x2 ? `V${y2}` : y1 === y2 ? `H${x2}` : `L${x2},${y2}`}`)
    .join('')}"/>`

/** Bars, and cells of a heat map: those of one colour and width are one thick line from top to bottom of each. */
function pathsOfRects(rects: string): string {
  const each = [...rects.matchAll(/<rect ([^<>]*)\/>/gu)].map(([, attributes = '']) => {
    const found = [...attributes.matchAll(/(\w+)="([^"]*)"/gu)].map(([, name, value]) => [name, value])
    const { x, y, width, height, fill } = Object.fromEntries(found) as { readonly [name: string]: string }
    return fill === undefined
      ? { as: '', d: `M${x},${y}h${width}v${height}h-${width}z` }
      : {
          as: ` stroke="${fill}" stroke-width="${width}"`,
          d: `M${tenths(Number(x) + Number(width) / 2)},${y}v${height}`,
        }
  })
  return [...Map.groupBy(each, ({ as }) => as)]
    .map(([as, own]) => `<path${as} d="${own.map(({ d }) => d).join('')}"/>`)
    .join('')
}
