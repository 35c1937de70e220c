/** Callers that wait until the attempt of a delivery is over. */
export interface CompletionWaiters {
  wait(deliveryId: string): Promise<void>
  resolve(deliveryId: string): void
  resolveAll(): void
}

export function createCompletionWaiters(): CompletionWaiters {
  const waiting = new Map<string, (() => void)[]>()

  function tell(id: string): void {
    const resolves = waiting.get(id)
    if (resolves === undefined) return
    waiting.delete(id)
    for (const resolve of resolves) resolve()
  }

  return {
    wait: (id) => new Promise((resolve) => void waiting.set(id, [...(waiting.get(id) ?? []), resolve])),
    resolve: tell,
    resolveAll() {
      for (const id of [...waiting.keys()]) tell(id)
    },
  }
}
