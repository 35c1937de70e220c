/** Returns the field of a row that an index or a reference names. */
export function fieldOf(row: object, field: string): unknown {
  return (row as { readonly [name: string]: unknown })[field]
}
