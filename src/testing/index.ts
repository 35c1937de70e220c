// `psp-sandbox/testing`: the payment service provider as a test double.

export type { AdvanceReport, ClockView } from '../client/clock-types.ts'
export type { AdvanceBody } from '../client/control-simulator.ts'
export type {
  DeliveryView,
  EndpointView,
  EventView,
  FaultBody,
  FaultView,
  RuleBody,
  RuleView,
  ShopView,
} from '../client/control-types.ts'
export { ApiError, ConnectionError } from '../client/errors.ts'
export type { CreatePaymentBody, CreatePayoutBody, RequestOptions } from '../client/public-types.ts'
export type { WebhookEventName } from '../domain/events.ts'
export type { PublicPayment } from '../domain/payment.ts'
export type { PublicPayout } from '../domain/payout.ts'
export type { PublicRefund } from '../domain/refund.ts'
export { PortUnavailableError } from '../node/server.ts'
export { ExposedCredentialsError, WeakControlTokenError } from '../sandbox.ts'
export type { TestClock } from './clock.ts'
export type { EndpointOptions, TestEndpoints } from './endpoints.ts'
export {
  type ExploredHandler,
  type ExploreHandlerOptions,
  HandlerBugError,
  type HandlerFinding,
  type HandlerReport,
} from './explore-options.ts'
export type { ClockText, InProcessOptions, NewShop, ServerOptions, StartOptions } from './options.ts'
export type { ReceivedWebhook, ResponseFactory, WebhookReceiver, WebhookResponse } from './receiver.ts'
export type { CountedList, Faults, Rules } from './rules-and-faults.ts'
export type { TestShop } from './shop-handle.ts'
export { startSandbox, type TestSandbox, type TestShops } from './start-sandbox.ts'
export type { TestEvent, Where } from './test-event.ts'
export { type WaitOptions, WaitTimeoutError } from './wait-for.ts'
