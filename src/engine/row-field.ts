/** Of a row of any table, the field that an index or a reference names. */
export function fieldOf(row: object, field: string): unknown {
  return (row as { readonly [name: string]: unknown })[field]
}
