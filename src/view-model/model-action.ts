// The actions of the reducer: server data, results of calls, time, and what the user looks at.
import type { ClockView } from '../client/clock-types.ts'
import type { DeliveryView, EventView } from '../client/control-types.ts'
import type { RequestView } from '../client/request-types.ts'
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { Connection, ListViewState, RowsRead } from './model.ts'
import type { Lists } from './rows/merge-lists.ts'
import type { PaneName } from './rows/rows.ts'
import type { ParsedMessage } from './rows/stream-message.ts'

/** `now` is system time in ms. */
export type ModelAction =
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'connection'; readonly connection: Connection; readonly now: number }
  | { readonly type: 'clock'; readonly clock: ClockView; readonly now: number }
  /** @param readOnly whether the token of the client only permits reading */
  | { readonly type: 'access'; readonly readOnly: boolean }
  | { readonly type: 'lists'; readonly lists: Lists }
  /** The first `count` rows of a list were read. They are added to the table when the list is complete. */
  | { readonly type: 'reading'; readonly pane: keyof RowsRead; readonly count: number }
  | { readonly type: 'messages'; readonly batch: readonly ParsedMessage[]; readonly now: number }
  | { readonly type: 'detail_loaded'; readonly pane: PaneName; readonly id: string; readonly loaded: LoadedDetail }
  /** Shows a pane and changes its selection, order or filter. */
  | { readonly type: 'view'; readonly pane: PaneName; readonly change: Partial<ListViewState> }
  | { readonly type: 'call_started' }
  | { readonly type: 'call_done'; readonly text: string; readonly now: number; readonly created?: CreatedObject }
  /** A notice that is not the result of a call. */
  | { readonly type: 'notice'; readonly text: string; readonly now: number }
  | { readonly type: 'call_failed'; readonly text: string; readonly now: number }

/** An object that a call created. The view shows and selects it before the stream reports it. */
export type CreatedObject =
  | { readonly pane: 'payments'; readonly payment: PublicPayment }
  | { readonly pane: 'payouts'; readonly payout: PublicPayout }

export type LoadedDetail =
  | {
      readonly events: readonly EventView[]
      readonly deliveries: readonly DeliveryView[]
      readonly request: RequestView | undefined
    }
  | { readonly problem: string }
