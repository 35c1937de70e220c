// Operations of an OpenAPI document, as parts of a page.
import { code, json, table } from './markdown.ts'
import { fieldTables, type Schema, typeText } from './schema-tables.ts'

interface Media {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: { readonly error: { readonly message: string } } }>>
}
type Content = Readonly<Record<string, Media>>
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
export interface Operation {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>
}

/** Inserts each schema without a section on the page at the places that refer to it. */
export function withInlineParts(document: Document, isSection: (name: string) => boolean): Document {
  const { schemas } = document.components
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...rest } = node as { readonly $ref?: unknown }
    const name = typeof $ref === 'string' ? $ref.replace(/.*\//, '') : undefined
    if (name !== undefined && !isSection(name)) return inline({ ...schemas[name], ...rest })
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value)]))
  }
  return inline(document) as Document
}

/** Every operation with its method and path, in the order of the document. */
export function operationsOf({ paths }: Document): [heading: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
}

export function parameterTable(title: string, kind: string, { parameters = [] }: Operation): string[] {
  const rows = parameters
    .filter((one) => one.in === kind)
    .map((one) => [
      code(one.name),
      typeText(one.schema),
      one.required === true ? 'required' : '',
      one.description ?? '',
    ])
  return rows.length === 0 ? [] : [table([title, 'type', '', 'what it is'], rows)]
}

export function bodyTables({ requestBody }: Operation): string[] {
  if (requestBody === undefined) return []
  const { schema = {} } = requestBody.content['application/json'] ?? {}
  return fieldTables(requestBody.required ? 'Body' : 'Body (may be left out)', schema)
}

export function bodyExample({ requestBody }: Operation): string[] {
  const example = requestBody?.content['application/json']?.example
  return example === undefined ? [] : [json(example)]
}

/** The successful responses with their schemas, or with the media type if it is not JSON. */
export function answersText({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, { description, content }]) => {
      const [[media, { schema = {} }] = ['', {} as Media]] = Object.entries(content ?? {})
      const what = media === '' ? 'no body' : media === 'application/json' ? typeText(schema) : code(media)
      return `- **${status}** ${what}${what.startsWith(`[${description}]`) ? '' : `: ${description}`}`
    })
    .join('\n')
}

export function refusalTable({ responses }: Operation): string[] {
  const rows = Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(([name, { value }]) => [
      status,
      code(name),
      value.error.message,
    ]),
  )
  return rows.length === 0 ? [] : [table(['refused with', 'code', 'default message'], rows)]
}
