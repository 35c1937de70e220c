// The search, the filters and the number of rows above a list. The address contains the search and the filters.

import type { ComponentChildren, RefObject } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { useStore } from '../state/store.ts'
import { loadingText, useText } from '../text/translate.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import type { ListDefinition, ListFilter } from './list-definition.ts'
import { hasFilters } from './list-query.ts'

interface ToolbarProps<R extends { readonly id: string }> {
  readonly list: ListDefinition<R>
  readonly rows: readonly R[]
  readonly shown: number
  readonly reading: number | undefined
  readonly search: RefObject<HTMLInputElement | null>
  /** Called if the user presses Enter in the search. */
  onEnter(): void
  readonly actions: ComponentChildren
}

export function Toolbar<R extends { readonly id: string }>(props: ToolbarProps<R>) {
  const { list, rows, shown, reading, search, actions, onEnter } = props
  const store = useStore()
  const t = useText()
  const { query, id } = store.app.route
  const isFiltered = hasFilters(query)
  const [isOpen, setOpen] = useState(id === '' && hasFilters({ ...query, q: '' }))
  // Each letter replaces the address, so that the back button leaves the list at once.
  const setQuery = (change: Record<string, string>) => store.go({ query: { ...query, ...change } }, true)
  return (
    <div class="toolbar">
      <div class="toolbar-title">
        <p class="list-title" aria-hidden="true">
          {t(list.title)}
        </p>
        <span class="quiet count" role="status">
          {reading !== undefined
            ? loadingText(t, reading)
            : shown === rows.length
              ? t('count_all', { count: t.number(shown) })
              : t('count_some', { count: t.number(shown), total: t.number(rows.length) })}
          {reading === undefined && rows.length >= list.limit && ` ${t('limit_reached')}`}
        </span>
        <span class="spring" />
        {actions}
      </div>
      <div class={`filters ${isOpen ? 'is-open' : ''}`}>
        <label class="search">
          <Icon name="search" />
          <span class="unseen">{t('search')}</span>
          <input
            ref={search}
            type="search"
            placeholder={t(list.searchHint)}
            value={query['q'] ?? ''}
            onInput={(event) => setQuery({ q: event.currentTarget.value })}
            onKeyDown={({ key, isComposing }) => key === 'Enter' && !isComposing && onEnter()}
            autocomplete="off"
            spellcheck={false}
            aria-keyshortcuts="/"
          />
          <kbd aria-hidden="true">/</kbd>
        </label>
        <Button
          look={`filter-toggle ${hasFilters({ ...query, q: '' }) ? 'is-set' : ''}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('filters')}
        </Button>
        {list.filters.map((filter) =>
          filter.choices === 'date' ? (
            DATES.map((key) => (
              <label key={key} class={`filter ${query[key] ? 'is-set' : ''}`}>
                <span>{t(key)}</span>
                <input
                  type="date"
                  value={query[key] ?? ''}
                  onChange={({ currentTarget }) => setQuery({ [key]: currentTarget.value })}
                />
              </label>
            ))
          ) : (
            <FilterField
              key={filter.key}
              filter={filter}
              rows={rows}
              value={query[filter.key] ?? ''}
              onChange={(value) => setQuery({ [filter.key]: value })}
            />
          ),
        )}
        {isFiltered && (
          <Button look="plain" onClick={() => store.go({ query: {} })}>
            {t('clear_filters')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface FilterFieldProps<R> {
  readonly filter: ListFilter<R>
  readonly rows: readonly R[]
  readonly value: string
  onChange(value: string): void
}

/** The parameters of the first and the last day, in UTC. */
const DATES = ['from', 'to'] as const

const MAX_CHOICES = 40

function FilterField<R>({ filter, rows, value, onChange }: FilterFieldProps<R>) {
  const t = useText()
  const { choices, read } = filter
  const found = useMemo(() => {
    if (choices !== undefined) return choices
    return [...new Set(rows.map(read))].filter((each) => each !== '').slice(0, MAX_CHOICES)
  }, [choices, read, rows])
  // A single value, such as the only shop, needs no filter.
  if (choices === undefined && found.length < 2 && value === '') return null
  return (
    <label class={`filter ${value === '' ? '' : 'is-set'}`}>
      <span>{t(filter.title)}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{t('filter_any')}</option>
        {(found as readonly string[]).map((each) => (
          <option key={each} value={each}>
            {filter.key === 'shop' ? each : t.choice(each)}
          </option>
        ))}
      </select>
    </label>
  )
}
