// Lists which setting may remove which differences. A value is proposed only if a replay with it has fewer differences.

import { isSuccess } from '../../domain/http-response.ts'
import { parsedUrl } from '../../domain/http-url.ts'
import { asObject } from '../../domain/json-values.ts'
import { METHOD_NAMES } from '../../domain/payment-methods.ts'
import { formatDuration, parseDuration } from '../../domain/time.ts'
import type { SettingName } from '../../settings.ts'
import type { Difference } from './difference.ts'
import type { PreparedReplay } from './prepare-replay.ts'
import type { CallResponse, RecordedCall } from './recorded-call.ts'
import { fractionDigits } from './text-format.ts'

type Recording = Pick<PreparedReplay, 'calls' | 'clock'>

export interface SettingRule {
  readonly setting: SettingName
  /** Describes for documents what the setting changes. */
  readonly changes: string
  /** Returns values that may remove some of the differences, the most likely first. Values may repeat. */
  readonly values: (differences: readonly Difference[], recording: Recording) => readonly unknown[]
}

const SHOP_FIELDS = /(^|\.)(shop|terminal)_(id|name)$/
const TIME_FIELDS = /(^|[.\]])(\w+_at|processing_until)$/
/** The values of the setting `time_fraction`. */
const SETTABLE_DIGITS: ReadonlySet<unknown> = new Set([0, 3, 6, 9])
const CREATES = /^POST \/v1\/public\/(payments|payouts)$/

export const SETTING_RULES: readonly SettingRule[] = [
  {
    setting: 'naming',
    changes: 'the fields `shop_id`, `shop_name`, `terminal_id` and `terminal_name`',
    values: (all) =>
      all.some(({ kind, at }) => isPresence(kind) && SHOP_FIELDS.test(at)) ? ['shop', 'terminal', 'both'] : [],
  },
  {
    setting: 'empty_dates',
    changes: 'times that are not set: absent, null or empty',
    values: (all) => all.filter(({ at }) => TIME_FIELDS.test(at)).flatMap(emptyDates),
  },
  {
    setting: 'time_fraction',
    changes: 'the number of fraction digits of times',
    values: (all) =>
      all
        .filter(({ kind }) => kind === 'format')
        .map(({ detail }) => fractionDigits(detail?.['recorded']))
        .filter((digits) => SETTABLE_DIGITS.has(digits)),
  },
  {
    setting: 'signature_status',
    changes: 'the status of signature errors',
    values: (all) =>
      statuses(all)
        .filter(({ recorded }) => recorded.code === 'signature_required' || recorded.code === 'invalid_signature')
        .map(({ recorded }) => recorded.status)
        .filter((status) => status === 400 || status === 401),
  },
  {
    setting: 'strict_body',
    changes: 'whether unknown fields in a request body are rejected',
    values: (all) =>
      acceptedWhereDifferent(all, ({ requestJson: sent }) => sent !== undefined).map((isAccepted) => !isAccepted),
  },
  {
    setting: 'http_return_url',
    changes: 'whether a `return_url` on a loopback host may be http',
    values: (all) =>
      acceptedWhereDifferent(
        all,
        ({ requestJson: sent }) => parsedUrl(String(sent?.['return_url']))?.protocol === 'http:',
      ),
  },
  {
    setting: 'body_limit',
    changes: 'the size above which request bodies get 413',
    values: bodyLimits,
  },
  {
    setting: 'usdt_rate',
    changes: '`amount_usdt`',
    values: usdtRates,
  },
  {
    setting: 'reserve_pending_refunds',
    changes: 'whether pending refunds reduce the amount that can still be refunded',
    values: (all) =>
      acceptedWhereDifferent(all, ({ operation }) => operation.endsWith('/refund')).map((isAccepted) => !isAccepted),
  },
  {
    setting: 'unknown_bank',
    changes: 'the result of a payout to an unknown bank id',
    values: (all, recording) =>
      statuses(all).some(({ call }) => call.operation === 'POST /v1/public/payouts') ? unknownBanks(recording) : [],
  },
  {
    setting: 'banks',
    changes: 'the number of banks in the directory',
    values: (all) =>
      all.some(({ kind, operation }) => kind === 'length' && operation.endsWith('/banks/sbp')) ? ['full', 'top30'] : [],
  },
  {
    setting: 'stream_second',
    changes: 'the response to a second stream with the same key',
    values: (all) =>
      statuses(all)
        .filter(({ call }) => call.operation.endsWith('/events'))
        .map(({ recorded }) => (recorded.status === 409 ? 'reject' : 'replace')),
  },
  {
    setting: 'idempotency_ttl',
    changes: 'how long an Idempotency-Key is stored',
    values: idempotencyTtls,
  },
  {
    setting: 'link_ttl',
    changes: 'the time from `created_at` to `expires_at`',
    values: (all) => spans(all, 'expires_at').map(({ recorded }) => durationText(recorded)),
  },
  ...METHOD_NAMES.map(
    (method): SettingRule => ({
      setting: `session_ttl.${method}`,
      changes: `how long a bank session of ${method} lasts; it ends at \`processing_until\``,
      values: (all) =>
        spans(all, 'processing_until')
          .filter((span) => span.method === method)
          .flatMap(({ recorded }) => [durationText(Math.floor(recorded / 60_000) * 60_000), durationText(recorded)]),
    }),
  ),
]

const isPresence = (kind: Difference['kind']) => kind === 'missing' || kind === 'added'

/** Returns how the recording represents a time that is not set. */
function emptyDates({ kind, detail = {} }: Difference): ('omit' | 'null' | '')[] {
  const recorded = Object.hasOwn(detail, 'recorded') ? detail['recorded'] : undefined
  if (kind === 'added') return detail['sandbox'] === null || detail['sandbox'] === '' ? ['omit'] : []
  if (recorded === null) return ['null']
  return recorded === '' ? [''] : []
}

interface StatusDetail {
  readonly recorded: CallResponse
  readonly sandbox: CallResponse
  readonly call: RecordedCall
}

function statuses(differences: readonly Difference[]): StatusDetail[] {
  return differences.filter(({ kind }) => kind === 'status').map(({ detail }) => detail as unknown as StatusDetail)
}

/** Returns whether the service accepted the requests on which it and the sandbox disagree. */
function acceptedWhereDifferent(
  differences: readonly Difference[],
  concerns: (call: RecordedCall) => boolean,
): boolean[] {
  return statuses(differences)
    .filter(({ recorded, sandbox, call }) => concerns(call) && isSuccess(recorded.status) !== isSuccess(sandbox.status))
    .map(({ recorded }) => isSuccess(recorded.status))
}

function bodyLimits(differences: readonly Difference[], { calls }: Recording): number[] {
  const found = statuses(differences).filter(
    ({ recorded, sandbox }) => recorded.status === 413 || sandbox.status === 413,
  )
  if (found.length === 0) return []
  // A recording may have more calls than a function may have arguments.
  const accepted = calls.filter(({ status }) => status !== 0 && status !== 413)
  const refused = calls.filter(({ status }) => status === 413)
  const least = accepted.reduce((largest, { size }) => Math.max(largest, size), 1024)
  if (refused.length === 0) return [2 ** Math.ceil(Math.log2(least))]
  const most = refused.reduce((smallest, { size }) => Math.min(smallest, size), Number.POSITIVE_INFINITY) - 1
  // Limits are usually powers of two.
  const power = 2 ** Math.floor(Math.log2(Math.max(1, most)))
  return most < least ? [] : [Math.max(power, least), least]
}

function usdtRates(differences: readonly Difference[], { calls }: Recording): number[] {
  if (!differences.some(({ kind, at }) => kind === 'value' && at.endsWith('amount_usdt'))) return []
  let largest: { readonly amount: number; readonly usdt: number } | undefined
  for (const { response } of calls) {
    const payment = asObject(asObject(response?.json)?.['payment'])
    const [amount, usdt] = [Number(payment?.['amount']), Number(payment?.['amount_usdt'])]
    if (payment?.['currency'] !== 'RUB' || !(usdt > 0)) continue
    // The largest amount has the smallest rounding error.
    if (largest === undefined || amount > largest.amount) largest = { amount, usdt }
  }
  if (largest === undefined) return []
  const rate = largest.amount / 100 / largest.usdt
  return [0, 1, 2, 3, 4, 6].map((digits) => Number(rate.toFixed(digits))).filter((value) => value > 0)
}

function unknownBanks({ calls }: Recording): string[] {
  const failed = calls.some(({ response }) => JSON.stringify(response?.json ?? '').includes('"bank_unknown"'))
  return failed ? ['bank_unknown', 'accept', 'router_error'] : ['accept', 'bank_unknown', 'router_error']
}

function idempotencyTtls(differences: readonly Difference[], { calls, clock }: Recording): string[] {
  const found = statuses(differences).filter(
    ({ recorded, sandbox, call }) =>
      CREATES.test(call.operation) && isSuccess(recorded.status) && isSuccess(sandbox.status),
  )
  return found.flatMap(({ call, recorded }) => {
    const { key } = call
    const first = calls.findLast(
      (other) => other.key === key && other.startedAt < call.startedAt && other.status === 201,
    )
    if (key === undefined || first === undefined) return []
    const age = clock.timeAt(call.startedAt) - clock.timeAt(first.startedAt)
    const rounded = ROUND_TTLS.filter((text) => {
      const ms = parseDuration(text) ?? 0
      return recorded.status === 200 ? ms > age : ms <= age
    })
    const [text] = recorded.status === 200 ? rounded : rounded.toReversed()
    // Without a usual lifetime, the age itself is tried, in whole seconds.
    return [text ?? durationText(Math.floor(age / 1000) * 1000)]
  })
}

/** Lifetimes that services use, the shortest first. */
const ROUND_TTLS = ['1m', '5m', '10m', '15m', '30m', '1h', '2h', '6h', '12h', '24h', '48h', '72h', '7d', '30d']

function spans(differences: readonly Difference[], field: string): { recorded: number; method: unknown }[] {
  return differences
    .filter(
      ({ kind, at, detail }) => kind === 'value' && at.endsWith(field) && typeof detail?.['recorded'] === 'number',
    )
    .map(({ detail }) => ({ recorded: Number(detail?.['recorded']), method: detail?.['method'] }))
}

function durationText(ms: number): string {
  return formatDuration(Math.max(1000, Math.round(ms / 1000) * 1000))
}
