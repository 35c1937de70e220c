// Sends a shop's webhooks to the application under test, in addition to the built-in receiver.
import { requireObject } from '../client/call-arguments.ts'
import type { Client } from '../client/client.ts'
import type { EndpointView } from '../client/control-types.ts'
import { paginate } from '../client/paginate.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { SignatureVersion } from '../domain/signatures.ts'
import { requireAddress } from '../domain/typed-address.ts'
import { requireOwn } from './require-own.ts'

/** Which events go to an endpoint, and how they are signed. */
export interface EndpointOptions {
  /** Exact event names. Default: every event. */
  readonly events?: readonly WebhookEventName[] | undefined
  /** Default: `v2`. */
  readonly signature?: SignatureVersion | undefined
}

/** The webhook endpoints of a shop, without the built-in receiver. */
export interface TestEndpoints {
  /**
   * Sends the shop's webhooks to this URL too, signed with the shop's `webhookSecret`.
   * @param url as for `psp listen --forward`: `localhost:3000/hooks`, `3000`, `/hooks` (port 3000) or a whole URL
   * @throws TypeError that names the valid formats
   * @example await psp.endpoints.add(`localhost:${server.address().port}/hooks`)
   */
  add(url: string, options?: EndpointOptions): Promise<EndpointView>
  /** Newest first, without the built-in receiver. */
  list(): Promise<readonly EndpointView[]>
  /**
   * Removes the endpoint and cancels its scheduled attempts.
   * @throws ApiError `not_found` if the id is not one of `list()`
   */
  remove(id: string): Promise<void>
}

export function endpointsOf({ control }: Client, shopId: string, receiver: () => string): TestEndpoints {
  const list = async () =>
    (await paginate((page) => control.endpoints.list(shopId, page))).filter(({ url }) => url !== receiver())
  return {
    add: async (url, options = {}) =>
      await control.endpoints.create(shopId, {
        ...requireObject('endpoints.add', options, "an object after the url, such as { events: ['payment.failed'] }"),
        url: requireAddress(url, 'receiver', 'endpoints'),
        own_secret: false,
      }),
    list,
    async remove(id) {
      await requireOwn('endpoints', list, id)
      await control.endpoints.remove(id)
    },
  }
}
