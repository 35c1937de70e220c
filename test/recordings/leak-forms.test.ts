// A recording keeps only what is known to be harmless, in whatever form a secret or personal data appears.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMasking } from '../../src/recordings/masking.ts'

const KEY = Buffer.alloc(32, 7)
const masking = createMasking({ key: KEY })
const keeping = createMasking({ key: KEY, keepsPersonalData: true })
const masked = (value: unknown) => masking.body(Buffer.from(JSON.stringify(value)))?.toString() ?? ''

/** A text of a person, or a token. Its form does not show that it is harmless. */
const sensitive = fc.oneof(
  fc.constantFrom(
    'Anna P',
    'Анна Петрова',
    'hunter2',
    'ivanpetrov',
    'ivan_petrov',
    'ivan-petrov-9161234567',
    '12.05.1984',
    '1984-05-12',
    'Hunter',
    'LX-a8',
    '4510 123456',
    'Xyz7',
    'correct horse',
  ),
  fc.string({ unit: fc.constantFrom(...'abcXYZ012'), minLength: 9, maxLength: 40 }).map((text) => `q${text}9z`),
)
/** Fields such as `xId` belong to the API, so their texts are kept. */
const name = fc
  .stringMatching(/^[a-z][a-zA-Z_]{0,15}$/)
  .filter((text) => !/(id|ref|rrn|code|kind|mode|type)$/i.test(text))

describe('a text whose form and field are unknown', () => {
  test('is replaced in any JSON, wherever it is', () => {
    fc.assert(
      fc.property(sensitive, fc.array(name, { minLength: 1, maxLength: 4 }), fc.boolean(), (text, path, isList) => {
        const inner = isList ? [text, { name: 'password', value: text }] : text
        const document = path.reduceRight<unknown>((value, key) => ({ [`x${key}q`]: value }), inner)
        for (const body of [document, [document], { data: JSON.stringify(document) }])
          expect(masked(body)).not.toContain(JSON.stringify(text).slice(1, -1))
      }),
      { numRuns: 500 },
    )
  })

  test('is replaced as a key, unless it looks like a name in a program', () => {
    for (const key of ['Anna P', '+79161234567', '4510 123456', 'ivan@mail.ru', 'abc1234567', 'correct horse'])
      expect(masked({ [key]: 1 })).not.toContain(key)
    expect(masked({ oauth2_token_type: 1 })).toBe('{"oauth2_token_type":"***"}')
  })

  test('is replaced in the path and the parameters of a URL', () => {
    fc.assert(
      fc.property(sensitive, name, (text, parameter) => {
        const part = encodeURIComponent(text)
        // A lower-case word may be a part of a path.
        const inPath = /^[a-z_]+$/.test(text) ? [] : [`/a/${part}/b`]
        for (const url of [...inPath, `https://h.example/?x${parameter}q=${part}`, `/#${part}`, `/?next=/a?b=${part}`])
          expect(decodeURIComponent(masking.url(url))).not.toContain(text)
      }),
    )
  })

  test('is replaced in a header that is not known', () => {
    fc.assert(
      fc.property(sensitive, name, (text, header) => {
        expect(masking.header(`X-Q${header}`, text)).toBe('***')
      }),
    )
    for (const header of [
      'X-Forwarded-Access-Token',
      'Accept-Token',
      'Content-Token',
      'X-Forwarded-For',
      'User-Agent',
      'Referer',
    ])
      expect(masking.header(header, 'abc')).toBe('***')
  })
})

describe('a body that is not JSON', () => {
  test.each([
    ['a form', 'password[]=S&customer[name]=Anna+P'],
    ['XML', '<r><password><value>S</value></password></r>'],
    ['a part of a form', '--x\r\nContent-Disposition: form-data; name=a\r\n\r\nS\r\n--x--\r\n'],
    ['JSON without its end', '{"password":"S"'],
    ['JSON with a trailing comma', '{"customer":{"name":"Anna P",}}'],
    ['CSV', 'password,full_name\nS,Anna P'],
    ['one word', 'hunter2'],
    ['JSON with 65 levels', '['.repeat(65) + ']'.repeat(65)],
  ])('is left out if it is %s', (_, body) => {
    expect(masking.body(Buffer.from(body))).toBeUndefined()
    expect(keeping.body(Buffer.from(body))).toBeUndefined()
  })

  test('a body of JSON documents is not left out', () => {
    for (const body of ['', ' \r\n', '{"a":1}\n{"mode":"c"}\r\n', '\ufeff{"status":"paid"}', 'true', '7'])
      expect(masking.body(Buffer.from(body))?.toString()).toBe(body)
  })
})

test('a line of an event stream keeps only documents and single words', () => {
  const stream = ': connected\nid: evt_1\nevent: a.b\nretry: 10\ndata: {"password":\ndata: "S"}\ndata: Hunter 2\n\n'
  expect(masking.body(Buffer.from(stream))?.toString()).toBe(
    ': connected\nid: evt_1\nevent: a.b\nretry: 10\ndata: ***\ndata: ***\ndata: ***\n\n',
  )
})

/** Names of secrets as services spell them. */
const SECRETS = [
  ...[
    'password',
    'password1',
    'passwords',
    'new_password2',
    'passwordConfirmation',
    'pwd',
    'pass',
    'secrets',
    'api_key',
  ],
  ...[
    'accessToken',
    'accesstoken',
    'tokens',
    'token_value',
    'securityCode',
    'security_code',
    'cvn',
    'cvc2',
    'csc',
    'otp_code',
  ],
  ...[
    'sms_code',
    'auth_code',
    'pin_block',
    'pin',
    'hmac',
    'encryption_key',
    'client_assertion',
    'sid',
    'пароль',
    'токен',
  ],
]

test.each(SECRETS)('the value of %s is a secret, also if personal data is kept', (field) => {
  for (const value of ['zebra', 'A-7', 123, { value: 'zebra' }, [{ inner: 'zebra' }]]) {
    const text = keeping.json(JSON.stringify({ [field]: value }))
    expect(text).not.toMatch(/zebra|A-7|123/)
    expect(text).toContain(`"${field}":`)
  }
})

test('tokens of other services are secrets in any field, also if personal data is kept', () => {
  const tokens = [
    ...[`sk_live_${'51Hx'.repeat(6)}`, 'rk_live_12345678', 'whsec_abcdefgh12', `ghp_${'a1'.repeat(12)}`],
    ...[
      'AKIAIOSFODNN7EXAMPLE',
      'xoxb-123456789012',
      `AIza${'b2'.repeat(12)}`,
      'postgres://user:pw1@db/x',
      'eyJhbGciOiJI.eyJzdWIiOiIx.c2ln',
    ],
  ]
  for (const token of tokens) {
    const text = keeping.json(JSON.stringify({ hint: `see ${token}` }))
    expect(text).toContain('***')
    expect(text).not.toContain(token)
  }
  expect(keeping.json('{"hint":"postgres://user:pw1@db/x"}')).toBe('{"hint":"postgres://***@db/x"}')
})

describe('what is kept', () => {
  test.each([
    'evt_0ahimrse7ss0wom3ai5aod8g',
    'e0824555-1408-4d64-b529-b5d93eedfa38',
    'pi_3MtwBwLkdIwHu7ix28a3tqPa',
    'requires_action',
    'v2',
    '42',
    '***',
  ])('the text %s is kept in any field', (text) => {
    expect(masked({ anything: text })).toBe(JSON.stringify({ anything: text }))
  })

  test.each([
    { rrn: '274152705779' },
    { bank_id: '100000000111' },
    { currency: 'RUB' },
    { customer_payer_bank: 'Озон Банк (Ozon)' },
    { banks: [{ name: 'УБРиР', name_en: 'UBRD (Ural Bank for Reconstruction and Development)' }] },
    { items: [{ name: 'Абсолют Банк', member_id: '100000000111' }] },
    { error: { code: 'not_pending', message: 'The payment is not pending.' } },
    { error: { message: 'amount: expected at least 10, got 5. The limit is 10.' } },
    { failure_reason: 'Недостаточно средств', failure_code: 'insufficient_funds' },
    { order_id: 'A-1042', event: 'payment.succeeded', method: 'sbp' },
    { return_url: 'https://shop.example/thanks?order=A-1001' },
    { amount: 150000000, timestamp: 1764412345678, price: '1500.00', total: 0.5, quantity: 12, limit: 100 },
    { created_at: '2026-11-29T12:00:00.123456789+03:00', date: '2026-11-29', updated: '0001-01-01T00:00:00Z' },
    { created: 1262304000, start: 1262304000000, date: '2010-01-01', end: 0, until: '1970-01-01T00:00:00Z' },
    { cart_id: 'ord_1764412345678', invoice: { number: 'INV-2026-000123' }, reference: '#1042' },
    { bank_failure_code: 'I05043', error: { code: 10002 }, errorCode: '130', api_version: '2024-06-20', status: 402 },
  ])('the document %j is kept, because only the service or a program fills the field', (document) => {
    expect(masked(document)).toBe(JSON.stringify(document))
  })
})

test('a sentence of the service keeps its common words', () => {
  const message =
    'order_id: expected text, got "Anna". Then ask Ivan Petrov, 916 123 45 67 or ivan@mail.ru, about 4510123456 now.'
  expect(masked({ error: { message } })).toBe(
    '{"error":{"message":"order_id: expected text, got ***. Then ask ***, *** or ***, about *** now."}}',
  )
})

test('fields of persons, documents and secrets are replaced, whatever their end is', () => {
  const document = {
    tax_id: '078-05-1120',
    passport_id: 'A-1234',
    telegram_id: 'a-7',
    first_name_en: 'anna',
    passport: { series: '4512', number: 123456 },
    dob: { day: 13, year: 1985 },
    gift_card_code: 'ABCD-1234-EFGH',
    totp: '482913',
    passcode: '4829',
    push_id: 'fcmTOKEN7',
    id: 'pi_3Mt_secret_7',
    message: 'Petrov',
    gift_message: 'dear anna',
    failure_reason: 'Petrov',
  }
  const text = masked(document)
  for (const value of JSON.stringify(document).match(/(?<=:")[^"]+(?=")|(?<=:)\d+/g) ?? [])
    expect(text).not.toMatch(new RegExp(`[:"]${value}[",}]`))
})

test('amounts, times and codes of other services are kept', () => {
  for (const document of [
    { Amount: 1400000, total: 25000000, createdAt: 1716999999999, created: 1716999999 },
    { amount: '12500000.00', at: '2018-12-10 21:20:49', time: '2018-12-10T21:20:49+0000' },
    { state: 'CHARGEBACK', result: 'OK', paymentSystem: 'VISA', id: 'E0824555-1408-4D64-B529-B5D93EEDFA38' },
    { order_id: '#1042', failure_reason: 'INSUFFICIENT_FUNDS (51)' },
  ])
    expect(masked(document)).toBe(JSON.stringify(document))
})

test('a time before 2010 is replaced, because it may be a date of birth', () => {
  for (const time of [1262303999, 1262303999999, 1200000000, '2009-12-31'])
    expect(masked({ date: time, created: time })).not.toContain(String(time))
})

test('an id without a digit is replaced, because it may be a name', () => {
  expect(masked({ customer_id: 'ivan-petrov', order_id: 'petrov' })).not.toContain('petrov')
})

test('the name of a person is replaced in a field for names, also if it is a single word', () => {
  for (const field of ['cardholder_name', 'holderName', 'name_on_card', 'nickname', 'login', 'фамилия'])
    expect(masked({ [field]: 'anna' })).toMatch(/"Person [A-Z][a-z]{6}"\}$/)
  expect(masked({ customers: [{ name: 'Anna P' }] })).toMatch(/"Person [A-Z][a-z]{6}"\}\]\}$/)
})

test('a long number is replaced by another number, except amounts and times', () => {
  expect(masked({ x: 9161234567 })).toMatch(/^\{"x":\d{10}\}$/)
  expect(masked({ x: 9161234567 })).not.toContain('1234567')
  expect(masked({ x: 123456, y: -1.5e21, z: 0 })).toMatch(/^\{"x":\d{6},"y":-\d\.\de\+21,"z":0\}$/)
})

test('a date of birth and the number of a document keep their form', () => {
  const text = masked({ birth_date: '1987-05-06', inn: '500100732259', passport: '4510 123456', birthday: 19870506 })
  expect(JSON.parse(text)).toEqual({
    birth_date: '2000-01-01',
    inn: expect.stringMatching(/^(\d{12}|\*{12})$/),
    passport: expect.stringMatching(/^\d{4} \d{6}$/),
    birthday: expect.any(Number),
  })
  for (const value of ['1987', '500100732259', '4510 123456']) expect(text).not.toContain(value)
})

test('an email or a phone is replaced by one, in any field', () => {
  expect(masked({ a: 'ivan@mail.ru', b: '+7 916 123-45-67' })).toMatch(
    /^\{"a":"user-[a-z]{8}@example\.invalid","b":"\+7 000 \d{3}-\d{2}-\d{2}"\}$/,
  )
})

test('a URL keeps its origin and the number of its segments', () => {
  fc.assert(
    fc.property(fc.webPath(), sensitive, (path, text) => {
      const before = new URL(`https://a.example:81${path}/${encodeURIComponent(text)}`)
      const after = new URL(masking.url(before.href))
      expect(after.origin).toBe(before.origin)
      expect(after.pathname.split('/')).toHaveLength(before.pathname.split('/').length)
    }),
  )
})

test('a long text stays as long, because a service may reject it for its length', () => {
  const [text] = Object.values(JSON.parse(masked({ description: 'Anna '.repeat(60) })))
  expect(text).toHaveLength(300)
  expect(masked({ description: text })).toBe(JSON.stringify({ description: text }))
})

test('a body of a megabyte is masked in linear time', () => {
  // A pattern with quadratic time would need minutes.
  for (const body of ['a', '1 ', 'a@', '&=', '+7', '4111 ', '<a ', '{"a":'].map((part) =>
    part.repeat(2 ** 20 / part.length),
  ))
    for (const document of [{ x: body }, { [body]: 1 }])
      expect(masking.json(JSON.stringify(document)).length).toBeGreaterThan(10)
})
