/** A row of any table. */
export interface Row {
  readonly id: string
}
