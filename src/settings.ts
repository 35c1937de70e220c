// All settings with their defaults and descriptions. They decide what the service's specification leaves open.

import * as z from 'zod'
import { ellipsize } from './domain/characters.ts'
import { closestNames } from './domain/closest-name.ts'
import { isInexact } from './domain/number-literals.ts'
import { METHOD_NAMES, METHODS, type Method } from './domain/payment-methods.ts'
import { DEFAULT_RETRY_INTERVALS } from './domain/retry-schedule.ts'
import { DURATION_PATTERN, PLAN_PATTERN } from './domain/text-patterns.ts'
import { parseDuration } from './domain/time.ts'
import { expected, quote } from './domain/zod-messages.ts'

const duration = z
  .string({ error: 'a duration such as 500ms, 15s, 20m, 2h, 3d or 1h30m' })
  .transform((text, ctx) => {
    const ms = parseDuration(text)
    if (ms !== undefined) return ms
    ctx.addIssue({
      code: 'custom',
      message: 'a duration such as 500ms, 15s, 20m, 2h, 3d or 1h30m (a bare number has no unit), of at most 36500d',
    })
    return z.NEVER
  })
  .meta({ pattern: DURATION_PATTERN })

const durations = z.array(duration, { error: 'a list of durations such as ["10s", "1m"]' }).max(100)

interface SettingRow {
  readonly schema: z.ZodType
  readonly default: unknown
  readonly description: string
}

function setting<S extends z.ZodType>(schema: S, fallback: z.input<S>, description: string) {
  return { schema, default: fallback as unknown, description } satisfies SettingRow & { schema: S }
}

export const stringEnum = <const T extends readonly [string, ...string[]]>(...names: T) => {
  const shown = names.map((name) => (name === '' ? '""' : name)).join(', ')
  return z.enum(names, { error: names.length === 1 ? shown : `one of ${shown}` })
}
/** With this rate the largest amount in USDT is below 1e21, so JSON represents it without an exponent. */
const MIN_RATE = 1e-6
const RATE = 'a number from 0.000001 to 1000000000'
const flag = z
  .union([z.boolean(), z.enum(['on', 'off'])], { error: 'true or false (on or off)' })
  .transform((value) => value === true || value === 'on')
const count = (min: number, max: number) =>
  z
    .number({ error: `an integer from ${min} to ${max}` })
    .int(`an integer from ${min} to ${max}`)
    .min(min)
    .max(max)

type SessionTtls = { readonly [M in Method as `session_ttl.${M}`]: SettingRow & { schema: typeof duration } }

function sessionTtls(): SessionTtls {
  const rows = METHOD_NAMES.map((method) => {
    const about = `lifetime of a bank session of ${method}`
    return [`session_ttl.${method}`, setting(duration, METHODS[method].session_ttl, about)] as const
  })
  return Object.fromEntries(rows) as SessionTtls
}

export const SETTINGS = {
  default_outcome: setting(
    z.string().meta({ pattern: PLAN_PATTERN }),
    'succeeded',
    'plan of an object if no other source has one',
  ),
  magic: setting(flag, true, 'whether magic amounts, phones, cards and bank ids choose outcomes'),
  buyer: setting(
    stringEnum('auto', 'manual'),
    'auto',
    'auto: the simulator pays if no buyer opens the page; manual: it does not, and only recurrent payments open their session automatically',
  ),
  'delays.session': setting(duration, '1s', 'time from the choice of the method until the bank session opens'),
  'delays.bank': setting(duration, '1s', 'time until the bank responds to a bank session or payout'),
  'delays.buyer': setting(duration, '2s', 'time from creation until the simulated buyer chooses a method'),
  'delays.refund': setting(duration, '0s', 'time until a refund settles; 0s: it settles when it is created'),
  link_ttl: setting(duration, '24h', 'lifetime of an unpaid payment link'),
  ...sessionTtls(),
  idempotency_ttl: setting(duration, '24h', 'how long an Idempotency-Key is stored'),
  naming: setting(stringEnum('both', 'shop', 'terminal'), 'both', 'fields of objects: shop_*, terminal_* or both'),
  empty_dates: setting(stringEnum('omit', 'null', ''), 'omit', 'whether unset times are omitted, null or empty'),
  time_fraction: setting(
    z.literal([0, 3, 6, 9], { error: 'one of 0, 3, 6, 9' }),
    3,
    'fraction digits of the times in payments, refunds, payouts, webhooks and the public stream',
  ),
  signature_status: setting(z.literal([400, 401], { error: '400 or 401' }), 400, 'HTTP status of signature errors'),
  strict_body: setting(flag, false, 'whether unknown fields of a request body are rejected with 400'),
  body_limit: setting(count(1024, 64 * 1024 * 1024), 2 * 1024 * 1024, 'largest request body, in bytes'),
  http_return_url: setting(flag, false, 'whether a return_url on a loopback host may be http'),
  usdt_rate: setting(
    z.number({ error: RATE }).min(MIN_RATE, RATE).max(1e9, RATE),
    80,
    'roubles per USDT, for amount_usdt',
  ),
  reserve_pending_refunds: setting(
    flag,
    true,
    'whether pending refunds reserve their amount; false: together they can exceed the remainder',
  ),
  unknown_bank: setting(
    stringEnum('router_error', 'bank_unknown', 'accept'),
    'router_error',
    'result of a payout to a bank id that no bank has',
  ),
  banks: setting(stringEnum('full', 'top30'), 'full', 'bank directory: all banks, or the top 30'),
  webhook_retries: setting(durations, [...DEFAULT_RETRY_INTERVALS], 'intervals between webhook attempts'),
  webhook_timeout: setting(duration, '15s', 'how long a receiver may take to respond, by the system clock'),
  webhook_v1: setting(
    stringEnum('body', 'timestamped', 'omit'),
    'body',
    'value of v1= in the signature header: HMAC of the body, HMAC of t.body, or omitted',
  ),
  stream_second: setting(
    stringEnum('replace', 'reject'),
    'replace',
    'whether a second stream with the same key replaces the first, or gets 409',
  ),
  stream_queue: setting(
    count(1, 1_000_000),
    256,
    'maximum number of messages queued per stream, fewer if they are large; a full queue drops its oldest message',
  ),
  rate_limit: setting(
    z
      .union([count(0, 1_000_000), z.literal('off')], { error: 'an integer from 0 to 1000000, or off' })
      .transform((value) => (value === 'off' ? 0 : value)),
    0,
    'requests per second for each merchant; 0 or off: no limit',
  ),
  trust_proxy: setting(
    z.union([z.boolean(), count(0, 100)], { error: 'true, false or a number of hops' }).transform(Number),
    false,
    "number of proxies in X-Forwarded-For to trust for the client's address; true: 1",
  ),
  'retention.requests': setting(count(0, 1_000_000), 1000, 'entries kept in the request log'),
  'retention.events': setting(
    count(1, 10_000_000),
    100_000,
    'events and deliveries kept; above this number, old finished ones are dropped',
  ),
  'retention.imported': setting(count(1, 1_000_000), 20_000, 'imported events kept; an import of more is rejected'),
} satisfies Record<string, SettingRow>

/** The names of settings, such as `delays.bank`. */
export type SettingName = keyof typeof SETTINGS

/** The parsed settings: durations in ms, `trust_proxy` as a number of hops. */
export type Settings = { readonly [N in SettingName]: z.output<(typeof SETTINGS)[N]['schema']> }

/** Some settings before parsing, with types: durations are strings, such as `{ 'delays.bank': '0s' }`. */
export type SomeSettings = { readonly [N in SettingName]?: z.input<(typeof SETTINGS)[N]['schema']> }

/** Settings before parsing. Their names and values may be invalid. */
export type SettingValues = { readonly [name: string]: unknown }

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/** An unknown setting, or a value that a setting cannot have. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** @throws SettingError for an unknown name, with similar names */
export function requireSettings(names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(SETTINGS, name))
  if (unknown !== undefined) throw new SettingError(unknownSetting(unknown))
}

/** Formats an invalid value for a message. */
export type FormatSetting = (name: string, value: unknown) => string

/**
 * Parses `values`. Settings without a value have their default.
 * @throws SettingError
 */
export function readSettings(values: SettingValues = {}, show: FormatSetting = formatSetting): Settings {
  requireSettings(Object.keys(values))
  const parsed: Partial<Record<SettingName, unknown>> = {}
  for (const name of SETTING_NAMES) {
    parsed[name] = Object.hasOwn(values, name) ? read(name, values[name], show) : readDefault(name)
  }
  return parsed as Settings
}

function read(name: SettingName, value: unknown, show = formatSetting): unknown {
  const result = SETTINGS[name].schema.safeParse(value, { error: expected })
  if (result.success) return result.data
  const expectation = result.error.issues[0]?.message ?? 'not valid'
  throw new SettingError(`${name}: expected ${expectation}, got ${show(name, value)}`)
}

export const formatSetting: FormatSetting = (_, value) => shown(value)

// Cached, because settings are parsed at each start and change, and most have their default.
const parsedDefaults = new Map<SettingName, unknown>()

function readDefault(name: SettingName): unknown {
  if (!parsedDefaults.has(name)) parsedDefaults.set(name, read(name, SETTINGS[name].default))
  return parsedDefaults.get(name)
}

/** Returns all settings before parsing, for `GET /_psp/settings`. Only `on` and `off` become true and false or 0. */
export function settingValues(values: SettingValues): Record<SettingName, unknown> {
  const shown = {} as Record<SettingName, unknown>
  for (const name of SETTING_NAMES) {
    const value = Object.hasOwn(values, name) ? values[name] : SETTINGS[name].default
    shown[name] = value === 'on' || value === 'off' ? SETTINGS[name].schema.parse(value) : value
  }
  return shown
}

/**
 * Parses the value in `delays.bank=2s`. A number, boolean, list or quoted string is parsed as JSON; any other value is
 * a string. The list of `webhook_retries` may also be written with commas: `10s,1m`.
 */
export function settingFromText(name: string, text: string): unknown {
  if (name === 'webhook_retries' && !text.startsWith('['))
    return text === '' ? [] : text.split(',').map((part) => part.trim())
  if (/^(true|false|-?\d+(\.\d+)?|".*")$/s.test(text) || text.startsWith('[')) {
    try {
      const value: unknown = JSON.parse(text)
      // No setting accepts an inexact number. It stays a string, so that the error quotes it as written.
      return isInexact(value) ? text : value
    } catch {
      return text
    }
  }
  return text
}

/** Returns `PSP_SET_DELAYS_BANK` for `delays.bank`. */
export function settingEnvName(name: string): string {
  return `PSP_SET_${name.replaceAll('.', '_').toUpperCase()}`
}

function unknownSetting(name: string): string {
  const near = closestNames(name, SETTING_NAMES)
  const hint = near.length > 0 ? `: did you mean ${near.slice(0, 3).join(', ')}?` : '.'
  return `Unknown setting ${shown(name)}${hint}`
}

/** Returns the value as JSON, shortened if it is long. */
function shown(value: unknown): string {
  return ellipsize(quote(value), 100)
}
