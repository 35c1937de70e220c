/** A part of the text of a state. */
export type StateItem =
  /** A field beside `tables`. */
  | { readonly kind: 'field'; readonly name: string; readonly value: unknown; readonly line: number }
  | { readonly kind: 'table'; readonly name: string; readonly line: number }
  /** Bytes of the row are void after the next step. */
  | {
      readonly kind: 'row'
      readonly table: string
      readonly index: number
      readonly row: unknown
      readonly line: number
    }
