import type { Output } from './output.ts'

/** Prints the response of the API unchanged with `--json`, otherwise with `print`. Returns exit code 0. */
export async function printResult<T>(
  out: Output,
  value: T,
  print: (value: T) => void | Promise<void>,
): Promise<number> {
  if (out.json) out.document(value)
  else await print(value)
  return 0
}
