// What happens to the view.
import type { ClockView, DeliveryView, EventView } from '../../client/control-wire.ts'
import type { RequestView } from '../../client/request-wire.ts'
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicPayout } from '../../domain/payout.ts'
import type { Heard } from './message.ts'
import type { PaneName } from './rows.ts'
import type { Line, Size } from './state.ts'
import type { Lists } from './take-lists.ts'

/** `now` is the wall clock, ms. */
export type Action =
  | { readonly type: 'keys'; readonly keys: readonly string[]; readonly now: number }
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'resized'; readonly size: Size }
  | { readonly type: 'line'; readonly line: Line; readonly now: number }
  | { readonly type: 'clock'; readonly clock: ClockView; readonly now: number }
  | { readonly type: 'lists'; readonly lists: Lists }
  | { readonly type: 'heard'; readonly batch: readonly Heard[]; readonly now: number }
  | { readonly type: 'loaded'; readonly pane: PaneName; readonly id: string; readonly found: Found }
  | { readonly type: 'done'; readonly text: string; readonly now: number; readonly made?: Made }
  /** Said in passing; no call was answered. */
  | { readonly type: 'remark'; readonly text: string; readonly now: number }
  | { readonly type: 'failed'; readonly text: string; readonly now: number }

/** What a finished call made: it is shown before the stream tells of it, and chosen. */
export type Made =
  | { readonly pane: 'payments'; readonly payment: PublicPayment }
  | { readonly pane: 'payouts'; readonly payout: PublicPayout }

export type Found =
  | {
      readonly events: readonly EventView[]
      readonly deliveries: readonly DeliveryView[]
      readonly request: RequestView | undefined
    }
  | { readonly problem: string }
