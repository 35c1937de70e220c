// Card numbers and secrets are removed from any field and in any spelling, also with --keep-personal-data.
import { describe, expect, test } from 'vitest'
import { containsCard, replaceCards } from '../../src/domain/card-masking.ts'
import { createMasking } from '../../src/recordings/masking.ts'

const KEY = Buffer.alloc(32, 7)
const masking = createMasking({ key: KEY })
const keeping = createMasking({ key: KEY, keepsPersonalData: true })
const kept = (value: unknown) => keeping.json(JSON.stringify(value))

describe('a card number', () => {
  test('is removed if a separator is encoded, a comma, a plus or a line break', () => {
    for (const gap of [
      '+',
      ', ',
      ',',
      '%20',
      '%2D',
      '&nbsp;',
      '&#160;',
      '%C2%A0',
      '\\u00a0',
      '\n',
      '\r\n',
      '\\n',
      '%E2%80%91',
    ])
      for (const number of [
        `4111${gap}1111${gap}1111${gap}1111`,
        `3782${gap}822463${gap}10005`,
        `4111 1111${gap}1111 1111`,
      ]) {
        expect(kept({ note: `card ${number} ok` })).toMatch(/411111\*{6}1111|378282\*{5}0005/)
        expect(kept({ note: number })).toMatch(/411111\*{6}1111|378282\*{5}0005/)
      }
    for (const text of ['password=4111 1111 1111 1111', 'see 4111%2525201111%2525201111%2525201111'])
      expect(kept({ message: text })).not.toMatch(/1111(?:%252520| )1111/)
    expect(kept({ note: '41111111\n11111111' })).not.toContain('11111111')
  })

  test('is not seen in other numbers with these separators', () => {
    for (const text of [
      ...[
        '1000, 2000, 3000, 4000',
        '4100,1200,30,50,70,99,01',
        '2026-11-29T12:00:00+03:00, 2026-11-29',
        '10%20of%2030',
      ],
      ...['1111\n2222\n3333\n4444\n', '4.5, 3.25, 17, 1234567, 12'],
    ])
      expect(replaceCards(text, () => 'card')).toBe(text)
    expect(containsCard('{"a":[4111,\n    1111,\n    1111,\n    1111]}')).toBe(false)
  })
})

describe('a secret', () => {
  const SECRET = 'Tr0ub4dor'

  test('is removed if a text names it', () => {
    for (const text of [
      ...[`password=${SECRET}&x=1`, `password: ${SECRET}`, `Пароль: ${SECRET}`, `note: password: ${SECRET}`],
      ...[
        `<password>${SECRET} ${SECRET}</password>`,
        `--password ${SECRET}`,
        `--api-key=${SECRET}`,
        `X-Api-Key: ${SECRET}`,
      ],
      ...[
        `AWS_SECRET_ACCESS_KEY=${SECRET}`,
        `{"password":"${SECRET}"}`,
        `{'pwd': '${SECRET} ${SECRET}'}`,
        `cvv: ${SECRET}`,
      ],
      ...[
        `see https://x.example/?access_token=${SECRET}`,
        `curl -u admin:${SECRET} https://x.example`,
        `Authorization: ${SECRET}`,
      ],
      ...[`Authorization: Token ${SECRET}`, `password="${SECRET}`],
    ])
      expect(kept({ note: text })).not.toContain(SECRET)
    expect(kept({ note: 'cvv 737, card' })).toBe('{"note":"cvv ***, card"}')
    expect(kept({ note: '{"password":"a b","x":1}' })).toBe(JSON.stringify({ note: '{"password":"***","x":1}' }))
    expect(kept({ note: 'Anna said: call me at 5, name=Ivan' })).toBe('{"note":"Anna said: call me at 5, name=Ivan"}')
  })

  test('is removed if it is the value of a pair with its name, in any order', () => {
    const uuid = '550e8400-e29b-41d4-a716-446655440000'
    for (const each of [masking, keeping])
      for (const secret of [SECRET, uuid, 737, 'page'])
        for (const document of [
          { name: 'password', value: secret },
          { value: secret, name: 'cvv' },
          { headers: [{ Name: 'X-Api-Key', Value: secret }] },
          { key: 'api_key', val: [secret, secret] },
          { key: 'api_key', value: { inner: secret } },
          [['password', secret]],
          {
            fields: [
              ['id', 'evt_1'],
              ['cvc', secret],
            ],
          },
        ])
          expect(each.json(JSON.stringify(document))).not.toContain(String(secret))
  })

  test('leaves other pairs as they are', () => {
    for (const document of [
      { name: 'Anna', value: 'page' },
      { name: 'amount', value: 500 },
      { error: { code: 'invalid_token', message: 'The token is not valid.' } },
      { fields: ['password', 'page'] },
    ])
      expect(kept(document)).toBe(JSON.stringify(document))
  })
})

test('the name of a person in a pair is replaced, also if it is a plain word', () => {
  expect(masking.json('{"name":"last_name","value":"price"}')).toMatch(/"Person [A-Z][a-z]{6}"\}$/)
  expect(masking.json('[["phone",79161234567]]')).not.toContain('1234567')
})
