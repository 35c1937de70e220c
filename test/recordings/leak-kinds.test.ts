// Values that realistic traffic of payment services contains, each as a kind: no value of the kind remains.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bankDirectory } from '../../src/domain/bank.ts'
import { API_ERRORS } from '../../src/domain/errors.ts'
import { EXPIRY_CODES, FAILURE_CODE_NAMES } from '../../src/domain/failure-codes.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import { FAILURE_MESSAGES } from '../../src/http/pages/failure-messages.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import { createMasking, type Masking } from '../../src/recordings/masking.ts'

/** Names of fields with a code that is used once or is on a card. */
const SECURITY_CODES = [
  'ccv',
  'cvd',
  'cvx',
  'cardcvv',
  'mpin',
  'verifyCode',
  'confirm_code',
  'activation_code',
  'sms',
  'code',
]

const KEY = Buffer.alloc(32, 7)
const masking = createMasking({ key: KEY })
const keeping = createMasking({ key: KEY, keepsPersonalData: true })
const masked = (value: unknown) => masking.body(Buffer.from(JSON.stringify(value)))?.toString() ?? ''

/** Not a word of a payment service. */
const letters = (min: number, max: number) =>
  fc
    .string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz'), minLength: min - 2, maxLength: max - 2 })
    .map((text) => `q${text}z`)
const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'123456789'), minLength: min, maxLength: max })
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A name of a person in any case, alone or with others. */
const person = fc
  .array(letters(4, 9), { minLength: 1, maxLength: 2 })
  .chain((words) =>
    fc.constantFrom(words.join(' '), words.map(capitalized).join(' '), words.join(' ').toUpperCase(), words.join('-')),
  )
/** A password, a token or the number of a document. */
const token = fc
  .tuple(letters(2, 9), digits(3, 9))
  .chain(([a, b]) => fc.constantFrom(a + b, b + a, `${a}_${b}`, `${a}-${b}`, a.toUpperCase() + b))

const leaf = (value: unknown): string => {
  const inner = typeof value === 'object' && value !== null ? Object.values(value)[0] : value
  return typeof inner === 'object' && inner !== null ? leaf(inner) : JSON.stringify(inner)
}

/** The property holds for the value in each of the documents. */
function expectReplaced(values: fc.Arbitrary<unknown>, documents: readonly ((value: unknown) => unknown)[]): void {
  fc.assert(
    fc.property(values, fc.constantFrom(...documents), (value, document) => {
      const text = masked(document(value))
      expect(text).not.toContain(JSON.stringify(value))
      expect(leaf(JSON.parse(text))).not.toBe(JSON.stringify(value))
    }),
    { numRuns: 300 },
  )
}

const fields = (...names: string[]) =>
  names.map(
    (name) => (value: unknown) => name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
  )

describe('a value that is not known to be harmless', () => {
  test('is replaced if it is the name of a person or of a company', () => {
    expectReplaced(person, [
      (name) => ({ items: [{ name }] }),
      (name) => ({ banks: [{ name_en: name }] }),
      ...fields(
        'shop_name',
        'merchant_name',
        'terminal_name',
        'bank_name',
        'customer_payer_bank',
        'card_brand',
        'brand',
      ),
    ])
  })

  test('is replaced if it is spelled, or written in another script', () => {
    expectReplaced(
      fc.constantFrom('李', '李 明', '金', 'l e a k o v', 'I.V.A.N', 'Ли\u200bков', '١٢٣'),
      fields('x', 'data.value'),
    )
  })

  test('is replaced if it is a number in a field of an unknown name, and stays a number', () => {
    const notSecret = letters(4, 12).filter((name) => !/cvv|jwt/.test(name))
    fc.assert(
      fc.property(notSecret, digits(3, 12), fc.boolean(), (name, number, isText) => {
        const value = isText ? number : Number(number)
        const after = JSON.parse(masked({ data: { [name]: value } }))
        expect(leaf(after)).not.toBe(JSON.stringify(value))
        expect(typeof JSON.parse(leaf(after))).toBe(typeof value)
      }),
    )
  })

  test('is replaced if it is a code for one use, a document, or an account of a person', () => {
    const names = [
      ...[...SECURITY_CODES, 'confirm'],
      ...['verification.code', 'referral.code', 'promo.code', 'state', 'nonce', 'device_id', 'login_hint', 'user.id'],
      ...['driver_license', 'dni', 'document.id', 'government_id', 'citizen_id', 'customer_id', 'chat_id', 'skype_id'],
      ...['birth_year', 'geburtsdatum', 'tax_id', 'account', 'last4', 'exp', 'pin2', 'value', 'data', 'x', 'number'],
    ]
    // `exp` can be a time in seconds.
    const code = digits(3, 12).filter((text) => !/^1[2-9]\d{8}$/.test(text))
    expectReplaced(fc.oneof(code, token, digits(3, 9).map(Number)), fields(...names))
    expectReplaced(fc.constantFrom('79161234567', 79161234567, 'AB1234561', '1985-03-21', 1985), fields(...names))
    expectReplaced(
      fc.constantFrom('1985-03-21T00:00:00Z', '21.03.1985', 198503),
      fields(...names, 'date', 'created_at'),
    )
  })

  test('is replaced if it is an id that contains a token or a name', () => {
    expectReplaced(
      fc.oneof(
        token,
        fc.tuple(letters(4, 9), digits(6, 6)).map((parts) => parts.join('-')),
      ),
      fields('id', 'customer_id', 'device_id', 'token_id', 'idempotency_key').concat([(id) => ({ users: [{ id }] })]),
    )
    expectReplaced(
      fc.tuple(letters(4, 9), digits(4, 6)).map((parts) => parts.join('-')),
      fields('order_id', 'reference'),
    )
    expectReplaced(fc.constantFrom('p4ssw0rd', 'hu3nt7er', 'abc123def456'), fields('order', 'cart_id', 'item', 'ref'))
  })

  test('is replaced in a sentence, in any place and between any quotes', () => {
    const place = fc.constantFrom(
      (text: string) => `${text} is not found`,
      (text: string) => `The value '${text}' is not valid.`,
      (text: string) => `The value "${text}" is not valid.`,
      (text: string) => `Payment of \`${text}\`, declined`,
      (text: string) => `Клиент «${text}» не найден`,
      (text: string) => `The card of ${text}: declined.`,
      (text: string) => `token=${text}`,
    )
    fc.assert(
      fc.property(fc.oneof(person, token, digits(3, 9)), place, (text, sentence) => {
        const after = masked({ error: { message: sentence(text) } })
        for (const word of text.split(' ')) expect(after).not.toContain(word)
      }),
      { numRuns: 300 },
    )
    for (const number of ['916 123 45 67', '45 10 12', '4 8 2 9', '(12) 34-56'])
      expect(masked({ error: { message: `The code ${number} is not valid.` } })).not.toMatch(/\d/)
    expect(masked({ Message: 'The payment is not pending.' })).toContain('The payment is not pending.')
  })

  test('is replaced in a key, and in the name of a parameter', () => {
    fc.assert(
      fc.property(fc.oneof(person, token), (text) => {
        expect(masked({ balances: { [text]: 1 } })).not.toContain(text)
        expect(decodeURIComponent(masking.url(`https://h.example/a?${encodeURIComponent(text)}=1`))).not.toContain(text)
        expect(decodeURIComponent(masking.url(`https://h.example/users/${encodeURIComponent(text)}`))).not.toContain(
          text,
        )
      }),
    )
  })

  test('is replaced in headers of limits, of challenges and of ids', () => {
    fc.assert(
      fc.property(fc.oneof(person, token), (text) => {
        const headers = [
          ...[
            'X-RateLimit-Key',
            'X-RateLimit-User',
            'X-RateLimit-Policy',
            'X-Forwarded-Prefix',
            'Idempotency-Key',
            'Via',
          ],
          ...['X-Request-Id'],
        ]
        for (const name of headers) expect(masking.header(name, text)).not.toContain(text)
        expect(masking.header('RateLimit', `"${text}";r=5;t=30`)).not.toContain(text)
        expect(masking.header('WWW-Authenticate', `Bearer realm="${text}"`)).not.toContain(text)
      }),
    )
  })
})

describe('a value in a known field', () => {
  test('is replaced if it is not a value of the field: an order number that may be a phone or a document', () => {
    const values = [
      ...['916-123-45-67', '123-45-6789', 'AB1234567', 'QQ-12-34-56-C', 'DE89-3704-0044-0532', '916.123.4567'],
      ...['INV-916-123-4567', '85-05-12', 'AB1234561', '9161234567', '4510123456', '+79161234567', 'Ann-1985'],
    ]
    const names = [
      'order_id',
      'order',
      'order.id',
      'invoice_id',
      'invoice.number',
      'reference',
      'ref',
      'cart',
      'item.id',
    ]
    const others = ['product', 'sku', 'customer_reference', 'shopperReference', 'client_reference_id', 'data.id', 'id']
    expectReplaced(fc.constantFrom(...values, 9161234567, 4510123456), fields(...names, ...others))
    for (const value of values) expect(masking.url(`/orders/${value}?order_id=${value}`)).not.toContain(value)
    for (const name of ['customer_reference', 'shopperReference', 'patient_order_id', 'user_ref'])
      expect(masked({ [name]: 'A-1042' })).not.toContain('A-1042')
  })

  test('is replaced if it is not a value of the field: a status or a type with a word that is not plain', () => {
    const values = [
      'help-masha-petrova',
      'IVANOV',
      'ivan_ivanov',
      'hunter2',
      'qwerty123',
      'correct-horse',
      'Grant Price',
    ]
    const names = ['status', 'type', 'kind', 'event', 'mode', 'method', 'object', 'outcome', 'cause']
    expectReplaced(fc.constantFrom(...values), fields(...names, 'reason_code', 'error.code', 'bank_code'))
    expectReplaced(fc.constantFrom('Ann', 'LEE', 'zzz', 'qqz'), fields('currency', 'currency_code'))
    expectReplaced(fc.constantFrom('li-Wang', 'eva_Bond', 'bob', 'LEE'), fields('locale', 'language', 'country'))
    for (const name of ['event', 'status', 'id', 'order_id'])
      expect(masked({ [name]: 'ivanov-wedding' })).toMatch(/:"x_[a-z]{10}"/)
    expect(masked({ locale: 'ru-RU', lang: 'en', country: 'DE', currency: 'USDT', currency_code: 'rub' })).toBe(
      '{"locale":"ru-RU","lang":"en","country":"DE","currency":"USDT","currency_code":"rub"}',
    )
  })
})

describe('a name that consists of plain words', () => {
  const names = fc.constantFrom('Grant Price', 'Day Long', 'GRANT PRICE', 'J. R. Banks', 'Grant', 'An Do', 'Case')

  test('is replaced in a field that is not listed', () => {
    expectReplaced(names, fields('guest', 'participant', 'x', 'data.value', 'metadata.note_to', 'gift_message'))
  })

  test('is replaced in a sentence, except a single word at its start', () => {
    expect(masked({ message: 'Paid by Grant Price. The card is blocked.' })).toBe(
      '{"message":"Paid by ***. The card is blocked."}',
    )
    expect(masked({ message: 'J. R. Banks is blocked' })).toMatch(/^\{"message":"[*. ]+ is blocked"\}$/)
    expect(masked({ message: 'Grant Price is blocked' })).toMatch(/^\{"message":"[*. ]+ is blocked"\}$/)
    expect(masked({ message: 'The payment of Grant is blocked' })).toBe('{"message":"The payment of *** is blocked"}')
  })
})

test('passwords in other languages are secrets', () => {
  for (const name of ['senha', 'kennwort', 'passwort', 'mot_de_passe', 'contraseña', 'contrasena', 'motDePasse'])
    expect(keeping.json(JSON.stringify({ [name]: 'page' }))).toBe(JSON.stringify({ [name]: '***' }))
})

test('secrets are hidden if they are UUIDs, and if their names are in brackets', () => {
  const uuid = '550e8400-e29b-41d4-a716-446655440000'
  for (const name of ['code', 'state', 'nonce', 'confirm', 'access', 'ticket', 'reset', 'otp', 'auth[code]']) {
    expect(keeping.json(JSON.stringify({ [name]: uuid }))).not.toContain(uuid)
    expect(keeping.url(`/?${name}=${uuid}`)).not.toContain(uuid)
  }
  for (const name of ['reset', 'confirm']) expect(keeping.url(`/${name}/${uuid}`)).not.toContain(uuid)
  for (const name of ['card[cvc]', 'user[otp]', 'card[pin]', 'user.otp', 'form[pwd]']) {
    expect(keeping.json(JSON.stringify({ [name]: '739' }))).not.toContain('739')
    expect(keeping.url(`/?${name}=739`)).not.toContain('739')
  }
})

test('a header that is usually harmless is replaced if its value has another form', () => {
  const headers = [
    ...[
      ['X-Frame-Options', 'ALLOW-FROM https://shop/u/ivan?token=abc'],
      ['Server', 'ivanov-macbook'],
    ],
    ...[
      ['Cache-Control', 'private="ivanov"'],
      ['Content-Type', 'application/json; charset=ivanov'],
    ],
    ...[
      ['X-RateLimit-Reset', 'Mon, 29 ivanov hunter2'],
      ['Range', 'users=ivanov'],
      ['Date', 'ivanov'],
    ],
    ...[
      ['X-PSP-Signature', 't=1,v1=ivanov'],
      ['X-PSP-Simulate', 'ivanov'],
      ['Accept', 'ivanov/petrov'],
    ],
    ...[
      ['Sec-CH-UA-Model', '"ivanov"'],
      ['X-Forwarded-Host', 'a.example/u?x=ivanov'],
      ['Expires', 'ivanov'],
    ],
  ] as const
  for (const [name, value] of headers) expect(masking.header(name as string, value as string)).toBe('***')
  const kept = [
    ...[
      ['Date', 'Mon, 30 Nov 2026 00:41:04 GMT'],
      ['Cache-Control', 'no-cache, no-store, max-age=0'],
    ],
    ...[
      ['Accept', 'application/json, text/event-stream;q=0.9, */*;q=0.1'],
      ['Accept-Encoding', 'gzip, deflate, br'],
    ],
    ...[
      ['Server', 'nginx/1.25.3'],
      ['Host', '127.0.0.1:7771'],
      ['Retry-After', '120'],
      ['Expires', '0'],
    ],
    ...[
      ['Keep-Alive', 'timeout=5, max=100'],
      ['Content-Length', '1048576'],
      ['Transfer-Encoding', 'chunked'],
    ],
    ...[
      ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains; preload'],
      ['Vary', 'Origin'],
    ],
    ...[
      ['Accept-Language', 'ru-RU,ru;q=0.9,en;q=0.8'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Range', 'bytes=0-99'],
    ],
    ...[
      ['Connection', 'keep-alive'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ['X-PSP-Dry-Run', 'true'],
    ],
  ] as const
  for (const [name, value] of kept) expect(masking.header(name as string, value as string)).toBe(value)
})

test('a replaced number keeps its digits, its zeros and its exponent, and stays a number', () => {
  const shape = (text: string) => text.replace(/(?<!e\d*)\d/g, '1')
  for (const value of [
    '123.40',
    '1234.00',
    '1e400',
    '-1e300',
    '12345678901234567890123',
    '-1234',
    '1.5e100',
    '4111111111111',
  ])
    expect(shape(masking.json(`{"x":${value}}`))).toBe(shape(`{"x":${value}}`))
})

test('an amount is kept up to the largest exact number, also if its digits are those of a card', () => {
  for (const amount of [9007199254740991, 4111111111111111, '4111111111111111', -1])
    expect(masked({ amount })).toBe(JSON.stringify({ amount }))
})

test('an Idempotency-Key stays comparable, and a long one stays too long', () => {
  const key = (text: string) => masking.header('Idempotency-Key', text)
  expect(key('leakov-198503')).toBe(key('leakov-198503'))
  expect(key('leakov-198503')).not.toBe(key('leakov-198504'))
  expect(key('leakov-198503')).toMatch(/^[\w-]{8,20}$/)
  expect(key('leakov'.repeat(11))).toHaveLength(66)
})

test('security codes are hidden in JSON and in URLs, also if personal data is kept', () => {
  for (const name of SECURITY_CODES) {
    for (const value of ['123', 4829, 'hunter2'])
      expect(keeping.json(JSON.stringify({ [name]: value }))).toBe(JSON.stringify({ [name]: '***' }))
    expect(keeping.url(`https://h.example/?${name}=482913`)).toBe(`https://h.example/?${name}=***`)
  }
  for (const name of ['confirm', 'state', 'nonce']) expect(keeping.url(`/?${name}=482913`)).toBe(`/?${name}=***`)
})

test('a password in a URL is hidden, also if it is not encoded', () => {
  expect(keeping.url('https://ivan:pa/ss@host.example/x')).not.toContain('ivan')
})

test('URLs inside of one another are hidden below the third one, without a limit of their number', () => {
  const nested = 'http://a.example/?url='.repeat(1500)
  for (const text of [
    masked({ url: `${nested}Leakov` }),
    masking.url(`${nested}Leakov`),
    keeping.url(`${nested}Leakov`),
  ]) {
    expect(text).not.toContain('Leakov')
    expect(text).toContain('http://a.example/?url=***'.slice(0, 20))
  }
})

test('an exchange that cannot be masked is recorded without its values, with a comment', async () => {
  const fail = () => {
    throw new RangeError('Maximum call stack size exceeded')
  }
  const failing: Masking = { ...masking, url: fail, body: fail, header: fail, text: fail }
  const bytes = Buffer.from('{"name":"Leakov"}')
  const message = { headers: [['X-Name', 'Leakov'] as const], body: { bytes, length: bytes.length } }
  const response = { ...message, status: 201, statusText: 'Created' }
  const url = 'https://a.example/Leakov?a=Leakov'
  const exchange = { startedAt: 0, ms: 1, method: 'POST', url, request: message, response, error: 'Leakov failed.' }
  const entry = await exchangeEntry(exchange, failing)
  expect(JSON.stringify(entry)).not.toContain('Leakov')
  expect(entry).toMatchObject({
    request: { url: 'https://a.example', headers: [{ name: 'X-Name', value: '***' }], bodySize: 17 },
    response: { status: 201, headers: [{ name: 'X-Name', value: '***' }], content: { size: 17 } },
    comment: expect.stringMatching(/^The exchange could not be masked, so .* not recorded\./),
  })
})

describe('what a developer needs', () => {
  test('is kept: each field, value and message of the public API', () => {
    const document = publicDocument()
    const names = new Set<string>()
    JSON.stringify(document, (_, value) => {
      for (const name of Object.keys(value?.properties ?? {})) names.add(name)
      return value
    })
    expect(names.size).toBeGreaterThan(50)
    for (const name of names) expect(masked({ [name]: null })).toBe(JSON.stringify({ [name]: null }))
    for (const code of [...FAILURE_CODE_NAMES, ...EXPIRY_CODES, ...Object.keys(API_ERRORS), 'I05043', 'R1', '05'])
      expect(masked({ failure_code: code })).toContain(code)
    for (const [code, { message }] of Object.entries(API_ERRORS))
      expect(masked({ error: { code, message } })).toBe(JSON.stringify({ error: { code, message } }))
    for (const [english, russian] of Object.values(FAILURE_MESSAGES))
      for (const failure_reason of [english, russian])
        expect(masked({ failure_reason })).toBe(JSON.stringify({ failure_reason }))
    const items = bankDirectory('full')
    expect(masked({ items })).toBe(JSON.stringify({ items }))
  })

  test.each([
    { id: 'evt_1', data: { id: 'pay_A-7', order_id: 'A-7' } },
    {
      error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'velocity_exceeded',
        message: 'Your card was declined.',
      },
    },
    {
      resultCode: 'Authorised',
      pspReference: 'NC6HT9CRT65ZGN82',
      merchantReference: 'ORD-2024-000123',
      errorCode: '138',
    },
    {
      id: '23d93cac-000f-5000-8000-126628f15141',
      amount: { value: '2.00', currency: 'RUB' },
      paid: true,
      code: 'not_found',
    },
    {
      id: '5O190127TN364715T',
      intent: 'CAPTURE',
      purchase_units: [{ invoice_id: 'INV-1042' }],
      name: 'UNPROCESSABLE_ENTITY',
    },
    {
      Success: false,
      ErrorCode: '1051',
      Message: 'Недостаточно средств на карте',
      PaymentId: '700001702044',
      Amount: 140000,
    },
    {
      object: 'charge',
      id: 'ch_3MmlLrLkdIwHu7ix0snN0B15',
      created: 1680800504,
      livemode: false,
      last_payment_error: null,
    },
  ])('is kept in %j', (document) => {
    expect(masked(document)).toBe(JSON.stringify(document))
  })
})

describe('the time to mask', () => {
  const time = (text: string) => {
    const start = performance.now()
    masking.json(JSON.stringify({ error: { message: text }, x: text, [text]: 1 }))
    keeping.json(JSON.stringify({ x: text }))
    return performance.now() - start
  }
  const characters = [...'«»“”„"\'`()[]{}<>@+-=_.,:;/\\|&%#$^*!?~ \n\t1aA\u00e9я']
  const parts = [
    '9-',
    'eyJ-',
    'eyJa.',
    '+7',
    'a@',
    '«a',
    "'a",
    'http://',
    'Bearer ',
    '-----BEGIN ',
    '1 ',
    '4=',
    '://a:',
  ]

  test.each([...characters, ...parts])('is proportional to the length of a text that repeats %j', (part) => {
    // Some of the parts look like cards and phones, which take longer.
    const length = part.length === 1 ? 2 ** 18 : 2 ** 17
    const of = (length: number) => part.repeat(Math.ceil(length / part.length))
    const short = Math.min(time(of(length / 8)), time(of(length / 8)))
    // Quadratic time would be 64 times as long for 8 times the length. The rest allows for a pause of a busy machine.
    expect(time(of(length))).toBeLessThan(40 * short + 1500)
  })
})
