// The context of a demo story: a client, a merchant, and functions that print and check what happens.
import type { Client } from '../../../client/client.ts'
import type { AttemptView, DeliveryView } from '../../../client/control-types.ts'
import { formatTimeOfDay } from '../../../terminal/time-format.ts'
import type { Output } from '../../output/output.ts'
import { paintHttp } from '../../output/status-color.ts'
import type { Merchant } from './merchant.ts'

export type Actor = 'shop' | 'bank' | 'clock' | 'webhook'

export interface Stage {
  readonly client: Client
  readonly merchant: Merchant
  title(text: string): void
  /** Prints a step. `at` is on the clock of the sandbox. */
  tell(at: string, who: Actor, text: string): void
  /** Counts a fact, and prints it if it is false. */
  check(fact: boolean, what: string): void
  /** Prints every attempt for an event of `objectId`, checks that the merchant verified it, and returns the delivery. */
  webhook(objectId: string, event: string): Promise<DeliveryView | undefined>
  readonly checks: { readonly seen: number; readonly missed: readonly string[] }
}

export function createStage(out: Output, client: Client, merchant: Merchant): Stage {
  const { paint } = out
  const missed: string[] = []
  let seen = 0

  function tell(at: string, who: Actor, text: string): void {
    if (out.json) out.document({ type: 'step', at, who, text })
    else out.line(`  ${paint.dim(formatTimeOfDay(at))}  ${paint.name(who.padEnd(7))}  ${text}`)
  }

  function check(fact: boolean, what: string): void {
    if (fact) {
      seen++
      return
    }
    missed.push(what)
    if (out.json) out.document({ type: 'missed', what })
    else out.line(`  ${paint.bad('missed')}  ${what}`)
  }

  return {
    client,
    merchant,
    title(text) {
      if (out.json) out.document({ type: 'story', title: text })
      else out.line(`\n${paint.bold(text)}`)
    },
    tell,
    check,
    async webhook(objectId, event) {
      const { items } = await client.control.deliveries.list({ object_id: objectId })
      const delivery = items.find((one) => one.event === event)
      const mine = merchant.received.filter((one) => one.event === event && one.data.id === objectId)
      for (const [at, attempt] of (delivery?.attempts ?? []).entries()) {
        const proof = mine[at]?.verified === true ? 'signature verified' : 'signature NOT verified'
        tell(attempt.at, 'webhook', `${event}  ${answerOf(attempt)}  ${paint.dim(proof)}`)
      }
      check(delivery?.status === 'delivered', `${event} is delivered`)
      check(mine.length > 0 && mine.every(({ verified }) => verified), `the merchant verified every ${event}`)
      check(new Set(mine.map(({ id }) => id)).size === 1, `every attempt of ${event} has the same id`)
      return delivery
    },
    get checks() {
      return { seen, missed }
    },
  }

  function answerOf({ status, error }: AttemptView): string {
    return typeof status === 'number' ? paintHttp(paint, status) : paint.bad(error ?? 'no response')
  }
}
