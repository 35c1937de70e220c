// Rejects an id that a source of orders returns a second time: two stories that share an order could not be judged.

type OrderSource = (amount: number) => Promise<string | undefined>

/** @param createError returns the error for an id that was returned before */
export function requireNewOrders(source: OrderSource, createError: (id: string) => Error): OrderSource {
  const known = new Set<string>()
  return async (amount) => {
    const id = await source(amount)
    if (id !== undefined && known.has(id)) throw createError(id)
    if (id !== undefined) known.add(id)
    return id
  }
}
