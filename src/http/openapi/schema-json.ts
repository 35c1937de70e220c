// Converts zod schemas to the JSON Schema of an OpenAPI document.
import * as z from 'zod'

export type Json = { readonly [key: string]: unknown }

export type Schemas = { readonly [name: string]: z.ZodType }

const COMPONENTS = '#/components/schemas/'

export interface SchemaWriter {
  /** Returns the reference to a schema with a name. */
  reference(schema: z.ZodType): Json
  /** Returns the JSON of a schema without a name: a header, or the parameters of a path or query. */
  inline(schema: z.ZodType): Json
  /** The schemas with a name: `components.schemas`. */
  readonly components: Json
}

/**
 * @param named the schemas with a name
 * @param unnamed the schemas that are written inline; the schemas inside them may have a name
 */
export function schemaWriter(named: Schemas, unnamed: readonly z.ZodType[]): SchemaWriter {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))
  const inlined = new Map([...new Set(unnamed)].map((schema, at) => [schema, `inline ${at}`]))
  const written = writeAll(new Map([...names, ...inlined]))
  return {
    reference(schema) {
      const name = names.get(schema)
      if (name === undefined) throw new Error('A body or a response has a schema without a name.')
      return { $ref: `${COMPONENTS}${name}` }
    },
    inline: (schema) => written[inlined.get(schema) ?? ''] ?? {},
    components: Object.fromEntries(Object.keys(named).map((name) => [name, written[name]])),
  }
}

function writeAll(ids: ReadonlyMap<z.ZodType, string>): { readonly [id: string]: Json } {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of ids) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    // For input, fields with a default are optional.
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `${COMPONENTS}${id}`,
    override: ({ zodSchema, jsonSchema }) => adapt(zodSchema, jsonSchema as MutableSchema, ids),
  })
  const entries = Object.entries(schemas).map(([id, { $schema, $id, ...json }]) => [id, splitTypes(json) as Json])
  return Object.fromEntries(entries)
}

interface MutableSchema {
  const?: unknown
  default?: unknown
  description?: string
  discriminator?: unknown
  minimum?: number
  maximum?: number
  propertyNames?: unknown
  prefixItems?: readonly unknown[]
  items?: unknown
  minItems?: number
  maxItems?: number
}

/** Rewrites keywords that generators of clients misread. */
function adapt(schema: z.core.$ZodType, json: MutableSchema, names: ReadonlyMap<z.ZodType, string>): void {
  describeDefault(json)
  if (json.minimum === Number.MIN_SAFE_INTEGER) {
    delete json.minimum
    // zod adds these two limits to every integer without limits. An amount has a minimum, so it keeps its maximum.
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  }
  // Every key of a JSON object is a string.
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') delete json.propertyNames
  // For a flag that can only be true, generators would write the value as a string.
  if (typeof json.const === 'boolean') delete json.const
  const { def } = schema._zod
  if (def.type === 'tuple') describeTuple(json)
  if (def.type === 'union' && 'discriminator' in def) describeUnion(schema as z.ZodDiscriminatedUnion, json, names)
}

/** Moves a default into the description, because generators make a field with the keyword `default` required. */
function describeDefault(json: MutableSchema): void {
  if (json.default === undefined) return
  const sentence = `Default ${JSON.stringify(json.default)}.`
  json.description = json.description === undefined ? sentence : `${json.description} ${sentence}`
  delete json.default
}

/** Writes a tuple as a list of fixed length and of one schema, because generators reject `items: false`. */
function describeTuple(json: MutableSchema): void {
  const [first, ...more] = json.prefixItems ?? []
  delete json.prefixItems
  json.items = first
  json.minItems = more.length + 1
  json.maxItems = more.length + 1
}

/** Names the field that selects the variant. Generators can use it only if every variant is a named schema. */
function describeUnion(
  schema: z.ZodDiscriminatedUnion,
  json: MutableSchema,
  names: ReadonlyMap<z.ZodType, string>,
): void {
  const { discriminator, options } = schema._zod.def
  const mapping = options.flatMap((option) => {
    const name = names.get(option as z.ZodType)
    const values = [...(option._zod.propValues?.[discriminator] ?? [])]
    return name === undefined ? [] : values.map((value) => [String(value), `${COMPONENTS}${name}`])
  })
  if (mapping.length < options.length) return
  json.discriminator = { propertyName: discriminator, mapping: Object.fromEntries(mapping) }
}

/** Writes a list of types as `anyOf`, because generators understand a list only if it makes one type nullable. */
function splitTypes(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(splitTypes)
  if (typeof json !== 'object' || json === null) return json
  const parts = Object.fromEntries(Object.entries(json).map(([key, part]) => [key, splitTypes(part)]))
  const { type, ...rest } = parts
  if (!Array.isArray(type) || type.filter((one) => one !== 'null').length < 2) return parts
  return { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) }
}
