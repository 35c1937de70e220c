// Values of flags: what is accepted, and the whole error of what is not, one below and one above each limit.

import { describe, expect, test } from 'vitest'
import {
  bankNumber,
  clockText,
  controlToken,
  currencyCode,
  duration,
  durationText,
  instantOrSeconds,
  instantText,
  integer,
  minorUnits,
  nonEmpty,
  oneOf,
  pair,
  phoneNumber,
  positiveDuration,
  probability,
  refundUnits,
  secret,
  settingPair,
  shopSecret,
  sinceText,
  snapshotName,
  statusFilter,
  webhookSecret,
} from '../../../src/cli/parsing/parse.ts'
import { quoteText } from '../../../src/domain/characters.ts'
import { issueOf } from '../issue-of.ts'

const MAX = Number.MAX_SAFE_INTEGER
const DAY = 24 * 60 * 60 * 1000

test.each<[(text: string) => unknown, string, unknown]>([
  [integer(1, 3), '1', 1],
  [integer(1, 3), ' 3 ', 3],
  [integer(-2, 3), '-2', -2],
  [integer(0), String(MAX), MAX],
  [nonEmpty, ' a ', ' a '],
  [minorUnits, '1', 1],
  [refundUnits, '0', 0],
  [duration, ' 15s ', 15_000],
  [duration, '0s', 0],
  [duration, '36500d', 36_500 * DAY],
  [positiveDuration, '1ms', 1],
  [durationText, ' 1h30m ', '1h30m'],
  [instantText, ' 2026-05-06T12:00:00Z ', '2026-05-06T12:00:00Z'],
  [instantOrSeconds, ' 1 ', 1000],
  [instantOrSeconds, '999999999999', 999_999_999_999_000],
  [instantOrSeconds, ' 1970-01-01T00:00:01Z ', 1000],
  [sinceText, ' 10m ', '10m'],
  [sinceText, ' 2026-05-06T12:00:00Z ', '2026-05-06T12:00:00Z'],
  [(text) => oneOf(text, ['cards', 'sbp']), ' sbp ', 'sbp'],
  [pair, 'a =b=c ', ['a', 'b=c ']],
  [pair, 'a=', ['a', '']],
  [settingPair, 'delays.bank=0s', ['delays.bank', '0s']],
  [secret, ' !~\n', '!~'],
  [controlToken, 'x'.repeat(512), 'x'.repeat(512)],
  [clockText, ' frozen ', 'frozen'],
  [probability, '0', 0],
  [probability, '1', 1],
  [probability, ' 0.25', 0.25],
  [currencyCode, 'RUB', 'RUB'],
  [phoneNumber, ' +79161234567 ', '+79161234567'],
  [bankNumber, '100000000008', '100000000008'],
  [statusFilter, '100', '100'],
  [statusFilter, '5XX', '5XX'],
  [snapshotName, 'a', 'a'],
  [snapshotName, `0._-${'z'.repeat(60)}`, `0._-${'z'.repeat(60)}`],
])('%o reads %j as %j', (parse, text, value) => {
  expect(parse(text)).toEqual(value)
})

describe('an integer', () => {
  test.each(['0', '4', '1.5', '1e0', '', '0x1', '--1', '٣'])('the text %j is not an integer from 1 to 3', (text) => {
    expect(issueOf(() => integer(1, 3)(text))).toEqual([
      `${JSON.stringify(text)} is not an integer from 1 to 3.`,
      'Give it in digits, such as 3.',
    ])
  })

  test('has an example within its range', () => {
    expect(issueOf(() => integer(200)('x'))).toEqual([
      '"x" is not an integer of at least 200.',
      'Give it in digits, such as 200.',
    ])
    expect(issueOf(() => integer(0)('-1'))?.[1]).toBe('Give it in digits, such as 100.')
  })

  test('above the largest exact number is too large', () => {
    const tooLarge = [`"9007199254740992" is too large: at most ${MAX}.`, 'Give a smaller number.']
    expect(issueOf(() => integer(0)(' 9007199254740992'))?.[1]).toBe('Give a smaller number.')
    expect(issueOf(() => integer(0)('9007199254740992'))).toEqual(tooLarge)
    expect(issueOf(() => integer(0, 5)('9007199254740992'))?.[0]).toContain('is not an integer from 0 to 5.')
    for (const text of ['+9007199254740992', '1e300'])
      expect(issueOf(() => integer(0)(text))?.[0]).toBe(`"${text}" is not an integer of at least 0.`)
  })
})

test.each<[(text: string) => unknown, string, string, string]>([
  [nonEmpty, ' ', '" " is empty.', 'Give a value, or omit the option.'],
  [minorUnits, '0', '"0" is not an integer of at least 1.', 'Give it in digits, such as 100.'],
  [refundUnits, '-1', '"-1" is not an integer of at least 0.', 'Give it in digits, such as 100.'],
  [minorUnits, '15.5', '"15.5" has a fraction: amounts are whole minor units.', '15.50 RUB is 1550 (kopeks).'],
  [minorUnits, ' 0,05', '" 0,05" has a fraction: amounts are whole minor units.', '0.05 RUB is 5 (kopeks).'],
  [minorUnits, '1.5x', '"1.5x" is not an integer of at least 1.', 'Give it in digits, such as 100.'],
  [minorUnits, 'x1.5', '"x1.5" is not an integer of at least 1.', 'Give it in digits, such as 100.'],
  [minorUnits, '0.00', '"0.00" has a fraction: amounts are whole minor units.', '0.00 RUB is 0 (kopeks).'],
  [minorUnits, '1.500', '"1.500" has a fraction: amounts are whole minor units.', '1500.00 RUB is 150000 (kopeks).'],
  [
    duration,
    '15',
    '"15" is not a duration.',
    'Write it with its unit: 500ms, 15s, 20m, 2h, 3d or 1h30m; 36500d is the longest.',
  ],
  [
    durationText,
    '15',
    '"15" is not a duration.',
    'Write it with its unit: 500ms, 15s, 20m, 2h, 3d or 1h30m; 36500d is the longest.',
  ],
  [positiveDuration, '0s', '"0s" is not above zero.', 'Give a longer duration, such as 15s.'],
  [instantText, '2026-05-06', '"2026-05-06" is not a time.', 'Write it as RFC 3339: 2026-05-06T12:00:00Z.'],
  [
    instantOrSeconds,
    '1000000000000',
    '"1000000000000" is not a time.',
    'Write it as 2026-05-06T12:00:00Z, or in Unix seconds.',
  ],
  [sinceText, 'now', '"now" is neither a duration nor a time.', 'Write 10m, or 2026-05-06T12:00:00Z.'],
  [(text) => oneOf(text, ['cards', 'sbp']), 'card', '"card" is not a valid value.', 'Did you mean cards?'],
  [(text) => oneOf(text, ['cards', 'sbp']), 'q', '"q" is not a valid value.', 'Choose one of cards, sbp.'],
  [pair, 'a', '"a" is not a pair.', 'Write it as key=value, such as order_id=42.'],
  [pair, '=a', '"=a" is not a pair.', 'Write it as key=value, such as order_id=42.'],
  [settingPair, 'a', '"a" is not a pair.', 'Write it as NAME=VALUE, such as delays.bank=0s.'],
  [secret, ' ', 'A secret or key contains invalid characters.', 'Copy it again, without quotes or spaces.'],
  [secret, 'a b', 'A secret or key contains invalid characters.', 'Copy it again, without quotes or spaces.'],
  [secret, 'a\x7f', 'A secret or key contains invalid characters.', 'Copy it again, without quotes or spaces.'],
  [controlToken, 'x'.repeat(513), 'A token has at most 512 characters, and this one has 513.', 'Choose a shorter one.'],
  [probability, '1.01', '"1.01" is not a probability.', 'Give a number from 0 to 1, such as 0.25.'],
  [probability, '-0.01', '"-0.01" is not a probability.', 'Give a number from 0 to 1, such as 0.25.'],
  [probability, ' ', '" " is not a probability.', 'Give a number from 0 to 1, such as 0.25.'],
  [currencyCode, 'rub', '"rub" is not an active ISO 4217 code in upper case.', 'Did you mean RUB?'],
  [currencyCode, ' usd ', '" usd " is not an active ISO 4217 code in upper case.', 'Did you mean USD?'],
  [currencyCode, 'ZZZ', '"ZZZ" is not an active ISO 4217 code in upper case.', 'Write it as RUB, USD or EUR.'],
])('%o refuses %j with a message and a hint', (parse, text, message, hint) => {
  expect(issueOf(() => parse(text))).toEqual([message, hint])
})

test('the error of a clock has every form', () => {
  expect(issueOf(() => clockText('fast'))).toEqual([
    '"fast" is not a clock.',
    expect.stringMatching(/^Write .*frozen.*\.$/),
  ])
})

describe('a text with a form', () => {
  test.each<[(text: string) => unknown, string, readonly string[]]>([
    [
      phoneNumber,
      'not +7 and ten digits',
      ['+7916123456', '+791612345678', '79161234567', 'x+79161234567', '+7916123456x'],
    ],
    [bankNumber, 'not the twelve digits of a bank', ['10000000000', '1000000000000', 'x00000000008']],
    [statusFilter, 'not an HTTP status', ['099', '600', '4x', '44x', '4xxx', 'x404']],
    [
      snapshotName,
      'not a valid name for a snapshot',
      ['', '.a', '-a', '_a', 'A', 'a b', 'a/b', 'a'.repeat(65), '\na/'],
    ],
  ])('%o: a text that is %s is refused', (parse, what, texts) => {
    for (const text of texts) expect(issueOf(() => parse(text))?.[0]).toBe(`${quoteText(text)} is ${what}.`)
  })

  test('has a hint with an example', () => {
    expect(
      [phoneNumber, bankNumber, statusFilter, snapshotName].map((parse) => issueOf(() => parse('?'))?.[1]),
    ).toEqual([
      'Write it as +79161234567.',
      '`psp banks NAME` finds it, as in `psp banks сбер`.',
      'Write one such as 404, or a class such as 4xx.',
      'Use 1 to 64 characters from a-z, 0-9, dot, dash and underscore; the first is a letter or digit.',
    ])
  })
})

test('a secret of the wrong kind is refused', () => {
  expect(shopSecret('signing_secret')(' thm_1234567890123456 ')).toBe('thm_1234567890123456')
  expect(issueOf(() => shopSecret('signing_secret')('whs_1234567890123456'))).toEqual([
    'A whs_ secret signs webhooks. Use a secret that begins with thm_, which signs requests.',
    '`psp shops create` creates a shop with generated secrets.',
  ])
  expect(issueOf(() => webhookSecret('thm_1234567890123456'))).toEqual([
    'A thm_ secret signs requests. Use a secret that begins with whs_, which signs webhooks.',
    'Copy the secret of the endpoint that receives the webhooks.',
  ])
})

test('a quoted text has at most 80 characters', () => {
  expect(quoteText('a'.repeat(80))).toBe(`"${'a'.repeat(80)}"`)
  expect(quoteText('a'.repeat(81))).toBe(`"${'a'.repeat(79)}…"`)
})
