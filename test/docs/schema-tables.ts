// Shows the fields of a JSON schema as tables: name, type with limits, whether it is required, and description.
import { anchor, code, table } from './markdown.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly not?: unknown
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** Returns one table, or one for each variant of a union, named by its discriminator. A variant with a name is a link. */
export function fieldTables(title: string, schema: Schema): string[] {
  const variants = schema.oneOf ?? schema.anyOf
  if (variants === undefined) return oneTable(title, schema)
  return variants.flatMap((variant) =>
    variant.$ref === undefined
      ? oneTable(`${title}${discriminatorOf(variant)}`, variant)
      : [`A ${typeText(variant)}, or:`],
  )
}

function oneTable(title: string, schema: Schema): string[] {
  const rows = fieldRows(schema, '')
  return rows.length === 0 ? [] : [table([title, 'type', '', 'what it is'], rows)]
}

/** The name and value of the field with a single value, if there is one: ` (`action` `pay`)`. */
function discriminatorOf({ properties = {} }: Schema): string {
  const [name, field] = Object.entries(properties).find(([, { const: only }]) => typeof only === 'string') ?? []
  return name === undefined ? '' : ` (${code(name)} ${code(String(field?.const))})`
}

function fieldRows(schema: Schema, prefix: string): string[][] {
  const needed = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => field.not === undefined)
    .flatMap(([name, field]) => {
      const row = [
        code(`${prefix}${name}`),
        typeText(field),
        needed.has(name) ? 'required' : '',
        oneLine(field.description ?? ''),
      ]
      return [row, ...innerRows(field, `${prefix}${name}`)]
    })
}

function innerRows(field: Schema, name: string): string[][] {
  if (field.type === 'object') return fieldRows(field, `${name}.`)
  if (field.items?.type === 'object') return fieldRows(field.items, `${name}[].`)
  const object = (field.anyOf ?? field.oneOf)?.find((one) => one.type === 'object')
  return object === undefined ? [] : fieldRows(object, `${name}.`)
}

export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(/.*\//, '')
    return `[${name}](${anchor(name)})`
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((one) => code(String(one))).join(', ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return [...new Set(variants.map(typeText))].join(' or ')
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeText).join(', ')}]`
  if (schema.type === 'array')
    return `list of ${listed(schema)}${schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`}`
  if (schema.type === 'object') return objectText(schema)
  if (schema.type === undefined) return 'anything'
  return [[schema.type].flat().join(' or '), ...limits(schema)].join(', ')
}

function listed({ items }: Schema): string {
  return items === undefined ? 'anything' : typeText(items)
}

function objectText({ additionalProperties }: Schema): string {
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0) return 'object'
  return `object of ${typeText(additionalProperties)}`
}

/** The description explains a longer pattern. */
const LONGEST_PATTERN = 60

function limits(schema: Schema): string[] {
  const { format, pattern, minimum, maximum, minLength, maxLength } = schema
  const named = format === undefined || ['int64', 'double'].includes(format) ? [] : [format]
  const shaped = pattern === undefined || pattern.length > LONGEST_PATTERN ? [] : [code(pattern)]
  return [...named, ...shaped, ...range(minimum, maximum), ...lengths(minLength, maxLength)]
}

/** Omits the range of safe integers, except the upper limit of amounts. */
function range(from?: number, to?: number): string[] {
  const low = from === undefined || from === Number.MIN_SAFE_INTEGER ? undefined : from
  if (low === undefined && (to === undefined || to === Number.MAX_SAFE_INTEGER)) return []
  if (low === undefined) return [`at most ${to}`]
  return to === undefined ? [`${low} or more`] : [`${low} to ${to}`]
}

function lengths(from?: number, to?: number): string[] {
  if (from === undefined && to === undefined) return []
  if (from === undefined) return [`at most ${to} characters`]
  return to === undefined ? [`at least ${from} characters`] : [`${from} to ${to} characters`]
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ')
