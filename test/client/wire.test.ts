// Client and server declare the same types separately. The compiler checks that they match: `npm run types`.
import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type * as clock from '../../src/client/clock-types.ts'
import type * as wire from '../../src/client/control-types.ts'
import type * as listener from '../../src/client/listener-types.ts'
import type { MessageView, RequestView } from '../../src/client/request-types.ts'
import type { ForwardRequest, ForwardResult } from '../../src/delivery/forward-messages.ts'
import type { endpointChange, newEndpointBody } from '../../src/http/control/endpoints.ts'
import type { faultBody } from '../../src/http/control/faults.ts'
import type { listenerBody, resultBody } from '../../src/http/control/listeners.ts'
import type { RESPONSES } from '../../src/http/control/response-schemas.ts'
import type { ruleBody } from '../../src/http/control/rules.ts'
import type { shopBody } from '../../src/http/control/shops.ts'

type Answer<N extends keyof typeof RESPONSES> = z.output<(typeof RESPONSES)[N]>

/** The JSON form of a type, without undefined fields. */
type Sent<T> = T extends string ? T : T extends object ? { readonly [K in keyof T]: Sent<Exclude<T[K], undefined>> } : T

/** `true`, or the fields that only one side has, or `'type'` if the types of a field differ. */
type Fits<From, To> = Compared<Sent<From>, Sent<To>>

type Compared<From, To> = [Exclude<keyof From, keyof To> | Exclude<keyof To, keyof From>] extends [never]
  ? From extends To
    ? true
    : { [K in keyof From & keyof To]: From[K] extends To[K] ? never : K }[keyof From & keyof To]
  : Exclude<keyof From, keyof To> | Exclude<keyof To, keyof From>

/** Responses of the server, which must match the types of the client. */
interface Answers {
  health: Fits<Answer<'Health'>, wire.HealthView>
  clock: Fits<Answer<'Clock'>, clock.ClockView>
  advanced: Fits<Answer<'AdvanceResult'>, clock.AdvanceReport>
  idle: Fits<Answer<'IdleReport'>, clock.IdleView>
  endpoint: Fits<Answer<'EndpointWithSecret'>, wire.EndpointView>
  shop: Fits<Answer<'Shop'>, wire.ShopView>
  shop_created: Fits<Answer<'CreatedShop'>, wire.ShopCreatedView>
  key: Fits<Answer<'ApiKey'>, wire.KeyView>
  event: Fits<Answer<'WebhookEvent'>, wire.EventView>
  delivery: Fits<Answer<'Delivery'>, wire.DeliveryView>
  attempt: Fits<Answer<'Delivery'>['attempts'][number], wire.AttemptView>
  message: Fits<Answer<'Delivery'>['attempts'][number]['request'], MessageView>
  rule: Fits<Answer<'Rule'>, wire.RuleView>
  fault: Fits<Answer<'Fault'>, wire.FaultView>
  request: Fits<Answer<'LoggedRequest'>, RequestView>
  listener: Fits<Answer<'Listener'>, listener.ListenerView>
  afterAttempt: Fits<Answer<'AttemptResult'>, listener.DeliveryState>
  forward: Fits<ForwardRequest, listener.ListenerDelivery>
}

/** Bodies of the client, which must match the types of the server. */
interface Bodies {
  // The body of a new endpoint, and that of a change.
  endpoint: Fits<wire.EndpointBody, Partial<z.input<typeof newEndpointBody>> & z.input<typeof endpointChange>>
  shop: Fits<Omit<wire.ShopBody, 'endpoints'>, Omit<z.input<typeof shopBody>, 'endpoints'>>
  rule: Fits<wire.RuleBody, z.input<typeof ruleBody>>
  fault: Fits<wire.FaultBody, z.input<typeof faultBody>>
  listener: Fits<listener.ListenerBody, z.input<typeof listenerBody>>
  result: Fits<listener.ListenerResult, z.input<typeof resultBody>>
  // Without `undefined` as the type of omitted fields.
  taken: Fits<ForwardResult, z.output<typeof resultBody>>
}

interface AllSame {
  readonly [object: string]: true
}

test('the client and the server declare the fields of each body and response with the same types', () => {
  expectTypeOf<{ [K in keyof Answers]: Answers[K] }>().toExtend<AllSame>()
  expectTypeOf<{ [K in keyof Bodies]: Bodies[K] }>().toExtend<AllSame>()
})
