/** Who waits for the attempt of a delivery to be over. */
export interface Watchers {
  watch(deliveryId: string): Promise<void>
  tell(deliveryId: string): void
  tellAll(): void
}

export function createWatchers(): Watchers {
  const waiting = new Map<string, (() => void)[]>()

  function tell(id: string): void {
    const resolves = waiting.get(id)
    if (resolves === undefined) return
    waiting.delete(id)
    for (const resolve of resolves) resolve()
  }

  return {
    watch: (id) => new Promise((resolve) => void waiting.set(id, [...(waiting.get(id) ?? []), resolve])),
    tell,
    tellAll() {
      for (const id of [...waiting.keys()]) tell(id)
    },
  }
}
