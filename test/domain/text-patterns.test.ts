// The patterns in the documents describe texts that the parsers accept.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseKey } from '../../src/domain/api-key.ts'
import { isCurrencyCode } from '../../src/domain/currency.ts'
import { WEBHOOK_EVENTS } from '../../src/domain/events.ts'
import { parseFault } from '../../src/domain/fault-syntax.ts'
import { FAULT_TARGETS, type FaultTarget, matches } from '../../src/domain/faults.ts'
import { HTTP_URL_PATTERN, HTTPS_URL_PATTERN, isHttpUrl } from '../../src/domain/http-url.ts'
import { allowListEntryIssue } from '../../src/domain/ip-allow-list.ts'
import { returnUrlIssue } from '../../src/domain/return-url.ts'
import { PLAN_NAMES, parsePlan } from '../../src/domain/simulator-plan.ts'
import {
  ALLOW_LIST_PATTERN,
  API_KEY_PATTERN,
  CURRENCY_PATTERN,
  DURATION_PATTERN,
  faultPattern,
  globPattern,
  INSTANT_PATTERN,
  PLAN_PATTERN,
} from '../../src/domain/text-patterns.ts'
import { parseDuration, parseInstant } from '../../src/domain/time.ts'

const TARGETS = Object.keys(FAULT_TARGETS) as FaultTarget[]

/** Only leap years have February 29. */
const isInstant = (text: string) => parseInstant(text) !== undefined || text.slice(4, 10) === '-02-29'
const isEvent = (pattern: string) => WEBHOOK_EVENTS.some((event) => matches({ event: pattern }, { event }))

interface Case {
  readonly name: string
  readonly pattern: string
  readonly accepts: (text: string) => boolean
  readonly valid: readonly string[]
  readonly invalid: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'a duration',
    pattern: DURATION_PATTERN,
    accepts: (text) => parseDuration(text) !== undefined,
    valid: ['0s', '500ms', '1h30m', '1.5s', '36500d', '1d2h3m4s5ms'],
    invalid: ['', '10', 's', '-1s', '1 s', '36501d', '1e3s'],
  },
  {
    name: 'a time',
    pattern: INSTANT_PATTERN,
    accepts: isInstant,
    valid: ['2026-05-06T12:00:00Z', '2026-05-06t12:00:00.123456789+03:00', '2028-02-29T00:00:00Z'],
    invalid: ['2026-05-06', '2026-02-30T00:00:00Z', '2026-05-06T24:00:00Z', '2026-05-06T12:00:60Z'],
  },
  {
    name: 'a plan',
    pattern: PLAN_PATTERN,
    accepts: (text) => parsePlan(text) !== undefined,
    valid: [...PLAN_NAMES, 'failed:insufficient_funds@30s', ' pending@1h '],
    invalid: ['', 'paid', 'failed:nonsense', 'error', 'cut:1', 'failed@30', 'pending@1s@1s'],
  },
  {
    name: 'a URL',
    pattern: HTTP_URL_PATTERN,
    accepts: isHttpUrl,
    valid: ['https://shop.example/'],
    invalid: ['ftp://shop.example/'],
  },
  {
    name: 'a return_url',
    pattern: HTTPS_URL_PATTERN,
    accepts: (text) => returnUrlIssue(text, { allowLoopbackHttp: false }) === undefined,
    valid: ['https://shop.example/thanks?order=1'],
    invalid: ['http://shop.example/', 'http://localhost/', 'https://user:secret@shop.example/'],
  },
  {
    name: 'a currency',
    pattern: CURRENCY_PATTERN,
    accepts: isCurrencyCode,
    valid: ['RUB', 'JPY'],
    invalid: ['rub', 'XAU', 'AAA', ''],
  },
  {
    name: 'an API key',
    pattern: API_KEY_PATTERN,
    accepts: (text) => parseKey(text) !== undefined,
    valid: ['sk_test_abc123_secret', 'sk_live_abc123_s'],
    invalid: ['sk_prod_abc123_s', 'sk_test_abc_s', 'sk_test_abc123_'],
  },
  {
    name: 'an entry of an allow-list',
    pattern: ALLOW_LIST_PATTERN,
    accepts: (text) => allowListEntryIssue(text) === undefined,
    valid: ['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32', '::', '::1', '1:2:3:4:5:6:7:8'],
    invalid: ['203.0.113.256', '010.0.0.1', '203.0.113.0/33', '1::2::3', '::/129', 'shop.example'],
  },
  {
    name: 'a name of events',
    pattern: globPattern(WEBHOOK_EVENTS),
    accepts: isEvent,
    valid: [...WEBHOOK_EVENTS, '*', 'payment.*', '*.failed'],
    invalid: ['payment', 'payment.paid', 'refund.*', ''],
  },
  ...TARGETS.map((target) => ({
    name: `a fault of ${target}`,
    pattern: faultPattern(target),
    accepts: (text: string) => parseFault(target, text) !== undefined,
    valid: target === 'api' ? ['latency:2s', 'status:503', 'cut'] : ['drop'],
    invalid: ['', 'latency', 'status:200', 'drop:1', 'duplicate:0'],
  })),
]

describe.each(CASES)('the pattern of $name', ({ pattern, accepts, valid, invalid }) => {
  test('the pattern matches only texts that the parser accepts', () => {
    const text = fc.stringMatching(new RegExp(pattern), { maxLength: 200 })
    fc.assert(
      fc.property(text, (one) => accepts(one)),
      { numRuns: 500, seed: 1 },
    )
  })

  test('the pattern matches the usual texts and no invalid ones', () => {
    for (const text of valid) expect([text, accepts(text), new RegExp(pattern).test(text)]).toEqual([text, true, true])
    for (const text of invalid)
      expect([text, accepts(text), new RegExp(pattern).test(text)]).toEqual([text, false, false])
  })
})
