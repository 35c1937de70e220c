/** A part of the text of a state, in the order of the text. */
export type StateItem =
  /** A field next to `tables`. */
  | { readonly kind: 'field'; readonly name: string; readonly value: unknown; readonly line: number }
  /** The beginning of a table. Its rows follow. */
  | { readonly kind: 'table'; readonly name: string; readonly line: number }
  | {
      readonly kind: 'row'
      readonly table: string
      readonly index: number
      readonly row: unknown
      readonly line: number
    }
