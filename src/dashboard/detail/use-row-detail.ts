// Loads the detail of a delivery or request: the headers and bodies that the lists omit.
import { useEffect, useState } from 'preact/hooks'
import { loadDetail } from '../../view-model/feed/run-call.ts'
import type { Detail } from '../../view-model/model.ts'
import { useStore } from '../state/store.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'

const NOTHING = { events: [], deliveries: [], request: undefined }

/** @param version loads the detail again if it changes */
export function useRowDetail(pane: 'deliveries' | 'requests', id: string, version: unknown): Detail {
  const t = useText()
  const store = useStore()
  const { session } = store.app
  const [detail, setDetail] = useState<Detail>({ pane, id, loading: true, ...NOTHING, problem: undefined })
  useEffect(() => {
    let isCurrent = true
    const load = () =>
      void loadDetail(session.client, pane, id).then(
        (loaded) => isCurrent && setDetail({ pane, id, loading: false, ...NOTHING, problem: undefined, ...loaded }),
        (error: Error) =>
          isCurrent && setDetail({ pane, id, loading: false, ...NOTHING, problem: errorText(error, t) }),
      )
    load()
    const stop = store.onMessages((batch) => batch ?? load())
    return () => {
      isCurrent = false
      stop()
    }
  }, [session, pane, id, version])
  return detail.id === id ? detail : { ...detail, id, loading: true, ...NOTHING, problem: undefined }
}
