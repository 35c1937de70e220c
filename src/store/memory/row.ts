/** What every table holds. */
export interface Row {
  readonly id: string
}
