// Hints for failed and rejected requests. Those for rejected requests are found by code first, and then by status.
import { shellWord } from '../domain/characters.ts'
import { type SimulatedCause, simulatedCause } from '../domain/simulated-errors.ts'

const PAYMENT_EVENTS = '`psp events list --object ID` lists the events of the payment.'

const BY_CODE: Readonly<Record<string, string>> = {
  unauthorized:
    'Pass a key of this sandbox with --api-key or PSP_API_KEY. `psp config --env` prints that of the default shop.',
  signature_required: 'The shop requires signed requests. Pass --signing-secret or PSP_SIGNING_SECRET (thm_…).',
  invalid_signature: "The signing secret is not this shop's. Check PSP_SIGNING_SECRET (thm_…, not whs_…).",
  live_not_enabled:
    'Use a sk_test_ key, or accept live keys: `psp shops update … --live`; `psp shops list` shows the shops.',
  ip_not_allowed: 'Change the allow-list: `psp shops update … --ip 203.0.113.0/24`; `psp shops list` shows the shops.',
  forbidden:
    'Pass the control token with --control-token or PSP_CONTROL_TOKEN, and call the server by its own host name.',
  idempotent_conflict: 'Use a new Idempotency-Key, or repeat, unchanged, the request that first used this key.',
  not_pending: PAYMENT_EVENTS,
  not_refundable: '`psp payments get` shows its status and its planned outcome.',
  already_refunded: 'Nothing is left to refund; `psp payments get` lists the refunds.',
  amount_exceeds_remainder: 'Refund at most the remainder, or omit --amount to refund all of it.',
  route_not_configured: 'Enable payouts: `psp shops update … --payout-route on`; `psp shops list` shows the shops.',
  method_not_supported: 'Choose another bank: `psp banks` lists them.',
  router_error: 'Choose a bank from the directory: `psp banks` lists them.',
  sandbox_reset: 'Run the command again. It then uses the current state.',
  storage_unavailable:
    'Check the disk of the data directory. `psp doctor` checks it. If the disk is full, delete other files: `psp store reset` frees space only at the next checkpoint.',
}

/** The missing object, as the server names it, and the command that lists such objects. */
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

const RAISE_BODY_LIMIT = 'Send less, or raise the setting: `psp settings set body_limit=N`.'

const CONTROL_TOKEN = 'Pass the token that the server was started with. Ask the person who started it.'

/** The hint for an invalid request. The command line adds a pointer to `--help`. */
export const CORRECT_REQUEST = 'Correct it and try again.'

const BY_STATUS: readonly (readonly [from: number, to: number, hint: string])[] = [
  [400, 400, CORRECT_REQUEST],
  [404, 404, 'Check the id, and the sandbox (--url, --data). Objects of another shop are not visible.'],
  [500, 599, 'The server failed, or a fault made it fail: `psp logs` shows which.'],
]

export function hintFor(status: number, code: string, message: string, retryAfter?: number): string {
  const simulated = simulatedCause(message)
  if (simulated !== undefined) return simulatedHint(simulated)
  if (status === 429) return `Wait ${retryAfter ?? 1} s and try again.`
  if (code === 'unauthorized' && message.includes('--control-token')) return CONTROL_TOKEN
  if (code === 'not_allowed')
    return NOT_ALLOWED.find(([part]) => message.includes(part))?.[1] ?? 'Check the current status of the object.'
  if (code === 'payload_too_large') return message.includes('body_limit') ? RAISE_BODY_LIMIT : 'Send less.'
  const known = BY_CODE[code]
  if (known !== undefined) return known
  if (message.startsWith('The control API is off')) return 'Use another server with --url, or restart this one.'
  const missing = LISTS.find(([noun]) => new RegExp(`\\bno (such )?${noun}\\b`).test(message))
  if (status === 404 && missing !== undefined) return orderHint(message) ?? missingHint(...missing)
  return BY_STATUS.find(([from, to]) => status >= from && status <= to)?.[2] ?? '`psp logs` shows the request.'
}

/** Returns how to stop an error that the simulator is configured to return, and when trying again may help. */
function simulatedHint(cause: SimulatedCause): string {
  if (cause.kind === 'fault')
    return `\`psp faults list\` shows the faults, and \`psp faults remove ID\` removes one. ${tryAgain('fault')}`
  const [, rule] = /^rule (\S+)$/.exec(cause.source) ?? []
  if (rule !== undefined) return `\`psp rules remove ${rule}\` removes the rule. ${tryAgain('rule')}`
  return STOPS.find(([source]) => cause.source.includes(source))?.[1] ?? '`psp logs` shows what decided it.'
}

/** The message of the error does not say how often a fault or rule applies, or which plan of a rule comes next. */
const tryAgain = (kind: 'fault' | 'rule') =>
  `A ${kind} that does not apply to every request may let the next one succeed.`

/** How to stop a planned error, by a part of its source. */
const STOPS: readonly (readonly [source: string, hint: string])[] = [
  ['magic ', 'Use another value, or turn off magic values: `psp settings set magic=false`.'],
  ['X-PSP-Simulate', 'Send another plan in this header (`--outcome`), or omit it.'],
  ['metadata', 'Change or remove this field.'],
  ['default_outcome', '`psp settings set default_outcome=succeeded` changes it.'],
]

/** Hints by a part of the server's message. */
const NOT_ALLOWED: readonly (readonly [part: string, hint: string])[] = [
  [
    'seed cannot be applied',
    '`psp store reset --all` also restores shops and settings. If that fails too, correct the seed.',
  ],
  ['No endpoint of the shop', '`psp webhooks endpoints create URL` creates one. `--to URL` sends it only to that URL.'],
  [
    'endpoint of this delivery was deleted',
    '`psp events replay EVENT` sends it to the current endpoints; with `--to URL`, it sends it to that URL instead.',
  ],
  ['public development credentials', 'A local server (--host 127.0.0.1) accepts them.'],
  [
    'which is final. The action',
    'Create a payment that waits for the action: `psp payments create --amount 100 --outcome pending`.',
  ],
  ['payment', PAYMENT_EVENTS],
  ['payout', '`psp events list --object ID` lists the events of the payout.'],
]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns a hint if the id does not look like a payment id, because orders are often confused with payments. */
function orderHint(message: string): string | undefined {
  const [, id] = /\bno payment (.+?)(?: for this API key)?\.$/.exec(message) ?? []
  if (id === undefined || UUID.test(id)) return undefined
  const word = shellWord(id)
  return `Is it an order? \`psp payments list --order-id ${word}\` lists its payments; \`psp payments list\` lists all.`
}

function missingHint(noun: string, list: string): string {
  const there = `\`psp ${list}\` lists them`
  if (noun !== 'payment' && noun !== 'payout') return `${there}. --url and --data choose the sandbox.`
  return `${there}. A key (--api-key, PSP_API_KEY) only sees the objects of its shop.`
}

export const NOT_REACHED = 'Is the server running? Start one with `psp serve`, or name another with --url or PSP_URL.'

/** Returns what to do after the response to a request was lost. */
export function lostResponseHint(method = 'GET', idempotencyKey: string | undefined): string {
  if (method === 'GET' || method === 'HEAD')
    return 'Try again. A fault may have closed the connection: `psp faults list`.'
  const done = 'The server may have processed the request'
  return idempotencyKey === undefined
    ? `${done}. Before you try again, run \`psp logs\` to see what was received.`
    : `${done}. Send the same request again with \`Idempotency-Key: ${idempotencyKey}\`: the response contains the existing object, and no second one is created.`
}
