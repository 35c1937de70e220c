// Reads the probes of one order or payment.
import type { Probe } from '../audit/ports.ts'
import type { EnactedStory } from './enact-story.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { ORDER_NAMES, type OrderName } from './story.ts'

/** `quick` reads each value once. `settled` reads it until it stays the same. */
export type ReadMode = 'none' | 'quick' | 'settled'

export interface OrderReading {
  /** The probe as given on the command line. */
  readonly probe: string
  readonly order: OrderName
  /** The payment in the story, if the probe asks for a payment. */
  readonly payment?: string
  readonly text: string
}

interface OrderToRead {
  readonly order: OrderName
  readonly payment?: string
  readonly about: { readonly order_id: string; readonly payment_id: string }
}

/** @throws ProbeError */
export async function readOrders(enacted: EnactedStory, ports: ExplorePorts, mode: ReadMode): Promise<OrderReading[]> {
  if (mode === 'none') return []
  const readings = ports.probes
    .filter(({ isPerOrder }) => isPerOrder)
    .flatMap((probe) => targetsOf(probe, enacted).map((target) => readOne(probe, target, mode)))
  return await Promise.all(readings)
}

async function readOne(probe: Probe, { about, order, payment }: OrderToRead, mode: ReadMode): Promise<OrderReading> {
  const { text } = mode === 'settled' ? await probe.settled(about) : await probe.once(about)
  return { probe: probe.label, order, text, ...(payment !== undefined && { payment }) }
}

/** A probe is read once for each payment if it asks for a payment, and once for each order otherwise. */
function targetsOf({ label }: Probe, { events, orders }: EnactedStory): OrderToRead[] {
  const payments = new Map<string, OrderToRead>()
  for (const { order, object, object_id } of events) {
    if (order !== undefined)
      payments.set(object, { order, payment: object, about: { order_id: orders[order], payment_id: object_id } })
  }
  if (/\{payment_id\}|PSP_PAYMENT_ID/.test(label)) return [...payments.values()]
  return ORDER_NAMES.flatMap((name) => {
    const first = [...payments.values()].find(({ order }) => order === name)
    return first === undefined ? [] : [{ order: name, about: first.about }]
  })
}
