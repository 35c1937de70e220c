// Reads the probes: those of one order or payment, and those of the whole shop.
import type { Subject } from '../audit/effect.ts'
import type { Probe } from '../audit/ports.ts'
import type { EnactedStory } from './enact-story.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { ORDER_NAMES, type OrderName } from './story.ts'

/** `once` reads each value once. `settled` reads it until it stays the same. */
export type ReadMode = 'none' | 'once' | 'settled'

export interface OrderReading {
  /** The probe as given on the command line. */
  readonly probe: string
  readonly order: OrderName
  /** The payment in the story, if the probe asks for a payment. */
  readonly payment?: string
  readonly text: string
}

interface OrderToRead extends Pick<OrderReading, 'order' | 'payment'> {
  readonly about: Subject
}

/** @throws ProbeError */
export async function readOrders(enacted: EnactedStory, ports: ExplorePorts, mode: ReadMode): Promise<OrderReading[]> {
  if (mode === 'none') return []
  const readings = ports.probes
    .filter(({ isPerOrder }) => isPerOrder)
    .flatMap((probe) =>
      ordersFor(probe, enacted).map(async ({ about, ...order }) => {
        const { text } = await probe[mode](about)
        return { probe: probe.label, ...order, text }
      }),
    )
  return await Promise.all(readings)
}

/** A probe is read once for each payment if it asks for a payment, and once for each order otherwise. */
function ordersFor({ label }: Probe, { events, orders }: EnactedStory): OrderToRead[] {
  const payments = new Map<string, Required<OrderToRead>>()
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

/** The value of a probe of the whole shop. */
export interface ShopValue {
  readonly probe: string
  readonly text: string
}

/** The values of a probe of the whole shop, before and after a run. */
export interface ShopReading {
  readonly probe: string
  readonly before: string
  readonly after: string
}

/**
 * Reads the probes of the whole shop.
 * @param enacted the story whose run is being read. A `--probe-cmd` gets the ids of the story's main order and of the
 * object of its first event, and empty strings if there is no story.
 * @throws ProbeError
 */
export async function readShop(
  { probes }: ExplorePorts,
  mode: 'once' | 'learnVolatile' | 'settled',
  enacted?: EnactedStory,
): Promise<ShopValue[]> {
  const about = { order_id: enacted?.orders.main ?? '', payment_id: enacted?.events[0]?.object_id ?? '' }
  const shop = probes.filter(({ isPerOrder }) => !isPerOrder)
  return await Promise.all(shop.map(async (probe) => ({ probe: probe.label, text: (await probe[mode](about)).text })))
}

export function pairValues(before: readonly ShopValue[], after: readonly ShopValue[]): ShopReading[] {
  return before.flatMap(({ probe, text }) => {
    const later = after.find((one) => one.probe === probe)
    return later === undefined ? [] : [{ probe, before: text, after: later.text }]
  })
}
