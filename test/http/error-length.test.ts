// An error quotes an invalid value, but not all of a long one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { SETTING_NAMES } from '../../src/settings.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
})
afterAll(() => sandbox.close({ grace_ms: 0 }))

const LONG = 'x'.repeat(20_000)
const VALUES = [
  LONG,
  [LONG],
  { [LONG]: 1 },
  Array.from({ length: 3000 }, () => '1s'),
  Number(`1e${'0'.repeat(9)}9`),
  { a: LONG },
]
/** The maximum number of characters of an error response. */
const MAX_LENGTH = 4000

interface Schema {
  readonly $ref?: string
  readonly properties?: Record<string, Schema>
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}
interface Operation {
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method: method.toUpperCase(),
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${sandbox.defaultShop().api_key}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, text: await response.text() }
}

function fieldsOf(document: Document, { $ref, properties = {}, oneOf = [], anyOf = [] }: Schema): string[] {
  const named =
    $ref === undefined ? [] : fieldsOf(document, document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  return [...named, ...Object.keys(properties), ...[...oneOf, ...anyOf].flatMap((one) => fieldsOf(document, one))]
}

test.each(['/openapi.json', '/_psp/openapi.json'])(
  'no operation of %s responds with a long error',
  async (documentPath) => {
    const document = JSON.parse((await ask('GET', documentPath)).text) as Document
    const seen: string[] = []
    const long: string[] = []
    async function sendInvalid(
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ): Promise<void> {
      const { status, text } = await ask(method, path, body, headers)
      if (status < 400) return
      seen.push(path)
      if (text.length > MAX_LENGTH)
        long.push(`${method} ${path.slice(0, 80)}: ${status}, ${text.length} characters: ${text.slice(0, 150)}`)
    }
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { requestBody, parameters = [] }] of Object.entries(operations)) {
        const schema = requestBody?.content['application/json']?.schema
        // Streams and waits have no end.
        if (/stream$|idle$|public\/events$/.test(path) && method === 'get') continue
        await sendInvalid(method, path.replace(/\{\w+\}/g, 'x'.repeat(5000)), schema === undefined ? undefined : {})
        for (const { name, in: place } of parameters)
          if (place === 'query') await sendInvalid(method, `${path}?${name}=${'x'.repeat(5000)}`)
        if (schema === undefined) continue
        for (const value of VALUES) {
          await sendInvalid(method, path, value)
          for (const field of new Set(fieldsOf(document, schema))) await sendInvalid(method, path, { [field]: value })
        }
      }
    }
    expect(long).toEqual([])
    expect(seen.length).toBeGreaterThan(20)
  },
)

test('an invalid setting gets a short error', async () => {
  for (const name of [...SETTING_NAMES, LONG]) {
    for (const value of VALUES) {
      const { status, text } = await ask('PATCH', '/_psp/settings', { [name]: value })
      if (status !== 200) expect(text.length).toBeLessThan(MAX_LENGTH)
      else expect(value).toBe(1e9)
    }
  }
})

test('an invalid header gets a short error', async () => {
  for (const name of [
    'Idempotency-Key',
    'X-PSP-Simulate',
    'X-PSP-Signature',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
  ])
    expect((await ask('POST', '/v1/public/payments', { amount: 1 }, { [name]: LONG })).text.length).toBeLessThan(
      MAX_LENGTH,
    )
})
