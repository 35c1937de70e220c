// The public types. A change here is a change for everyone who imports them.
import type { RequestHandler } from 'msw'
import { expectTypeOf, it } from 'vitest'
import type { pspHandlers } from '../../src/msw/index.ts'
import type {
  FaultBody,
  PublicPayment,
  PublicPayout,
  RuleBody,
  StartOptions,
  startSandbox,
  TestEvent,
  TestSandbox,
  TestShop,
  WebhookReceiver,
  Where,
} from '../../src/testing/index.ts'
import type { test } from '../../src/vitest/index.ts'

it('startSandbox returns everything that a test suite needs', () => {
  expectTypeOf<Awaited<ReturnType<typeof startSandbox>>>().toEqualTypeOf<TestSandbox>()
  expectTypeOf<TestSandbox>().toExtend<TestShop>()
  expectTypeOf<TestSandbox['url' | 'apiKey' | 'signingSecret' | 'webhookSecret']>().toEqualTypeOf<string>()
  expectTypeOf<TestSandbox['receiver']>().toEqualTypeOf<WebhookReceiver>()
  expectTypeOf<TestSandbox>().toHaveProperty('payments')
  expectTypeOf<TestSandbox>().toHaveProperty('payouts')
  expectTypeOf<TestSandbox>().toHaveProperty('refunds')
  expectTypeOf<TestSandbox>().toHaveProperty('events')
  expectTypeOf<TestSandbox>().toHaveProperty('deliveries')
  expectTypeOf<TestSandbox>().toHaveProperty('clock')
  expectTypeOf<TestSandbox>().toHaveProperty('rules')
  expectTypeOf<TestSandbox>().toHaveProperty('faults')
  expectTypeOf<TestSandbox>().toHaveProperty('shops')
  expectTypeOf<TestSandbox['fetch']>().toExtend<(url: string) => Promise<Response>>()
  expectTypeOf<TestSandbox['idle' | 'reset' | 'close']>().toEqualTypeOf<() => Promise<void>>()
  expectTypeOf<ReturnType<TestSandbox['shops']['create']>>().toEqualTypeOf<Promise<TestShop>>()
})

it('an event contains the object that its name implies', () => {
  expectTypeOf<TestEvent<'payment.succeeded'>['data']>().toEqualTypeOf<PublicPayment>()
  expectTypeOf<TestEvent<'payout.failed'>['data']>().toEqualTypeOf<PublicPayout>()
  expectTypeOf<TestShop['waitFor']>().parameter(0).toExtend<string>()
})

it('a clock has one of four forms, and a server takes no options of a new sandbox', () => {
  expectTypeOf<{ clock: 'frozen@2026-05-06T12:00:00Z' }>().toExtend<StartOptions>()
  expectTypeOf<{ clock: 'soon' }>().not.toExtend<StartOptions>()
  expectTypeOf<{ url: string; apiKey: string }>().toExtend<StartOptions>()
})

it('a field that rules or faults do not match does not compile', () => {
  const rule = (_: RuleBody) => {}
  const fault = (_: FaultBody) => {}
  rule({ plan: 'failed', match: { order_id: 'A-1', payment_method: 'sbp', 'metadata.cart': 7 } })
  fault({
    target: 'api',
    fault: 'cut',
    match: { order_id: 'A-1', method: 'GET', status: 'pending', 'metadata.cart': '7' },
  })
  fault({ target: 'webhook', fault: 'drop', match: { event: 'payment.*', attempt: 1, phone: '+7*' } })
  // @ts-expect-error a typo
  rule({ plan: 'failed', match: { ordr_id: 'A-1' } })
  // @ts-expect-error rules have no status
  rule({ plan: 'failed', match: { status: 'pending' } })
  // @ts-expect-error a typo
  fault({ target: 'api', fault: 'cut', match: { metdata: '7' } })
})

it('a misspelt name does not compile', () => {
  type Wanted = Parameters<typeof waitForPayment>[0]
  const waitForPayment = (_: Where<'payment.succeeded'>) => {}
  expectTypeOf<{ order_id: string; amount: number; 'metadata.cart': number; id: string }>().toExtend<Wanted>()
  expectTypeOf<{ event: 'payment.succeeded'; object_id: string }>().toExtend<Wanted>()
  // @ts-expect-error order_id
  waitForPayment({ orderid: '1' })
  // @ts-expect-error a field of payouts
  waitForPayment({ recipient: '1' })
  waitForPayment((event) => event.data.amount > 100)
  const start = (_: StartOptions) => {}
  start({ settings: { 'delays.bank': '0s', 'session_ttl.sbp': '1m', magic: false, webhook_retries: ['1s'] } })
  // @ts-expect-error delays.bank
  start({ settings: { 'delays.bnk': '0s' } })
  // @ts-expect-error a duration
  start({ settings: { 'delays.bank': 0 } })
  // @ts-expect-error auto or manual
  start({ settings: { buyer: 'automatic' } })
})

it('handlers take sandboxes and shops, and tests get both', () => {
  expectTypeOf<typeof pspHandlers>().toBeCallableWith({} as TestSandbox, { baseUrls: ['https://api.psp.example'] })
  expectTypeOf<typeof pspHandlers>().toBeCallableWith({} as TestShop)
  expectTypeOf<typeof pspHandlers>().returns.toEqualTypeOf<RequestHandler[]>()
  expectTypeOf<typeof test>().toBeFunction()
})
