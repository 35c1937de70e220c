// Where a shop's webhooks go besides the built-in receiver: to the application under test.
import { requireObject } from '../client/call-arguments.ts'
import type { Client } from '../client/client.ts'
import type { EndpointView } from '../client/control-types.ts'
import { paginate } from '../client/paginate.ts'
import type { WebhookEventName } from '../domain/events.ts'
import { requireAddress } from '../domain/typed-address.ts'
import type { SignatureVersion } from '../domain/webhook-signature.ts'

/** Which events go to an endpoint, and how they are signed. */
export interface EndpointOptions {
  /** Exact names; absent: every event. */
  readonly events?: readonly WebhookEventName[] | undefined
  /** Default `v2`. */
  readonly signature?: SignatureVersion | undefined
}

/** Where a shop's webhooks go besides the receiver. */
export interface TestEndpoints {
  /**
   * From now on the shop's webhooks go there too, signed with its `webhookSecret`.
   * @param url as `psp listen --forward` takes it: `localhost:3000/hooks`, `3000`, `/hooks` (port 3000), a whole url
   * @throws TypeError that says what to write
   * @example await psp.endpoints.add(`localhost:${server.address().port}/hooks`)
   */
  add(url: string, wishes?: EndpointOptions): Promise<EndpointView>
  /** Newest first, without the built-in receiver. */
  list(): Promise<readonly EndpointView[]>
  /** Its waiting attempts stop. */
  remove(id: string): Promise<void>
}

export function endpointsOf({ control }: Client, shopId: string, receiver: () => string): TestEndpoints {
  return {
    add: async (url, wishes = {}) =>
      await control.endpoints.create(shopId, {
        ...requireObject('endpoints.add', wishes, "an object after the url, such as { events: ['payment.failed'] }"),
        url: requireAddress(url, 'receiver', 'endpoints'),
        own_secret: false,
      }),
    list: async () =>
      (await paginate((page) => control.endpoints.list(shopId, page))).filter(({ url }) => url !== receiver()),
    remove: (id) => control.endpoints.remove(id),
  }
}
