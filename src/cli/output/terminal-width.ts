// The width of a terminal. Some terminals, such as those of `script` without a terminal, report 0 columns.

/** The width if the terminal does not report one. */
const DEFAULT_COLUMNS = 80

export function terminalColumns({ columns }: { readonly columns?: number }): number {
  return columns === undefined || columns <= 0 ? DEFAULT_COLUMNS : columns
}
