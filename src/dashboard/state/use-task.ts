import type { MessageKey } from '../text/messages.ts'
import { useText } from '../text/translate.ts'
import { type Confirmation, type ToastContent, useStore } from './store.ts'

export interface Task {
  /**
   * Performs a call to the server, shows the text `done` with the fields of the result, and then loads the view again.
   * Without `done` it shows the `text` of the result.
   * @param values more fields for the text
   */
  (done: MessageKey | undefined, work: () => Promise<unknown>, values?: object): void
  /**
   * Asks before the call is performed.
   * @param look the look of the button that confirms
   */
  ask(
    question: string,
    confirm: MessageKey,
    done: MessageKey,
    work: () => Promise<unknown>,
    look?: Confirmation['look'],
  ): void
}

/** @param reload loads the view again */
export function useTask(reload: () => Promise<unknown> = async () => {}): Task {
  const store = useStore()
  const t = useText()
  const run = (done: MessageKey | undefined, work: () => Promise<unknown>, values?: object) =>
    void (async () => {
      try {
        const result = (await work()) as Partial<ToastContent> | undefined
        const text = done === undefined ? result?.text : t(done, { ...result, ...values })
        store.toast({ text: text ?? '', hasFailed: result?.hasFailed === true })
        await reload()
      } catch (error) {
        store.fail(error)
      }
    })()
  return Object.assign(run, {
    ask: (...[question, confirm, done, work, look]: Parameters<Task['ask']>) =>
      store.open({ kind: 'confirm', question, confirm: t(confirm), look, run: () => run(done, work) }),
  })
}
