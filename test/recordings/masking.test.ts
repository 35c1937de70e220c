import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCardNumber } from '../../src/domain/card-masking.ts'
import { editJson } from '../../src/domain/edit-json.ts'
import { createMasking } from '../../src/recordings/masking.ts'

const KEY = Buffer.from('0123456789abcdef')
const masking = createMasking({ key: KEY })
const keeping = createMasking({ key: KEY, keepsPersonalData: true })

describe('editing a JSON text', () => {
  test('only the edited values change, and all other bytes stay', () => {
    const text = '{ "a" : "x\\u0041", "n":1.50e1,\n"list":[{"a":"y"}, "z"], "t":true }'
    expect(editJson(text, () => undefined)).toBe(text)
    const edited = editJson(text, ({ path, value }) => (path.at(-1) === 'a' ? `${value}!` : undefined))
    expect(edited).toBe('{ "a" : "xA!", "n":1.50e1,\n"list":[{"a":"y!"}, "z"], "t":true }')
  })

  test('the path of a token has the keys above it', () => {
    const seen: string[] = []
    editJson('{"a":{"b":[1,{"c":"d"}]},"e":2}', ({ kind, path, value }) => {
      seen.push(`${kind} ${path.join('.')} ${value}`)
      return undefined
    })
    expect(seen).toEqual(['key  a', 'key a b', 'number a.b 1', 'key a.b c', 'string a.b.c d', 'key  e', 'number e 2'])
  })

  test('any JSON text stays the same without an edit, and is edited as JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(editJson(text, () => undefined)).toBe(text)
        expect(JSON.parse(editJson(text, ({ kind, value }) => (kind === 'number' ? undefined : value)))).toEqual(
          JSON.parse(text),
        )
      }),
    )
  })
})

describe('masking', () => {
  test.each(['0.1e4', '1E3', '-2.50e+2', '9007199254740993', '1e400', '10000000000000000000000000'])(
    'the number %s in a field for amounts is kept',
    (number) => {
      const text = `{"amount":${number},"data":{"total_amount":${number}},"refunds":[{"amount": ${number}}]}`
      expect(masking.json(text)).toBe(text)
      expect(keeping.json(text)).toBe(text)
    },
  )

  test.each([
    ['{"amount":9400000000000000003}', '9400000000000000003'],
    ['{"amount":6212345678901234569e0}', '6212345678901234569'],
    ['{"number":4.111111111111111e15}', '4.111111111111111'],
    ['{"phone":{"amount_phone":7.9161234567e10}}', '7.9161234567'],
    ['{"phone":7.9161234567e10}', '7.9161234567'],
    ['{"cvc":1.23e2}', '1.23'],
    ['{"secret":{"amount":1.23e2}}', '1.23'],
  ])('the number in %s is masked', (text, hidden) => {
    expect(masking.json(text)).not.toContain(hidden)
  })

  test.each(['RUB', 'idr', 'USDT', 'usdt'])('the currency %s is kept', (currency) => {
    const text = JSON.stringify({ currency })
    expect(masking.json(text)).toBe(text)
  })

  test.each(['Rub', 'RUb', 'rUB', 'UsDT', 'QQQ', 'anna', 'XUSDT', 'USDTX'])(
    'the text %s is replaced, because it is not a currency',
    (currency) => {
      expect(masking.json(JSON.stringify({ currency }))).not.toContain(currency)
    },
  )

  const EVENT = `{"id":"evt_0ahimrse7ss0wom3ai5aod8g", "event":"payment.succeeded","created_at":"2026-11-29T13:06:52.627Z","data":{"id":"e0824555-1408-4d64-b529-b5d93eedfa38","order_id":"ord_1764412345678","amount":4111111,"rrn":"274152705779","shop_name":"Local shop","bank_name":"Озон Банк (Ozon)","return_url":"https://shop.example/thanks?order=7","customer_phone_mask":"+7******9648","customer_card_mask":"220000******0003","customer_card_holder":"IVAN PETROV","metadata":{"cart":"42","note_id":"a-1","customer":"Ivan Petrov","phone":"+79161234567","mode":"test"}}}`

  test('personal data of an event is replaced, and all other bytes are kept', () => {
    const masked = masking.json(EVENT)
    const before = JSON.parse(EVENT).data
    const after = JSON.parse(masked).data
    expect(after).toMatchObject({
      customer_phone_mask: expect.stringMatching(/^\+7\*{6}\d{4}$/),
      customer_card_mask: expect.stringMatching(/^220000\*{6}\d{4}$/),
      customer_card_holder: expect.stringMatching(/^PERSON [A-Z]{7}$/),
      metadata: {
        customer: expect.stringMatching(/^Text [A-Z][a-z]{7}$/),
        phone: expect.stringMatching(/^\+7000\d{7}$/),
      },
    })
    for (const field of ['customer_phone_mask', 'customer_card_mask', 'customer_card_holder']) {
      expect(after[field]).not.toBe(before[field])
      after[field] = before[field]
    }
    Object.assign(after.metadata, { customer: 'Ivan Petrov', phone: '+79161234567' })
    expect(after).toEqual(before)
    expect(masked.slice(0, 120)).toBe(EVENT.slice(0, 120))
  })

  test('an event without personal data keeps its bytes', () => {
    const bytes = Buffer.from('{"id": "evt_1", "data": {"amount":1.0, "metadata":{"cart":"a-7"}}}\r\n')
    expect(masking.body(bytes)).toBe(bytes)
  })

  test('the same person has the same pseudonym in every form and file, and another key gives another one', () => {
    const phones = ['+79161234567', '8 (916) 123-45-67', '7 916 123 45 67'].map((phone) => masking.text(phone))
    expect(phones[1]).toMatch(/^8 \(000\) \d{3}-\d{2}-\d{2}$/)
    expect(new Set(phones.map((phone) => phone.replace(/\D/g, '').slice(1))).size).toBe(1)
    expect(masking.json('{"full_name":"Anna  Ivanova"}')).toBe(masking.json('{"full_name":"anna ivanova"}'))
    const other = createMasking({ key: Buffer.from('fedcba9876543210') })
    expect(other.text('+79161234567')).not.toBe(masking.text('+79161234567'))
  })

  test('masking a masked text again changes nothing that names a person', () => {
    const once = masking.json(
      '{"full_name":"Anna","email":"a@b.example","phone":"+79161234567","description":"For Anna"}',
    )
    expect(masking.json(once)).toBe(once)
  })

  test('personal data is kept if the option is set, but card numbers and secrets are not', () => {
    const text = '{"full_name":"Anna","card":"4111 1111 1111 1111","key":"sk_test_abc123_secret","cvc":"123","cvv":777}'
    expect(keeping.json(text)).toBe(
      '{"full_name":"Anna","card":"411111******1111","key":"sk_test_abc123_***","cvc":"***","cvv":"***"}',
    )
  })

  test('a card number next to other numbers is masked, and its field shows nothing that follows it', () => {
    const text =
      '{"note":"4111111111111111 12/29","card_number":"4111111111111111 12/29 123","pan":"card_1NxyzABCDEF0123"}'
    const kept = '{"note":"411111******1111 12/29","card_number":"411111******1111","pan":"card_1NxyzABCDEF0123"}'
    expect(keeping.json(text)).toBe(kept)
    const { note, card_number } = JSON.parse(masking.json(text))
    expect(note).not.toContain('4111111111111111')
    expect(card_number).toBe(JSON.parse(masking.json('{"card_number":"4111111111111111"}')).card_number)
  })

  test('a code as the reason is kept, and a sentence is not', () => {
    expect(masking.json('{"reason":"fraud_check"}')).toBe('{"reason":"fraud_check"}')
    expect(masking.json('{"reason":"Anna asked"}')).toMatch(/^\{"reason":"Text [A-Z][a-z]{7}"\}$/)
  })

  test('headers keep the scheme and the public part of a key', () => {
    expect(masking.header('Authorization', 'Bearer sk_test_abc123_secret')).toBe('Bearer sk_test_abc123_***')
    expect(masking.header('X-Api-Key', 'sk_test_abc123_secret')).toBe('sk_test_abc123_***')
    expect(masking.header('authorization', 'Basic dXNlcjpwdw==')).toBe('Basic ***')
    expect(masking.header('Cookie', 'session=1')).toBe('***')
    expect(masking.header('X-Secret-Word', 'hunter two')).toBe('***')
    expect(masking.header('Proxy-Authorization', 'Basic dXNlcjpwdw==')).toBe('Basic ***')
    expect(masking.header('X-PSP-Event-Id', 'evt_1')).toBe('evt_1')
  })

  test('harmless headers keep their values, also if these look random', () => {
    const headers = [
      ['Idempotency-Key', '0b5d3f2a-9c1e-4c57-9a53-0c1d2e3f4a5b'],
      ['X-PSP-Signature', `t=1764412345,v2=${'0123456789abcdef'.repeat(4)}`],
      ['WWW-Authenticate', 'Bearer realm="api"'],
      ['X-RateLimit-Reset', '1764412345'],
    ] as const
    for (const [name, value] of headers) expect(masking.header(name, value)).toBe(value)
  })

  test('URLs are masked by their segments and parameters', () => {
    expect(masking.header('Location', 'https://h.example/a?client_secret=abc&id=7')).toBe(
      'https://h.example/a?client_secret=***&id=7',
    )
    expect(masking.url('https://h.example/a?X-Amz-Credential=abc&X-Amz-Signature=0a1b')).toBe(
      'https://h.example/a?X-Amz-Credential=***&X-Amz-Signature=***',
    )
    expect(masking.url('https://user:pw@h.example/a?token=abc&id=7')).toBe('https://***@h.example/a?token=***&id=7')
    expect(masking.url('/u/Anna%20P/7?phone=%2B79161234567&a=1#token=abc')).toMatch(
      /^\/u\/x_[a-z]{10}\/7\?phone=%2B7000\d{7}&a=1#token=\*{3}$/,
    )
  })

  test('event streams are masked line by line', () => {
    const stream = ': connected\n\nevent: payment.created\ndata: {"phone":"+79161234567","status":"ok"}\n\n'
    expect(masking.body(Buffer.from(stream))?.toString()).toMatch(
      /^: connected\n\nevent: payment\.created\ndata: \{"phone":"\+7000\d{7}","status":"ok"\}\n\n$/,
    )
  })

  test('an unknown line of an event stream is hidden as a comment, and the other lines are kept', () => {
    const stream = 'x-ivan: 1\nevent: payment.created\ndata\ndata: {"amount":5}\n\n'
    expect(masking.body(Buffer.from(stream))?.toString()).toBe(
      ': ***\nevent: payment.created\n: ***\ndata: {"amount":5}\n\n',
    )
  })

  test('a body that is not JSON is refused, because its fields are not known', () => {
    for (const body of [Buffer.from([0x1f, 0x8b, 0xff]), Buffer.from('hunter2'), Buffer.from('{"a":1}', 'utf16le')])
      expect(masking.body(body)).toBeUndefined()
  })

  test('ids, hashes and times are not taken for card numbers or phones', () => {
    const texts = [
      '4ddd8211-1234-4444-8888-111122223333',
      '11112222-3333-4444-8555-666677778888',
      `sha256=${'4111111111111111a'.repeat(4).slice(0, 64)}`,
      '2026-11-29T12:00:00.123456789+03:00',
      '1764412345678',
      'ord_1764412345678',
      '100000000111',
    ]
    for (const text of texts) expect(masking.text(text)).toBe(text)
  })

  const digits = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
  const card = fc
    .tuple(fc.constantFrom('4', '51', '2200', '2202', '62', '5018'), digits(15))
    .map(([start, rest]) => withCheckDigit((start + rest).slice(0, 15)))
  const phone = digits(9).map((rest) => `+79${rest}`)
  const token = fc.string({ unit: fc.constantFrom(...'abcdefXYZ0123456789'), minLength: 12, maxLength: 30 })
  const secret = fc.tuple(fc.constantFrom('whs_', 'thm_', 'sk_test_abc123_', 'sk_live_abc123_'), token)
  const name = fc.constantFrom('Анна Иванова', 'Ivan Petrov', 'Zoë Müller')

  test('no card number, secret, phone, email or name remains in a body, a header or a URL', () => {
    const noise = fc.string({ maxLength: 20 })
    fc.assert(
      fc.property(
        card,
        phone,
        secret,
        name,
        fc.jsonValue({ maxDepth: 2 }),
        noise,
        (pan, tel, [prefix, hidden], who, any, junk) => {
          const whole = `${prefix}${hidden}`
          const document = {
            any,
            [`key ${tel}`]: pan,
            list: [pan, { note: `call ${tel} or ${pan.replace(/(.{4})(?=.)/g, '$1 ')} ${junk}` }],
            data: {
              customer: { name: who },
              metadata: { a: whole, b: `for ${who}` },
              amount: { pan: Number(pan) },
              phone: tel,
            },
            login: Number(tel.slice(1)),
          }
          const shapes = [
            masking.body(Buffer.from(JSON.stringify(document)))?.toString() ?? '',
            masking.body(Buffer.from(JSON.stringify(document, null, 2)))?.toString() ?? '',
            masking.body(Buffer.from(`data: ${JSON.stringify(document)}\n\n`))?.toString() ?? '',
            masking.header('X-Note', `${whole}, ${tel}, ${pan}`),
            masking.url(
              `https://shop.example/${encodeURIComponent(tel)}/${pan}?key=${whole}&phone=${encodeURIComponent(tel)}`,
            ),
          ]
          const found = shapes.join('\n').replace(/[ -]/g, '')
          for (const value of [pan, tel.slice(1), hidden, who.replace(' ', '')]) expect(found).not.toContain(value)
        },
      ),
    )
  })

  function withCheckDigit(start: string): string {
    const last = [...'0123456789'].find((digit) => isCardNumber(start + digit))
    return start + last
  }
})
