// Other servers that a developer could use instead. Each creates the object that is most similar to a payment.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages, PINNED } from './peer-packages.mjs'
import { startServer } from './processes.mjs'
import { ask, create, PAYMENTS, read, serve } from './servers.mjs'

const BARE_SERVER = fileURLToPath(new URL('./bare-server.mjs', import.meta.url))
const FORM = { authorization: 'Bearer sk_test_abc', 'content-type': 'application/x-www-form-urlencoded' }
const get = read(`${PAYMENTS}/2e2f04ad-5a6e-4f95-8f3d-6bd54c6c86c6`)

/** Minimal servers that the others are compared with. */
export const YARDSTICKS = [
  { name: 'bare node:http', create: create(), get, start: () => startNode((port) => [BARE_SERVER, port]) },
  { name: 'Hono bare', create: create(), get, start: () => startNode((port) => [BARE_SERVER, port, 'hono']) },
]

export const PEERS = [
  {
    name: 'json-server',
    stores: 'rows in a JSON file',
    create: { ...create(), path: '/payments' },
    start: () => {
      const folder = installPackages('json-server')
      writeFileSync(join(folder, 'db.json'), '{"payments":[]}')
      const bin = join(folder, 'node_modules/json-server/lib/cli/bin.js')
      return startNode((port) => [bin, '--port', port, '--host', '127.0.0.1', '--quiet', join(folder, 'db.json')])
    },
  },
  {
    name: 'emulate',
    stores: 'Stripe objects in memory',
    stateful: true,
    // emulate limits each token to 5,000 requests per hour.
    creates: Array.from({ length: 200 }, (_, n) => ({
      method: 'POST',
      path: '/v1/payment_intents',
      headers: { ...FORM, authorization: `Bearer sk_test_${n}` },
      body: 'amount=150000&currency=rub&metadata%5Bbasket%5D=b-17',
    })),
    start: () =>
      startNode((port) => [
        join(installPackages('emulate'), 'node_modules/emulate/dist/index.js'),
        '--service',
        'stripe',
        '--port',
        port,
      ]),
  },
  {
    name: 'stripe-stateful-mock',
    stores: 'Stripe objects in memory',
    stateful: true,
    create: { method: 'POST', path: '/v1/charges', headers: FORM, body: 'amount=150000&currency=rub&source=tok_visa' },
    start: () =>
      startNode(
        () => [join(installPackages('stripe-stateful-mock'), 'node_modules/stripe-stateful-mock/dist/cli.js')],
        (port) => ({ PORT: String(port) }),
      ),
  },
  {
    name: 'Prism',
    stores: 'nothing (examples of the OpenAPI document)',
    create: create(),
    async start() {
      const folder = installPackages('prism')
      await saveDocument(join(folder, 'openapi.json'))
      const bin = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')
      return startNode((port) => [
        bin,
        'mock',
        '--host',
        '127.0.0.1',
        '--port',
        port,
        '--verboseLevel',
        'silent',
        join(folder, 'openapi.json'),
      ])
    },
  },
  {
    name: 'Mockoon CLI',
    stores: 'nothing (a template)',
    create: { ...create(), path: '/payments' },
    start: () => {
      const folder = installPackages('mockoon')
      writeFileSync(join(folder, 'mock.json'), JSON.stringify(mockoonEnvironment()))
      const bin = join(folder, 'node_modules/@mockoon/cli/bin/run.js')
      return startNode((port) => [
        bin,
        'start',
        '--data',
        join(folder, 'mock.json'),
        '--port',
        port,
        '--hostname',
        '127.0.0.1',
        '--disable-log-to-file',
      ])
    },
  },
]

/** Returns the package with its version, for the notes. */
export const versionOf = (name) => PINNED[{ Prism: 'prism', 'Mockoon CLI': 'mockoon' }[name] ?? name]?.[0]

function startNode(args, env) {
  return startServer((port) => [process.execPath, ...args(String(port))], { env })
}

async function saveDocument(path) {
  const server = await serve(['--ephemeral'])
  try {
    const document = await ask(server.url, { method: 'GET', path: '/openapi.json' })
    writeFileSync(path, JSON.stringify({ ...document, servers: [{ url: '/' }] }))
  } finally {
    await server.stop()
  }
}

function mockoonEnvironment() {
  const payment =
    '{"payment":{"id":"{{faker \'string.uuid\'}}","amount":{{body \'amount\'}},"currency":"{{body \'currency\'}}","order_id":"{{body \'order_id\'}}","status":"pending","created_at":"{{now}}","refunds":[]},"mode":"test","idempotent":false}'
  const response = {
    uuid: 'b0a1',
    body: payment,
    latency: 0,
    statusCode: 201,
    label: '',
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  }
  const route = {
    uuid: 'a0a1',
    type: 'http',
    documentation: '',
    method: 'post',
    endpoint: 'payments',
    responses: [response],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  }
  return {
    uuid: 'e0e1',
    lastMigration: 33,
    name: 'payments',
    endpointPrefix: '',
    latency: 0,
    port: 3000,
    hostname: '',
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: 'a0a1' }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [],
    callbacks: [],
  }
}
