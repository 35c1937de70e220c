// The word that distinguishes a replay from a first delivery.

/** Only replays can be edited. */
export type DeliveryMark = 'replay' | 'edited'

export const MARK_TONES = { replay: 'dim', edited: 'warning' } as const satisfies {
  readonly [M in DeliveryMark]: string
}

interface Marked {
  readonly replay?: boolean | undefined
  readonly edited?: boolean | undefined
}

/** Returns the mark of a delivery, or `undefined` if the event itself created the delivery. */
export function deliveryMark({ replay, edited }: Marked): DeliveryMark | undefined {
  return edited === true ? 'edited' : replay === true ? 'replay' : undefined
}
