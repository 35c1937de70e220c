// Masking finds secrets and personal data whose name is next to the value, in a list of pairs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMasking } from '../../src/recordings/masking.ts'

const masking = createMasking({ key: Buffer.alloc(32, 7) })
const masked = (text: string, type = '') => masking.body(Buffer.from(text), type)?.toString() ?? ''

const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyz'), minLength: 9, maxLength: 18 })
const named = fc.constantFrom(
  ...['password', 'access_token', 'apiKey', 'cvv', 'пароль', 'Authorization'],
  ...['full_name', 'billing_first_name', 'customerName', 'ФИО', 'email', 'phone', 'iban', 'description'],
)
const labels = fc.constantFrom('name', 'key', 'field', 'id', 'Name', 'header', 'label')
const values = fc.constantFrom('value', 'val', 'Value', 'content')

type Form = (pair: readonly [label: string, name: string], value: readonly [field: string, text: string]) => string

const FORMS: Readonly<Record<string, Form>> = {
  'a list of objects': ([l, n], [v, t]) => JSON.stringify({ a: [{ [l]: n, [v]: t }] }),
  'a list of objects with the value first': ([l, n], [v, t]) => JSON.stringify([{ [v]: t, type: 'x', [l]: n }]),
  'a list of objects with lists of values': ([l, n], [v, t]) => JSON.stringify([{ [l]: n, [v]: ['a', t] }]),
  'a formatted list': ([l, n], [v, t]) => JSON.stringify({ a: [{ [l]: n, [v]: t }] }, null, 2),
  'a list of lists': ([, n], [, t]) =>
    JSON.stringify({
      a: [
        ['b', 'c'],
        [n, t],
      ],
    }),
  'the headers of a request': ([, n], [, t]) => JSON.stringify({ rawHeaders: ['Host', 'a.example', n, t] }),
  'an event stream': ([l, n], [v, t]) => `data: ${JSON.stringify({ a: [{ [l]: n, [v]: t }] })}\n\n`,
  'JSON without its end': ([l, n], [v, t]) => `{"a":[{"${l}":"${n}","${v}":"${t}"},{"c`,
  'JSON without its end and with the value first': ([l, n], [v, t]) => `{"a":[{"${v}":"${t}","${l}":"${n}"},{"c`,
  'JSON inside of a JSON string': ([l, n], [v, t]) => JSON.stringify({ a: JSON.stringify([{ [l]: n, [v]: t }]) }),
  'single quotes': ([l, n], [v, t]) => `[{'${l}': '${n}', '${v}': '${t}'}]`,
  'XML attributes': ([l, n], [v, t]) => `<a><param ${l}="${n}" ${v}="${t}"/></a>`,
  'XML attributes with the value first': ([l, n], [v, t]) => `<input type="hidden" ${v}="${t}" ${l}="${n}">`,
  'an XML element with a name': ([, n], [, t]) => `<a><param name="${n}">${t}</param></a>`,
  'lines of YAML': ([l, n], [v, t]) => `env:\n  - ${l}: ${n}\n    ${v}: ${t}\n`,
}

describe.each(Object.entries(FORMS))('a pair in %s', (_, form) => {
  test('is masked if its name says that the value is secret or personal', () => {
    fc.assert(
      fc.property(named, labels, values, letters, fc.boolean(), (name, label, field, value, isPlain) => {
        const text = masked(form([label, name], [field, value]), isPlain ? 'text/plain' : '')
        expect(text).not.toContain(value)
        expect(text).toContain(name)
      }),
      { numRuns: 200 },
    )
  })

  test('keeps all bytes if its name says nothing', () => {
    fc.assert(
      fc.property(labels, values, letters, (label, field, value) => {
        const bytes = Buffer.from(form([label, 'order_id'], [field, value]))
        expect(masking.body(bytes, 'text/plain')).toBe(bytes)
      }),
      { numRuns: 20 },
    )
  })
})

test.each([
  '{"headers":[{"name":"X-Shop-Auth","value":"hunter-two"},{"name":"Cookie","value":"hunter-two"}]}',
  '{"request":{"headers":{"X-Auth":"hunter-two","Proxy-Authorization":"Basic hunter-two"}}}',
  '{"cookies":[{"name":"sid","value":"hunter-two"}]}',
  '{"cookies":{"sid":"hunter-two"}}',
  '{"password":{"value":"hunter-two"},"phone":{"number":"hunter-two"}}',
])('the headers and cookies of a request inside of a body are masked: %s', (body) => {
  expect(masked(body)).not.toContain('hunter')
  expect(Object.keys(JSON.parse(masked(body)))).toEqual(Object.keys(JSON.parse(body)))
})

test('lists of fields, and pairs that name other things, keep their bytes', () => {
  for (const text of [
    '{"missing":["email","phone"],"code":"x"}',
    '{"banks":[{"id":"100000000111","name":"Bank One"},{"name":"amount","value":100}]}',
    '{"headers":[{"name":"Content-Type","value":"application/json"}]}',
    '{"name":"order_id","value":"a","password":null}',
  ])
    expect(masked(text)).toBe(text)
})
