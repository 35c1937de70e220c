// The development secrets in stored rows. A server that other machines can reach must not use them.
import { hasDevelopmentCredentials, isActiveDevelopmentKey, isDevelopmentSecret } from '../domain/default-shop.ts'
import type { Endpoint, Shop } from '../domain/shop.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import type { Tables } from './tables.ts'
import type { World } from './world.ts'

export type ReadRows = <T extends 'shops' | 'keys' | 'endpoints'>(table: T) => Iterable<Tables[T]>

/** Returns whether a secret in use or an active key is a development credential. */
export function anyDevelopmentCredentials(rows: ReadRows): boolean {
  return (
    some(rows('shops'), hasDevelopmentCredentials) ||
    some(rows('endpoints'), ({ secret }) => isDevelopmentSecret(secret)) ||
    some(rows('keys'), isActiveDevelopmentKey)
  )
}

/** Counts the development secrets in lists of former secrets. They are not in use, but an export would show them. */
export function countFormerDevelopmentSecrets(rows: ReadRows): number {
  let count = 0
  for (const list of [...formerLists(rows('shops')), ...formerLists(rows('endpoints'))]) {
    count += list.filter(isDevelopmentSecret).length
  }
  return count
}

export function forgetDevelopmentSecrets(
  _: Input<'forget_development_secrets'>,
  world: World,
  context: Context,
): Commit<null> {
  const draft = new Draft(world, context)
  for (const shop of world.rows('shops')) {
    const { former_secrets, former_signing_secrets } = shop
    if (![former_secrets, former_signing_secrets ?? []].flat().some(isDevelopmentSecret)) continue
    draft.put('shops', {
      ...shop,
      former_secrets: withoutDevelopmentSecrets(former_secrets),
      ...(former_signing_secrets && { former_signing_secrets: withoutDevelopmentSecrets(former_signing_secrets) }),
    })
  }
  for (const endpoint of world.rows('endpoints')) {
    const { former_secrets } = endpoint
    if (!former_secrets.some(isDevelopmentSecret)) continue
    draft.put('endpoints', { ...endpoint, former_secrets: withoutDevelopmentSecrets(former_secrets) })
  }
  return draft.commit(null)
}

function* formerLists(rows: Iterable<Shop | Endpoint>): Generator<readonly string[]> {
  for (const row of rows) {
    yield row.former_secrets
    if ('former_signing_secrets' in row) yield row.former_signing_secrets ?? []
  }
}

const withoutDevelopmentSecrets = (secrets: readonly string[]): string[] =>
  secrets.filter((secret) => !isDevelopmentSecret(secret))

function some<T>(rows: Iterable<T>, test: (row: T) => boolean): boolean {
  for (const row of rows) if (test(row)) return true
  return false
}
