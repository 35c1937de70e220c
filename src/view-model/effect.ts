// Effects as data. In `psp ui` the reducer requests them, and their results are dispatched as actions. In the
// dashboard, forms and buttons perform some of them.
import type { AdvanceBody } from '../client/control-simulator.ts'
import type { CreatePaymentBody, CreatePayoutBody } from '../client/public-types.ts'
import type { PaneName } from './rows/rows.ts'

export type Effect =
  | { readonly do: 'create_payment'; readonly body: CreatePaymentBody; readonly outcome: string | undefined }
  | { readonly do: 'create_payout'; readonly body: CreatePayoutBody; readonly outcome: string | undefined }
  | { readonly do: 'pay'; readonly id: string }
  | { readonly do: 'decline'; readonly id: string; readonly code: string }
  | { readonly do: 'cancel'; readonly id: string }
  | { readonly do: 'refund'; readonly id: string; readonly amount: number; readonly reason: string | undefined }
  | { readonly do: 'settle'; readonly id: string; readonly status: 'succeeded' | 'failed'; readonly code?: string }
  | {
      readonly do: 'replay'
      readonly event_id: string
      readonly url?: string
      readonly endpoint_id?: string
      readonly same_timestamp?: boolean
      /** Sent instead of the event's own body. */
      readonly body?: string
    }
  | { readonly do: 'replay_newest'; readonly object_id: string }
  | { readonly do: 'retry'; readonly delivery_id: string }
  | { readonly do: 'retry_newest'; readonly object_id: string }
  | { readonly do: 'advance'; readonly body: AdvanceBody }
  | { readonly do: 'freeze' | 'resume' }
  | { readonly do: 'open'; readonly id: string }
  /** @param attempt its number; by default that of the last attempt */
  | { readonly do: 'verify'; readonly delivery_id: string; readonly attempt?: number }
  /** Continues after a refusal of one call, and stops at an error that every call would get. */
  | { readonly do: 'each'; readonly calls: readonly SingleCall[] }
  /** @param what a short name of the text for the notice */
  | { readonly do: 'copy'; readonly text: string; readonly what?: string }
  | DetailRequest
  | { readonly do: 'quit' }

/** The attempt that a message of the stream reports. */
export interface AttemptOfMessage {
  readonly delivery_id: string
  readonly number: number
}

export interface DetailRequest {
  readonly do: 'load'
  readonly pane: PaneName
  readonly id: string
  /** The attempt of a stream message. */
  readonly attempt?: AttemptOfMessage
  /** Present if a command waits for the detail, so it is loaded without a delay. */
  readonly immediately?: true
}

const OTHER_EFFECTS = ['copy', 'load', 'quit', 'each'] as const

/** An effect that `runCall` performs. A notice shows its result. */
export type SingleCall = Exclude<Effect, { do: (typeof OTHER_EFFECTS)[number] }>

export function isSingleCall(effect: Effect): effect is SingleCall {
  return !OTHER_EFFECTS.some((other) => other === effect.do)
}
