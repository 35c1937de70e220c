// Finds rows in the browser. Rows that a list does not contain, or has not loaded yet, are found on the server.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { newRow, type Row } from '../../view-model/rows/rows.ts'
import { browserClock } from './browser-clock.ts'
import { useStore } from './store.ts'

/** Returns the rows whose text contains each word of the search. */
export function useSearch<R>(rows: readonly R[], textOf: (row: R) => readonly unknown[]): readonly R[] {
  const search = (useStore().app.route.query['q'] ?? '').toLowerCase()
  return useMemo(() => {
    const words = search.split(/\s+/).filter(Boolean)
    if (words.length === 0) return rows
    return rows.filter((row) => {
      const text = textOf(row).join(' ').toLowerCase()
      return words.every((word) => text.includes(word))
    })
  }, [rows, search])
}

/** A search is sent to the server if the user stops typing for this many ms. */
const TYPING_PAUSE = 150

const MAX_FOUND = 100

const ID = /^[0-9a-f-]{8,36}$/

const NOTHING: readonly Row[] = []

/**
 * Returns the rows that the server found, or `undefined` until it has responded.
 * @param search an id, the first 8 or more characters of it, or a whole order number; empty: nothing is searched
 */
export function useServerSearch(pane: string, search: string): readonly Row[] | undefined {
  const store = useStore()
  const { lists } = store.app.session.client.control
  const [result, setResult] = useState({ search: '', rows: NOTHING })
  const isWanted = search !== '' && (pane === 'payments' || (pane === 'payouts' && ID.test(search)))
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    const find = async (): Promise<readonly Row[]> => {
      const limit = MAX_FOUND
      if (pane === 'payouts')
        return (await lists.payouts({ id: search, limit })).items.map((payout) => newRow({ id: payout.id, payout }))
      const byOrder = (await lists.payments({ order_id: search, limit })).items
      const byId = ID.test(search) ? (await lists.payments({ id: search, limit })).items : []
      return [...byOrder, ...byId].map((payment) => newRow({ id: payment.id, payment }))
    }
    const timer = browserClock.setTimeout(() => {
      find()
        .catch((error: unknown) => {
          store.fail(error)
          return NOTHING
        })
        .then((rows) => isCurrent && setResult({ search, rows }))
    }, TYPING_PAUSE)
    return () => {
      isCurrent = false
      timer.cancel()
    }
  }, [pane, search, isWanted])
  if (!isWanted) return NOTHING
  return result.search === search ? result.rows : undefined
}
