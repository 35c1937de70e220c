// The shell lines of README and docs, and the preparations that each needs to run.
import { readdirSync, readFileSync } from 'node:fs'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'

const ROOT = new URL('../../', import.meta.url).pathname

export type DocumentedLine = readonly [line: string, file: string]

/** The guides whose commands depend on each other. test/kits/guides.test.ts and test/docs/fidelity.test.ts run them in order. */
const IN_ORDER = ['quickstart', 'python', 'go', 'php', 'java', 'fidelity'].map((name) => `docs/guides/${name}.md`)

/** Returns each distinct line of the shell blocks. `npx psp` counts as `psp`. */
export function documentedLines(): { psp: DocumentedLine[]; others: DocumentedLine[] } {
  const seen = new Set<string>()
  const psp: DocumentedLine[] = []
  const others: DocumentedLine[] = []
  for (const file of ['README.md', ...pagesOf('docs')].filter((page) => !IN_ORDER.includes(page))) {
    for (const line of linesOf(readFileSync(`${ROOT}${file}`, 'utf8'))) {
      if (seen.has(line)) continue
      seen.add(line)
      ;(/^(source <\()?psp\b/.test(line) ? psp : others).push([line, file])
    }
  }
  return { psp, others }
}

function pagesOf(folder: string): string[] {
  const entries = readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
  return entries.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)
}

function linesOf(markdown: string): string[] {
  return [...markdown.matchAll(/```(?:sh|bash|console)\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) =>
        line
          .replace(/^\$ /, '')
          .replace(/\s+#\s.*$/, '')
          .replace(/\bnpx psp\b/g, 'psp')
          .trim(),
      )
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
}

export interface CommandContext {
  /** Runs a command with `--json` and returns its output. */
  json(...args: readonly string[]): Promise<unknown>
  /** Writes a file in the working directory of the commands. */
  write(name: string, text: string): void
  readonly receiver: string
  /** The URL of the server. */
  readonly url: string
}

/** Creates the objects that the line mentions, and returns the line with their ids. */
type Prepare = (line: string, context: CommandContext) => Promise<string>

/** The id of a payment, payout or shop as the help shows it. */
const UUID = '3f2a9c1e-…'

const payment =
  (...flags: readonly string[]): Prepare =>
  async (line, { json }) => {
    const output = (await json('payments', 'create', '--amount', '15000', ...flags)) as Created
    return line.replace(UUID, output.payment.id)
  }
const first =
  (placeholder: RegExp, ...command: readonly string[]): Prepare =>
  async (line, { json }) => {
    const output = (await json(...command)) as { items: { id: string }[] }
    return line.replace(placeholder, String(output.items[0]?.id))
  }
const made =
  (placeholder: RegExp | string, ...command: readonly string[]): Prepare =>
  async (line, { json }) => {
    const output = (await json(...command)) as { id?: string; shop_id?: string }
    return line.replace(placeholder, String(output.id ?? output.shop_id))
  }
const happened: Prepare = async (line, context) => {
  await context.json('webhooks', 'endpoints', 'create', context.receiver)
  await context.json('trigger', 'payment.succeeded')
  return line
}
const body: Prepare = async (line, { write }) => {
  write('body.json', '{"amount":100}')
  return line
}

interface Delivered {
  attempts: { request: { body: string } }[]
}

interface Created {
  payment: { id: string }
  payout: { id: string }
}

/** A finding of an exploration. */
const FINDING = {
  finding: {
    id: 'money',
    title: 'The balance is wrong.',
    story: {
      amounts: { main: 100_000, unrelated: 100_000 },
      steps: [
        { do: 'create', payment: 'p1', order: 'main' },
        { do: 'pay', payment: 'p1' },
      ],
    },
    schedule: [[{ event: 'pay p1', copies: 1 }], [{ event: 'pay p1', copies: 1 }]],
    resends_all: false,
  },
}

const recording = (name: string) => readFileSync(`${ROOT}test/recordings/fixtures/${name}`, 'utf8')

/** Recordings that the default shop signed. */
const RECORDINGS = [
  ['session.har', 'mitmproxy.har'],
  ['access.log', 'nginx.log'],
  ['request.txt', 'chromium-curl.txt'],
] as const

/** A recording that does not differ from the sandbox: a request without a key. */
const COMPARED = JSON.stringify({
  log: {
    entries: [
      {
        startedDateTime: '2026-05-06T12:00:00.000Z',
        time: 5,
        request: { method: 'GET', url: 'https://api.real.example/v1/public/banks/sbp' },
        response: {
          status: 401,
          headers: [
            { name: 'Content-Type', value: 'application/json' },
            { name: 'WWW-Authenticate', value: 'Bearer' },
          ],
          content: { text: '{"error":{"code":"unauthorized","message":"No key."}}' },
        },
      },
    ],
  },
})

/** All matching preparations run, in this order. */
export const PREPARATIONS: readonly (readonly [RegExp, Prepare])[] = [
  [/^psp payments (get|open) 3f2a/, payment()],
  [
    /^psp payments (cancel|pay|decline) 3f2a/,
    async (line, context) => {
      await context.json('settings', 'set', 'buyer=manual')
      return await payment()(line, context)
    },
  ],
  [/^psp payments refund 3f2a/, payment('--wait')],
  [
    /^psp payouts (get|settle) 3f2a/,
    async (line, { json }) => {
      const to = ['--phone', '+79161234567', '--bank-id', '100000000111', '--outcome', 'pending']
      const output = (await json('payouts', 'create', '--amount', '100', ...to)) as Created
      return line.replace(UUID, output.payout.id)
    },
  ],
  [/evt_…|dlv_…|--delivery|events replay/, happened],
  [/evt_…/, first(/evt_…/, 'events', 'list')],
  [/dlv_…/, first(/dlv_…/, 'webhooks', 'deliveries', 'list')],
  [/we_…/, (line, context) => made(/we_…/, 'webhooks', 'endpoints', 'create', context.receiver)(line, context)],
  [/rul_…/, made(/rul_…/, 'rules', 'add', 'succeeded')],
  [/flt_…/, made(/flt_…/, 'faults', 'add', 'api', 'status:503', '--match', 'path=/nowhere')],
  [/^psp shops (get|update|rotate-secret) 3f2a/, made(UUID, 'shops', 'create', '--name', 'Another')],
  [/key_…/, made(/key_…/, 'keys', 'create')],
  [
    // The first step must run before the session opens automatically.
    /^psp trigger late-success/,
    async (line, { json }) => {
      await json('settings', 'set', 'delays.session=1m')
      return line
    },
  ],
  [
    /^psp doctor .*psp\.json/,
    async (line, { write, url }) => {
      write('psp.json', JSON.stringify({ type: 'ready', url }))
      return line
    },
  ],
  [
    /^psp compare /,
    async (line, { write }) => {
      write('session.har', COMPARED)
      return line
    },
  ],
  // The default port may be in use by another test.
  [/^psp record (?!.*--port)/, async (line) => `${line} --port 0`],
  [/body\.json/, body],
  // A few payments, or stories of an exploration, are enough to show that the line works.
  [/--count 1000\b/, async (line) => line.replace('--count 1000', '--count 50')],
  // The line of the guide runs the same audit with all checks, and with a URL instead of a port.
  [/^psp audit 3000\/hooks (?!.*--(only|explore|replay))/, async (line) => `${line} --only duplicates`],
  [/^psp audit .*--explore \d+s/, async (line) => `${line.replace(/ --deliveries \d+/, '')} --deliveries 20`],
  [
    /create-order\.mjs/,
    async (line, { write }) => {
      write('create-order.mjs', "console.log('A-' + process.pid + '-' + process.env.PSP_ORDER_AMOUNT)")
      return line
    },
  ],
  [
    /found\/1\.json/,
    async (line, { write }) => {
      write('1.json', JSON.stringify(FINDING))
      return line.replace('found/1.json', '1.json')
    },
  ],
  [
    /^psp verify --delivery \S+ body\.json/,
    async (line, { json, write }) => {
      const id = line.split(' ')[3] ?? ''
      const { attempts } = (await json('webhooks', 'deliveries', 'get', id)) as Delivered
      write('body.json', String(attempts[0]?.request.body))
      return line
    },
  ],
  [
    /^psp events import .*(session\.har|access\.log|request\.txt)/,
    async (line, { write }) => {
      for (const [name, fixture] of RECORDINGS) write(name, recording(fixture))
      return line.replace('whs_…', DEFAULT_SHOP.webhook_secret)
    },
  ],
  [
    /--imported|story\.json/,
    async (line, { json, write, receiver }) => {
      write('bodies.ndjson', recording('bodies.ndjson'))
      write('orders.csv', 'order-1001,ord_local\n')
      await json('events', 'import', 'bodies.ndjson')
      const story = ['--scenario', 'story.json', '--order', 'order-1001', '--imported']
      if (!line.includes('--scenario')) await json('events', 'export', ...story)
      // The pauses of the recording are real.
      if (line.startsWith('psp trigger')) await json('webhooks', 'endpoints', 'create', receiver)
      return line.replace('--as-recorded', '--as-recorded --event payment.refunded')
    },
  ],
  [/(whs|thm)_…/, async (line) => line.replace(/(whs|thm)_…/, `$1_${'0123456789'.repeat(3)}`)],
  [
    /^psp verify .*--signature/,
    async (line, { json }) => {
      const secret = line.match(/--secret (\S+)/)?.[1] ?? ''
      const signed = (await json('sign', '--secret', secret, 'body.json')) as { signature: string }
      return line.replace(/t=…,v1=…,v2=…/, signed.signature)
    },
  ],
  [
    /store import .*state\.json|--force/,
    async (line, { json }) => {
      await json('store', 'export', 'state.json')
      return line
    },
  ],
  [
    /^psp store (restore|forget) /,
    async (line, { json }) => {
      await json('store', 'snapshot', line.split(' ').at(-1) ?? '')
      return line
    },
  ],
  [
    /shops\.json/,
    async (line, { write }) => {
      write('shops.json', '{"shops":[{"name":"Seeded"}]}')
      return line
    },
  ],
  [
    /my-scenario\.json/,
    async (line, { write }) => {
      const steps = [{ id: 'pay', do: 'payments.create', with: { amount: 100 } }]
      write('my-scenario.json', JSON.stringify({ name: 'mine', description: 'one payment', steps }))
      return line
    },
  ],
]

/** Whether a line uses pipes, variables or other features of a shell, or opens a browser. */
export const needsShell = (line: string): boolean =>
  /[|&;<>$`()~*]|^source/.test(line.replace(/'[^']*'|"[^"$`]*"/g, '')) || /--(open|web)\b|^psp payments open/.test(line)

/** Commands that run until a signal. */
export const RUNS_UNTIL_STOPPED = /^psp (serve|listen (?!.*--print-secret)|tail|logs .*--follow|ui(?! --web)|record )/
/** Commands that wait for an event. */
export const WAITS_FOR_EVENT = /^psp wait /
