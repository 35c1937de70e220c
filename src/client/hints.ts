// How to go on after a refusal, by code first, then by status.

const BY_CODE: Readonly<Record<string, string>> = {
  unauthorized: 'Pass the key of this sandbox with --api-key or PSP_API_KEY; `psp keys create` makes one.',
  signature_required: 'The shop demands signed requests: pass --signing-secret or PSP_SIGNING_SECRET (thm_…).',
  invalid_signature: "The signing secret is not this shop's: check PSP_SIGNING_SECRET (thm_…, not whs_…).",
  live_not_enabled:
    'Use a sk_test_ key, or activate the merchant: `psp shops update … --live`; `psp shops list` shows its shops.',
  ip_not_allowed: 'Change the allow-list: `psp shops update … --ip 203.0.113.0/24`; `psp shops list` shows the shops.',
  forbidden:
    'Pass the control token with --control-token or PSP_CONTROL_TOKEN, and call the server by its own host name.',
  idempotent_conflict: 'Use a new Idempotency-Key, or send the very request that first used this one.',
  not_pending: '`psp payments get` shows how it came to that.',
  not_refundable: '`psp payments get` shows how it came to that.',
  already_refunded: 'Nothing is left to refund; `psp payments get` lists the refunds.',
  amount_exceeds_remainder: 'Refund at most what is left, or leave --amount out for the whole remainder.',
  route_not_configured: 'Switch it on: `psp shops update … --payout-route on`; `psp shops list` shows the shops.',
  method_not_supported: 'Choose another bank: `psp banks` lists them.',
  router_error: 'Choose a bank of the directory: `psp banks` lists them.',
  payload_too_large: 'Send less, or raise the setting: `psp settings set body_limit=N`.',
  sandbox_reset: 'Run the command again: it then works on the state that is there now.',
  storage_unavailable: 'Look at the disk of the data folder; `psp doctor` checks it.',
}

/** What is missing, as the server names it, and who lists what there is. */
const LISTS: readonly (readonly [noun: string, list: string])[] = [
  ['payment', 'payments list'],
  ['payout', 'payouts list'],
  ['shop', 'shops list'],
  ['key', 'keys list'],
  ['webhook endpoint', 'webhooks endpoints list'],
  ['endpoint', 'webhooks endpoints list'],
  ['delivery', 'webhooks deliveries list'],
  ['event', 'events list'],
  ['rule', 'rules list'],
  ['fault', 'faults list'],
  ['snapshot', 'store snapshots'],
]

const CONTROL_TOKEN = 'Pass the one the server was started with; its owner has it.'

/** A program has no options; a command line adds where they are told. */
export const CORRECT = 'Correct it and try again.'

const BY_STATUS: readonly (readonly [from: number, to: number, hint: string])[] = [
  [400, 400, CORRECT],
  [404, 404, 'Check the id and which sandbox this is (--url, --data): an object of another shop does not exist here.'],
  [500, 599, 'The server failed or was told to fail: `psp logs` shows what decided.'],
]

export function hintFor(status: number, code: string, message = '', retryAfter?: number): string {
  if (status === 429) return `Wait ${retryAfter ?? 1} s and try again.`
  if (code === 'unauthorized' && message.includes('--control-token')) return CONTROL_TOKEN
  if (code === 'not_allowed')
    return NOT_ALLOWED.find(([sign]) => message.includes(sign))?.[1] ?? 'Look at its present status, and at its times.'
  const known = BY_CODE[code]
  if (known !== undefined) return known
  const missing = LISTS.find(([noun]) => new RegExp(`\\bno (such )?${noun}\\b`).test(message))
  if (status === 404 && missing !== undefined) return orderHint(message) ?? missingHint(...missing)
  return BY_STATUS.find(([from, to]) => status >= from && status <= to)?.[2] ?? '`psp logs` shows the request.'
}

/** By what the server says of it. */
const NOT_ALLOWED: readonly (readonly [sign: string, hint: string])[] = [
  ['no endpoint for it', '`psp webhooks endpoints create URL` adds one; `--to URL` sends it there alone.'],
  [
    'endpoint of this delivery is gone',
    '`psp events replay EVENT` sends it to those that are there, `--to URL` to a url.',
  ],
  ['payment', '`psp payments get` shows how it came to that.'],
  ['payout', '`psp payouts get` shows how it came to that.'],
]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Orders are taken for payments: the hint if the missing payment's id has another form than ids have. */
function orderHint(message: string): string | undefined {
  const [, id] = /\bno payment (.+?)(?: for this API key)?\.$/.exec(message) ?? []
  if (id === undefined || UUID.test(id)) return undefined
  const word = /^[\w.:@/+-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`
  return `Is it an order? \`psp payments list --order-id ${word}\` lists its payments; \`psp payments list\` shows what there is.`
}

function missingHint(noun: string, list: string): string {
  const there = `\`psp ${list}\` shows what there is`
  if (noun !== 'payment' && noun !== 'payout') return `${there}; --url and --data choose the sandbox.`
  return `${there}; what belongs to another shop does not exist for a key (--api-key, PSP_API_KEY).`
}
