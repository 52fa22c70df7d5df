import type { FileTree, ImportedResponse, ImportProblem } from '../../../core/importer.ts'
import { isArray, isObject } from '../../../core/json.ts'
import { keyOf, parsed, problem } from './records.ts'

/** `{dataset}_predictions/{label}_prompt:{PROMPT}_model:{model}[_parse:{PARSER}].json` */
const NAME =
  /(?:^|\/)([^/]{1,200})_predictions\/([^/]{0,200}?)_?prompt:([^/]{1,80}?)_model:([^/]{1,120}?)(?:_parse:([^/]{1,80}))?\.json$/

const LARGEST = 512 * 1024 * 1024

/**
 * The predictions of a release whose items are `known`. Files that hold a parser's reading instead of the model's words
 * (`_parse:`) are counted and left out: our parsers read the words themselves.
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
      yield problem('parsed-predictions', path, null, `holds what the parser ${parser} read, not responses; left out`)
      continue
    }
    if (bytes > LARGEST) {
      yield problem('unreadable-file', path, null, `larger than ${LARGEST} bytes`)
      continue
    }
    let text = ''
    for await (const piece of files.text(path)) text += piece
    const list = parsed(text)
    if (list === undefined || !isArray(list)) {
      yield problem('unreadable-file', path, null, 'expected a JSON list of {index, pred}')
      continue
    }
    let unknown = 0
    for (const entry of list) {
      const index = isObject(entry) ? Number(entry['index']) : Number.NaN
      const key = keyOf(dataset, index)
      if (!isObject(entry) || !known.has(key)) {
        unknown++
        continue
      }
      const exception = entry['exception']
      const prediction = entry['pred']
      if (typeof prediction !== 'string' || exception !== undefined) {
        yield problem(
          'no-response',
          path,
          index,
          `index ${index}: ${typeof exception === 'string' ? exception.slice(0, 200) : 'no text'}`,
        )
        continue
      }
      yield {
        kind: 'response',
        item: key,
        model,
        style: `published-${prompt.toLowerCase()}`,
        settings: {},
        sample: 0,
        text: prediction,
        finish: 'unknown',
      }
    }
    if (unknown > 0) yield problem('unknown-item', path, null, 'predictions for items that were not read', unknown)
  }
}
