// Loads the detail of a delivery or request: the headers and bodies that the lists omit.
import { loadDetail } from '../../view-model/feed/run-call.ts'
import type { Detail } from '../../view-model/model.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'

/** @param version loads the detail again if it changes */
export function useRowDetail(pane: 'deliveries' | 'requests', id: string, version?: unknown): Detail {
  const t = useText()
  const { client } = useStore().app.session
  const [loaded] = useLoaded(
    () => loadDetail(client, pane, id).catch((error: unknown) => ({ problem: errorText(error, t) })),
    () => false,
    { version },
  )
  const nothing = { events: [], deliveries: [], request: undefined, problem: undefined }
  return { pane, id, loading: loaded === undefined, ...nothing, ...loaded }
}
