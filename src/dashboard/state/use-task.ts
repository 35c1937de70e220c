import type { MessageKey } from '../text/messages.ts'
import { useText } from '../text/translate.ts'
import { useStore } from './store.ts'

export interface Task {
  /**
   * Performs a call of the server, shows the text `done` with the fields of its result, and then loads the view again.
   * @param values more fields for the text
   */
  (done: MessageKey, work: () => Promise<unknown>, values?: object): void
  /** Asks before it performs the call. */
  ask(question: string, confirm: MessageKey, done: MessageKey, work: () => Promise<unknown>): void
}

/** @param reload loads the view again */
export function useTask(reload: () => Promise<unknown> = async () => {}): Task {
  const store = useStore()
  const t = useText()
  const run = (done: MessageKey, work: () => Promise<unknown>, values?: object) =>
    void (async () => {
      try {
        const result = await work()
        store.toast(t(done, { ...(result as object | undefined), ...values }))
        await reload()
      } catch (error) {
        store.fail(error)
      }
    })()
  return Object.assign(run, {
    ask: (question: string, confirm: MessageKey, done: MessageKey, work: () => Promise<unknown>) =>
      store.open({ kind: 'confirm', question, confirm: t(confirm), run: () => run(done, work) }),
  })
}
