import { useStore } from './store.ts'

export type Task = (work: () => Promise<string>) => void

/** Returns a function that performs a call of the server, shows its result as a toast, and then loads the view again. */
export function useTask(reload: () => Promise<unknown>): Task {
  const store = useStore()
  return (work) =>
    void (async () => {
      try {
        store.toast(await work())
        await reload()
      } catch (error) {
        store.toast(error instanceof Error ? error.message : String(error), 'failure')
      }
    })()
}
