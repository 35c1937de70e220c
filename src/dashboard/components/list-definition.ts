// A list as data: its columns, its filters and its texts.
import type { ComponentChildren } from 'preact'
import type { MessageKey } from '../text/messages.ts'
import type { Translate } from '../text/translate.ts'
import type { Filter } from './list-query.ts'

export interface Column<R> {
  /** The name in `sort=`. */
  readonly key: string
  readonly title: MessageKey
  /** In rem. */
  readonly minWidth: number
  /**
   * Returns the width of the content in rem, see `textWidth`. The column gets it if there is room. Absent: `minWidth`.
   */
  readonly contentWidth?: (row: R, t: Translate) => number
  /** True for sentences: the column gets the room that the other columns do not need. */
  readonly fills?: true
  readonly cell: (row: R) => ComponentChildren
  /** Absent: the column cannot be sorted. */
  readonly compare?: (a: R, b: R) => number
  readonly align?: 'end'
  /** The place in the two lines of a row on a narrow screen. Absent: such a screen does not show the column. */
  readonly narrow?: 'start' | 'middle' | 'end' | 'below' | 'below-end' | undefined
}

export interface ListFilter<R> extends Filter<R> {
  readonly title: MessageKey
}

export interface ListDefinition<R extends { readonly id: string }> {
  readonly title: MessageKey
  readonly searchHint: MessageKey
  /** From left to right, the most important first. A list that is too small for all omits the last ones. */
  readonly columns: readonly Column<R>[]
  readonly filters: readonly ListFilter<R>[]
  readonly empty: { readonly title: MessageKey; readonly text: MessageKey }
  /** The object that the list can create. */
  readonly create?: 'payment' | 'payout'
  /** The maximum number of rows that the page keeps. */
  readonly limit: number
}
