// Writes the objects of the API as types of the test kits in Go and Java.
import * as z from 'zod'
import * as delivery from '../../src/http/control/delivery-schemas.ts'
import * as control from '../../src/http/control/object-schemas.ts'
import { RESPONSES } from '../../src/http/control/response-schemas.ts'
import * as objects from '../../src/http/openapi/objects.ts'

interface Json {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly anyOf?: readonly Json[]
  readonly items?: Json
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Json | false
}

/** The types by name, with the schema and the comment. */
const TYPES: Readonly<Record<string, readonly [schema: z.ZodType, about: string]>> = {
  Payment: [objects.payment, 'a payment. Amounts are in minor units, times in RFC 3339.'],
  CreatedPayment: [objects.createdPayment, 'the response to the creation of a payment.'],
  Refund: [objects.refund, 'a refund of a payment.'],
  Payout: [objects.payout, 'a payout to a phone number.'],
  Recipient: [objects.payout.shape.recipient, 'the recipient of a payout.'],
  CreatedPayout: [objects.createdPayout, 'the response to the creation of a payout.'],
  Event: [
    control.webhookEvent,
    'a webhook message. Its data is the payment or payout at the time of the event, with every field.',
  ],
  CreatedShop: [RESPONSES.CreatedShop, 'a new shop with its keys.'],
  WaitResult: [RESPONSES.WaitResult, 'the result of a wait: the event, or why it did not happen in time.'],
  Delivery: [delivery.delivery, 'the delivery of an event to one URL, with its attempts.'],
  Attempt: [delivery.attempt, 'one webhook request. Its status is zero or null if there was no response.'],
  Copy: [delivery.copy, 'a further copy of an attempt, which the fault duplicate sends.'],
  Message: [delivery.message, 'a webhook request, or its response.'],
  Rule: [control.rule, 'a rule that decides the outcome of payments, refunds and payouts that match.'],
  Fault: [control.fault, 'a transport fault. Its target is api, webhook, stream or redirect.'],
}

/** The types of fields that are objects. */
const NESTED: Readonly<Record<string, string>> = {
  payment: 'Payment',
  refunds: 'Refund',
  payout: 'Payout',
  recipient: 'Recipient',
  attempts: 'Attempt',
  copies: 'Copy',
  request: 'Message',
  response: 'Message',
  data: 'Data',
  event: 'Event',
}

/** The names of the types of a language. */
interface Language {
  readonly text: string
  readonly int: string
  readonly long: string
  readonly double: string
  readonly bool: string
  readonly any: string
  readonly optional: (type: string) => string
  readonly list: (type: string) => string
  readonly map: (type: string) => string
  /** The type of an object that is decoded later. */
  readonly data: string
}

function typeOf(language: Language, name: string, schema: Json): string {
  const kinds = [schema.type ?? []].flat()
  const [kind, ...further] = kinds.filter((each) => each !== 'null')
  const some = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (some.length > 1 || further.length > 0) return language.any
  if (some[0] !== undefined) return language.optional(typeOf(language, name, some[0]))
  if (kinds.includes('null')) return language.optional(typeOf(language, name, { ...schema, type: String(kind) }))
  const nested = NESTED[name]
  if (schema.type === 'array') return language.list(nested ?? typeOf(language, '', schema.items ?? {}))
  if (schema.type === 'object' && nested !== undefined) return nested === 'Data' ? language.data : nested
  if (schema.type === 'object') return language.map(typeOf(language, '', schema.additionalProperties || {}))
  if (schema.type === 'integer') return schema.format === 'int64' ? language.long : language.int
  if (schema.type === 'number') return language.double
  if (schema.type === 'boolean') return language.bool
  return schema.type === 'string' ? language.text : language.any
}

const fieldsOf = (schema: z.ZodType) =>
  Object.entries((z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json).properties ?? {})

const GO: Language = {
  text: 'string',
  int: 'int',
  long: 'int64',
  double: 'float64',
  bool: 'bool',
  any: 'any',
  optional: (type) => (type in TYPES ? `*${type}` : type),
  list: (type) => `[]${type}`,
  map: (type) => `map[string]${type}`,
  data: 'json.RawMessage',
}

const INITIALISMS = /^(Api|Id|Url|Usdt|Rrn|Ms)$/

function goName(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .map((word) => (INITIALISMS.test(word) ? word.toUpperCase() : word.replace(/^Ids$/, 'IDs')))
    .join('')
}

/** Formats like gofmt: columns of a struct are aligned. */
export function goTypes(): string {
  const structs = Object.entries(TYPES).map(([name, [schema, about]]) => {
    const rows = fieldsOf(schema).map(
      ([field, json]) => [goName(field), typeOf(GO, field, json), `\`json:"${field},omitempty"\``] as const,
    )
    const [first, second] = [0, 1].map((at) => Math.max(...rows.map((row) => String(row[at]).length))) as [
      number,
      number,
    ]
    const lines = rows.map(([field, type, tag]) => `\t${field.padEnd(first)} ${type.padEnd(second)} ${tag}`)
    return `// ${name} is ${about}\ntype ${name} struct {\n${lines.join('\n')}\n}`
  })
  return `// Code generated by npm run docs from the schemas of the API. DO NOT EDIT.

package pspsandbox

import "encoding/json"

${structs.join('\n\n')}

// Payment returns the payment that the event is about.
func (e Event) Payment() (payment Payment) {
	json.Unmarshal(e.Data, &payment)
	return payment
}

// Payout returns the payout that the event is about.
func (e Event) Payout() (payout Payout) {
	json.Unmarshal(e.Data, &payout)
	return payout
}
`
}

const JAVA: Language = {
  text: 'String',
  int: 'int',
  long: 'long',
  double: 'double',
  bool: 'boolean',
  any: 'Object',
  optional: (type) => ({ int: 'Integer', long: 'Long', double: 'Double' })[type] ?? type,
  list: (type) => `List<${type}>`,
  map: (type) => `Map<String, ${type}>`,
  data: 'JsonObject',
}

const EVENT_BODY = `{
        /** The payment that the event is about. */
        public Payment payment() {
            return Sandbox.GSON.fromJson(data, Payment.class);
        }

        /** The payout that the event is about. */
        public Payout payout() {
            return Sandbox.GSON.fromJson(data, Payout.class);
        }
    }`

const javaName = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export function javaTypes(): string {
  const records = Object.entries(TYPES).map(([name, [schema, about]]) => {
    const fields = fieldsOf(schema).map(
      ([field, json]) => `            ${typeOf(JAVA, field, json)} ${javaName(field)}`,
    )
    const body = name === 'Event' ? EVENT_BODY : '{}'
    return `    /** ${about.charAt(0).toUpperCase()}${about.slice(1)} */\n    public record ${name}(\n${fields.join(',\n')}) ${body}`
  })
  return `// Code generated by npm run docs from the schemas of the API. DO NOT EDIT.
package psp.sandbox;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;

/** The objects of the API. */
public final class Types {
    private Types() {}

${records.join('\n\n')}
}
`
}
