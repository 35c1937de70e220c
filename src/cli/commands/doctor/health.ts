import { createClient } from '../../../client/client.ts'
import type { HealthView } from '../../../client/control-wire.ts'
import type { FetchLike } from '../../../client/fetch-like.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import type { Session } from '../../session.ts'

/** What a server says of itself. `date`: its machine's clock in ms, where it tells. @throws as a client does */
export async function healthOf({ values }: Session, url: string): Promise<HealthView & { readonly date?: number }> {
  const { fetch, close } = createNodeFetch()
  let date: string | null = null
  const watched: FetchLike = async (to, init) => {
    const reply = await fetch(to, init)
    date = reply.headers.get('date')
    return reply
  }
  try {
    const client = createClient({ fetch: watched, baseUrl: url, controlToken: values.control_token })
    const health = await client.control.health()
    const ms = Date.parse(date ?? '')
    return Number.isNaN(ms) ? health : { ...health, date: ms }
  } finally {
    close()
  }
}
