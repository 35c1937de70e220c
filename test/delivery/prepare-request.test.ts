import { describe, expect, test } from 'vitest'
import { prepareRequest, type WebhookRequestInput } from '../../src/delivery/prepare-request.ts'
import { NO_FAULTS, selectFaults } from '../../src/delivery/webhook-faults.ts'
import { signatureHeader } from '../../src/domain/signatures.ts'
import type { WallTime } from '../../src/domain/time.ts'

const body = '{"id":"evt_1","data":{"amount":15000,"description":"Чай ₽ \\/"}}'
const base: WebhookRequestInput = {
  delivery: {},
  event: { id: 'evt_1', body },
  signer: { secret: 'whs_secret', version: 'v2' },
  v1Form: 'body',
  faults: NO_FAULTS,
  now: 1_764_547_200_999 as WallTime,
}
const faultsOf = (...faults: string[]) => selectFaults(faults.map((fault, i) => ({ id: `flt_${i}`, fault })))
const header = (toPrepare: WebhookRequestInput, name: string) =>
  prepareRequest(toPrepare).headers.find(([known]) => known === name)?.[1]

describe('a webhook request', () => {
  test('has the headers in the order of the spec, whole seconds and the stored bytes', () => {
    const prepared = prepareRequest(base)
    const signature = signatureHeader({ body, secret: 'whs_secret', timestamp: 1_764_547_200 })
    expect(prepared.headers).toEqual([
      ['Content-Type', 'application/json'],
      ['User-Agent', 'psp-webhook/1.0'],
      ['X-PSP-Event-Id', 'evt_1'],
      ['X-PSP-Timestamp', '1764547200'],
      ['X-PSP-Signature', signature],
    ])
    expect(prepared.body).toEqual(Buffer.from(body))
    expect(prepared.changed).toBe(false)
  })

  test('has the time of the first attempt if the delivery stores it', () => {
    expect(header({ ...base, delivery: { timestamp: 1_700_000_000 } }, 'X-PSP-Signature')).toMatch(/^t=1700000000,/)
  })

  test('has the edited body of the delivery, signed as it is sent', () => {
    const delivery = { edited_body: '{"edited": "Ж"}' }
    const prepared = prepareRequest({ ...base, delivery })
    const signature = signatureHeader({ body: delivery.edited_body, secret: 'whs_secret', timestamp: 1_764_547_200 })
    expect(Buffer.from(prepared.body).toString()).toBe(delivery.edited_body)
    expect([prepared.headers[2], prepared.headers[4], prepared.changed]).toEqual([
      ['X-PSP-Event-Id', 'evt_1'],
      ['X-PSP-Signature', signature],
      false,
    ])
  })

  test('has an edited body that is not JSON unchanged, also with the fault reserialised', () => {
    const prepared = prepareRequest({ ...base, delivery: { edited_body: '{"a":' }, faults: faultsOf('reserialised') })
    expect(Buffer.from(prepared.body).toString()).toBe('{"a":')
  })

  test('has v1 only, or v2, as the settings say', () => {
    const signer = { secret: 'whs_secret', version: 'v1' } as const
    expect(header({ ...base, signer }, 'X-PSP-Signature')).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(header({ ...base, v1Form: 'omit' }, 'X-PSP-Signature')).toMatch(/^t=\d+,v2=[0-9a-f]{64}$/)
  })

  test('keeps the v1 form of the settings with the fault v1_only', () => {
    for (const v1Form of ['body', 'timestamped'] as const) {
      const whole = header({ ...base, v1Form }, 'X-PSP-Signature')
      expect(header({ ...base, v1Form, faults: faultsOf('v1_only') }, 'X-PSP-Signature')).toBe(
        whole?.replace(/,v2=.*/, ''),
      )
    }
  })

  test('carries the signature of the original bytes if it is tampered with', () => {
    const prepared = prepareRequest({ ...base, faults: faultsOf('tamper') })
    expect(prepared.headers).toEqual(prepareRequest(base).headers)
    expect(Buffer.from(prepared.body).toString()).toBe(body.replace('15000', '15001'))
    const other = prepareRequest({ ...base, event: { id: 'evt_1', body: '{}' }, faults: faultsOf('tamper') })
    expect(Buffer.from(other.body).toString()).not.toBe('{}')
  })
})

describe('a changed body is signed as it is sent', () => {
  const event = {
    id: 'evt_1',
    body: '{"id":"evt_1","event":"payment.succeeded","data":{"url":"https://a/b","note":"8,20 ₽"}}',
  }
  const sent = (...faults: string[]) => {
    const prepared = prepareRequest({ ...base, event, faults: faultsOf(...faults) })
    const text = Buffer.from(prepared.body).toString()
    const signature = prepared.headers.find(([name]) => name === 'X-PSP-Signature')?.[1]
    const right = signatureHeader({ body: text, secret: 'whs_secret', timestamp: 1_764_547_200 })
    return { text, fits: signature === right, changed: prepared.changed }
  }

  test('unknown_event changes the event name and nothing else', () => {
    const { text, fits, changed } = sent('unknown_event')
    expect(text).toBe(event.body.replace('payment.succeeded', 'payment.reviewed'))
    expect([fits, changed]).toEqual([true, true])
  })

  test('reserialised changes the bytes and not the JSON', () => {
    const { text, fits, changed } = sent('reserialised')
    expect(text).toContain('"https:\\/\\/a\\/b"')
    expect(JSON.stringify(JSON.parse(text))).toBe(event.body)
    expect([fits, changed]).toEqual([true, true])
  })

  test('both faults combine with tamper, which changes the body after signing', () => {
    expect(sent('unknown_event', 'reserialised')).toMatchObject({ fits: true })
    expect(sent('reserialised', 'tamper')).toMatchObject({ fits: false, changed: true })
    expect(sent()).toEqual({ text: event.body, fits: true, changed: false })
  })
})
