import { z } from 'zod'
import { curriculumAnswer, curriculumRequest } from './curriculum.ts'
import { itemsAnswer, itemsRequest, problem, scoreAnswer, scoreRequest, tasksAnswer } from './schemas.ts'

/** One route, as the document tells of it. */
export interface Route {
  readonly method: 'get' | 'post'
  /** With `{name}` for what varies. */
  readonly path: string
  readonly summary: string
  readonly body?: z.ZodType
  readonly answer?: z.ZodType
}

export const OWN_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/tasks',
    summary: 'Which tasks, presets, styles and splits there are',
    answer: tasksAnswer,
  },
  {
    method: 'post',
    path: '/v1/items',
    summary: 'Items by task, preset or config, split, seed and index',
    body: itemsRequest,
    answer: itemsAnswer,
  },
  {
    method: 'post',
    path: '/v1/score',
    summary: 'Scores of answers, by token',
    body: scoreRequest,
    answer: scoreAnswer,
  },
  {
    method: 'post',
    path: '/v1/curriculum',
    summary: 'Which levels come next; the state stays with the client',
    body: curriculumRequest,
    answer: curriculumAnswer,
  },
  { method: 'get', path: '/health', summary: 'Is the server there?' },
  { method: 'get', path: '/metrics', summary: 'Counts and durations in the OpenMetrics text format' },
]

type Schemas = Map<string, unknown>

/** A schema whose definitions, which it names from the root of a document, stand where those of this document do. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', shared: Schemas): unknown {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const placed = (one: object): unknown =>
    JSON.parse(JSON.stringify(one).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'))
  for (const [name, one] of Object.entries($defs)) shared.set(name, placed(one as object))
  return placed(rest)
}

/** The OpenAPI 3.1 document of these routes. `info.version` is that of the interface, not of the package. */
export function openApi(routes: readonly Route[]): object {
  const paths: { [path: string]: { [method: string]: object } } = {}
  const schemas: Schemas = new Map()
  const json = (schema: z.ZodType, io: 'input' | 'output') => ({
    'application/json': { schema: schemaOf(schema, io, schemas) },
  })
  const refused = { description: 'What was asked for cannot be done, and why', content: json(problem, 'output') }
  for (const { method, path, summary, body, answer } of routes) {
    const parameters = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    paths[path] = {
      ...paths[path],
      [method]: {
        summary,
        ...(parameters.length === 0 ? {} : { parameters }),
        ...(body === undefined ? {} : { requestBody: { required: true, content: json(body, 'input') } }),
        responses: {
          200: { description: 'Done', ...(answer === undefined ? {} : { content: json(answer, 'output') }) },
          ...(method === 'post' ? { '4XX': refused } : {}),
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'touchstone serve',
      version: '1.0.0',
      description: 'Reasoning items by token, and verified rewards for answers to them.',
    },
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  }
}
