// How an attempt that a command asked for went: of a replay and of a retry alike.
import type { DeliveryView } from '../../../../client/control-types.ts'
import { idColumn } from '../../../output/id-and-time-columns.ts'
import type { Column } from '../../../output/table.ts'
import { answerText, tookText } from './view.ts'

export interface Sent {
  /** Of the event. */
  readonly id: string
  /** Absent where nobody receives it. */
  readonly delivery?: DeliveryView
}

export const ANSWER_COLUMNS: readonly Column<Sent>[] = [
  idColumn('event', ({ id }) => id),
  { title: 'name', cell: ({ delivery }) => delivery?.event },
  { title: 'answer', cell: ({ delivery }) => (delivery === undefined ? 'nobody receives it' : answerText(delivery)) },
  { title: 'took', cell: ({ delivery }) => tookText(delivery), right: true },
  { title: 'url', cell: ({ delivery }) => delivery?.url, least: 20 },
]
