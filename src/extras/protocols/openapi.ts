import { z } from 'zod'
import { curriculumRequest, curriculumResponse } from './curriculum.ts'
import { errorBody, itemsAnswer, itemsRequest, scoreAnswer, scoreRequest, tasksAnswer } from './schemas.ts'

/** One route of the OpenAPI document. */
export interface Route {
  readonly method: 'get' | 'post'
  /** Variable parts as `{name}`. */
  readonly path: string
  readonly summary: string
  readonly body?: z.ZodType
  readonly answer?: z.ZodType
}

export const OWN_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/tasks',
    summary: 'Tasks, presets, styles and splits',
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
    summary: 'Scores of responses, by token',
    body: scoreRequest,
    answer: scoreAnswer,
  },
  {
    method: 'post',
    path: '/v1/curriculum',
    summary: 'The levels to draw next; the client keeps the state',
    body: curriculumRequest,
    answer: curriculumResponse,
  },
  { method: 'get', path: '/health', summary: 'Health check' },
  { method: 'get', path: '/metrics', summary: 'Counts and durations in the OpenMetrics text format' },
]

type Schemas = Map<string, unknown>

/** JSON Schema of a zod schema; its definitions go to the components of the document. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', shared: Schemas): unknown {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const placed = (one: object): unknown =>
    JSON.parse(JSON.stringify(one).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'))
  for (const [name, one] of Object.entries($defs)) shared.set(name, placed(one as object))
  return placed(rest)
}

/** The OpenAPI 3.1 document of the routes. `info.version` is the version of this interface, not of the package. */
export function openApi(routes: readonly Route[]): object {
  const paths: { [path: string]: { [method: string]: object } } = {}
  const schemas: Schemas = new Map()
  const json = (schema: z.ZodType, io: 'input' | 'output') => ({
    'application/json': { schema: schemaOf(schema, io, schemas) },
  })
  const refused = { description: 'Error, with its reason', content: json(errorBody, 'output') }
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
      description: 'Reasoning items by token, and verified rewards of responses.',
    },
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  }
}
