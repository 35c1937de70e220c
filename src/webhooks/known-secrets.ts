// The secrets of a sandbox that may have signed a webhook or a request.
import type { Endpoint, Shop } from '../domain/shop.ts'
import type { KnownSecret } from './diagnosis-input.ts'

export type SecretShop = Pick<
  Shop,
  'id' | 'name' | 'signing_secret' | 'webhook_secret' | 'former_secrets' | 'former_signing_secrets'
>
export type SecretEndpoint = Pick<Endpoint, 'url' | 'secret' | 'former_secrets'>

/** Returns every current and former secret with the name of its owner. */
export function knownSecrets(
  shops: Iterable<SecretShop> = [],
  endpoints: Iterable<SecretEndpoint> = [],
): readonly KnownSecret[] {
  return [
    ...[...shops].flatMap((shop): KnownSecret[] => {
      const label = `shop ${shop.name}`
      const former = (kind: KnownSecret['kind'], secrets: readonly string[] = []) =>
        secrets.map((secret) => ({ secret, kind, label }))
      return [
        { secret: shop.webhook_secret, kind: 'webhook', label },
        { secret: shop.signing_secret, kind: 'signing', label },
        ...former('former_webhook', shop.former_secrets),
        ...former('former_signing', shop.former_signing_secrets),
      ]
    }),
    ...[...endpoints].flatMap(({ url, secret, former_secrets }): KnownSecret[] => [
      ...(secret === undefined ? [] : [{ secret, kind: 'webhook', label: `endpoint ${url}` } as const]),
      ...former_secrets.map(
        (former): KnownSecret => ({ secret: former, kind: 'former_webhook', label: `endpoint ${url}` }),
      ),
    ]),
  ]
}
