// Table columns for the result of a replay.
import type { DeliveryView } from '../../../../client/control-types.ts'
import { idColumn } from '../../../output/id-and-time-columns.ts'
import type { Column } from '../../../output/table.ts'
import { answerText, tookText } from './view.ts'

export interface Sent {
  /** Id of the event. */
  readonly id: string
  /** Absent if the event has no receiver. */
  readonly delivery?: DeliveryView
}

export const ANSWER_COLUMNS: readonly Column<Sent>[] = [
  idColumn('event', ({ id }) => id),
  { title: 'name', cell: ({ delivery }) => delivery?.event },
  { title: 'response', cell: ({ delivery }) => (delivery === undefined ? 'no receiver' : answerText(delivery)) },
  { title: 'took', cell: ({ delivery }) => tookText(delivery), right: true },
  { title: 'url', cell: ({ delivery }) => delivery?.url, least: 20 },
]
