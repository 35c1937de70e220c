// A view with a list and the detail of one row. Every list of the dashboard uses it.

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { openNewForm } from '../../view-model/forms/open-form.ts'
import { useStore } from '../state/store.ts'
import { loadingText, useText } from '../text/translate.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { Icon } from './icon.tsx'
import { useKeys } from './keys.ts'
import type { ListDefinition } from './list-definition.ts'
import { applyQuery, hasFilters } from './list-query.ts'
import { ListTable } from './list-table.tsx'
import { Toolbar } from './toolbar.tsx'

interface ListViewProps<R extends { readonly id: string }> {
  readonly list: ListDefinition<R>
  /** All rows, the newest first. */
  readonly rows: readonly R[]
  /** The rows that match the search of the address. */
  readonly found: readonly R[]
  /** The number of rows that were read so far. Absent: the list is complete. */
  readonly reading: number | undefined
  /** Whether the server is looking for more rows. */
  readonly isSearching?: boolean
  /** Shown above the list, such as a button that creates a row. */
  readonly actions?: ComponentChildren
  /** The detail of the row that the address names. */
  readonly detail: (id: string) => ComponentChildren
  /** Shown between the toolbar and the rows. */
  readonly children?: ComponentChildren
}

export function ListView<R extends { readonly id: string }>(props: ListViewProps<R>) {
  const { list, rows, found, reading, isSearching, detail, children } = props
  const store = useStore()
  const t = useText()
  const { route, session } = store.app
  const { query, id } = route
  const shown = useMemo(
    () =>
      applyQuery(
        found,
        query,
        list.filters,
        list.columns.flatMap(({ key, compare }) => (compare === undefined ? [] : [{ key, compare }])),
      ),
    [found, query, list],
  )
  const { create } = list
  const onNew =
    create === undefined || session.readOnly ? undefined : () => store.open({ kind: 'form', form: openNewForm(create) })
  const actions =
    create && onNew ? (
      <Button look="primary" onClick={onNew}>
        <Icon name="plus" /> {t(`new_${create}`)}
      </Button>
    ) : (
      props.actions
    )
  const nothingFoundText =
    rows.length < list.limit
      ? t('nothing_found_text')
      : `${t('nothing_found_limit', { count: t.number(list.limit) })} ${t('nothing_found_text')}`
  // The search for which the user pressed Enter. Its first row is opened as soon as there is one.
  const [entered, setEntered] = useState('')
  useEffect(() => {
    if (entered === '' || isSearching) return
    const [first] = shown
    if (first !== undefined && entered === query['q']) {
      search.current?.blur()
      store.openRow(first.id)
    } else if (reading !== undefined && entered === query['q']) return
    setEntered('')
  }, [entered, query, isSearching, shown, reading])
  const search = useRef<HTMLInputElement>(null)
  const leave = () => {
    if (document.activeElement === search.current) search.current?.blur()
    else if (id !== '') store.go({ id: '' })
  }
  useKeys({
    '/': (event) => {
      event.preventDefault()
      search.current?.focus()
      search.current?.select()
    },
    n: (event) => {
      event.preventDefault()
      onNew?.()
    },
    Escape: leave,
  })
  return (
    <div class={`list-view ${id === '' ? '' : 'has-detail'}`}>
      <h1 class="unseen">{t(list.title)}</h1>
      <section class="list-side" aria-label={t(list.title)}>
        <Toolbar
          list={list}
          rows={rows}
          shown={shown.length}
          reading={reading}
          search={search}
          onEnter={() => setEntered(query['q'] ?? '')}
          actions={actions}
        />
        {children}
        {shown.length > 0 ? (
          <ListTable list={list} rows={shown} />
        ) : reading === undefined ? (
          hasFilters(query) ? (
            <Empty title={t('nothing_found')} text={nothingFoundText}>
              <Button onClick={() => store.go({ query: {} })}>{t('clear_filters')}</Button>
            </Empty>
          ) : (
            <Empty title={t(list.empty.title)} text={store.app.session.readOnly ? '' : t(list.empty.text)}>
              {actions}
            </Empty>
          )
        ) : (
          <p class="quiet loading" role="status">
            {loadingText(t, reading)}
          </p>
        )}
      </section>
      {id !== '' && <div class="detail-side">{detail(id)}</div>}
    </div>
  )
}
