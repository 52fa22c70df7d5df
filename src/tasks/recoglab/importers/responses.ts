import { type FileTree, type ImportedResponse, type ImportProblem, importProblem } from '../../../core/importer.ts'
import { isArray, isObject, type Json, jsonOrNull } from '../../../core/json.ts'
import { wholeText } from '../../../core/lines.ts'
import { keyOf, wholeNumber } from './records.ts'

/** `{dataset}_predictions/{label}_prompt:{PROMPT}_model:{model}[_parse:{PARSER}].json` */
const NAME =
  /(?:^|\/)([^/]{1,200})_predictions\/([^/]{0,200}?)_?prompt:([^/]{1,80}?)_model:([^/]{1,120}?)(?:_parse:([^/]{1,80}))?\.json$/

/** A text longer than this may not fit into one string. */
const MAX = 256 * 1024 * 1024

/**
 * The predictions of a release whose items are `known`. Files that hold a parser's reading instead of the model's words
 * (`_parse:`) are counted and omitted: our parsers read the words themselves.
 */
export async function* readResponses(
  files: FileTree,
  known: ReadonlySet<string>,
): AsyncGenerator<ImportedResponse | ImportProblem> {
  for await (const { path, bytes } of files.list()) {
    const name = NAME.exec(path)
    if (name === null) continue
    const [, dataset, , prompt, model, parser] = name as unknown as readonly [
      string,
      string,
      string,
      string,
      string,
      string | undefined,
    ]
    if (parser !== undefined) {
      yield importProblem(
        'parsed-predictions',
        path,
        null,
        `holds predictions of the parser ${parser}, not responses; skipped`,
      )
      continue
    }
    const text = bytes > MAX ? null : await wholeText(files.text(path), MAX)
    if (text === null) {
      yield importProblem('unreadable-file', path, null, `larger than ${MAX} bytes`)
      continue
    }
    const list = jsonOrNull(text)
    if (!isArray(list)) {
      yield importProblem('unreadable-file', path, null, 'expected a JSON list of {index, pred}')
      continue
    }
    const { newest, unknown, repeated } = byItem(list, dataset, known)
    for (const [key, prediction] of newest) {
      if (prediction.kind === 'failed') {
        yield importProblem('no-response', path, null, `${key}: ${prediction.why}`)
        continue
      }
      yield {
        kind: 'response',
        item: key,
        model,
        style: `published-${prompt.toLowerCase()}`,
        settings: {},
        sample: 0,
        text: prediction.text,
        finish: 'unknown',
      }
    }
    const missing = [...known].filter((key) => key.startsWith(`${dataset}/`) && !newest.has(key)).length
    for (const [kind, message, count] of [
      ['unknown-item', 'predictions for items that were not read', unknown],
      ['repeated-prediction', 'predictions for an item that has another one; the newest with text counts', repeated],
      ['missing-prediction', 'items that were read have no prediction', missing],
    ] as const)
      if (count > 0) yield importProblem(kind, path, null, message, count)
  }
}

type Prediction = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'failed'; readonly why: string }

/** The newest prediction with text for each item, as the original merges repeated calls. */
function byItem(list: readonly Json[], dataset: string, known: ReadonlySet<string>) {
  const newest = new Map<string, Prediction>()
  let unknown = 0
  let repeated = 0
  for (const entry of list) {
    const index = isObject(entry) ? wholeNumber(entry['index']) : null
    const key = index === null ? '' : keyOf(dataset, index)
    if (!isObject(entry) || !known.has(key)) {
      unknown++
      continue
    }
    const prediction = predictionOf(entry)
    if (newest.has(key)) repeated++
    if (prediction.kind === 'text' || !newest.has(key)) newest.set(key, prediction)
  }
  return { newest, unknown, repeated }
}

function predictionOf({ pred, exception }: { readonly [key: string]: Json }): Prediction {
  if ((exception ?? '') !== '') return { kind: 'failed', why: String(exception).slice(0, 200) }
  return typeof pred === 'string' ? { kind: 'text', text: pred } : { kind: 'failed', why: 'no text' }
}
