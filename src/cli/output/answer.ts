import type { Output } from './output.ts'

/** The API's answer unchanged with `--json`, else as `print` shows it. Gives exit code 0. */
export async function answer<T>(out: Output, value: T, print: (value: T) => void | Promise<void>): Promise<number> {
  if (out.json) out.document(value)
  else await print(value)
  return 0
}
