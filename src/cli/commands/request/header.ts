import { headerLine } from '../../parsing/parse-header.ts'

/** Parses the syntax of curl: `K: V`; `K:` (null) omits a default header; `K;` sends it without a value. */
export function requestHeader(text: string): readonly [name: string, value: string | null] {
  const empty = /^[^:;]+(?=;$)/.exec(text)?.[0]
  if (empty !== undefined) return headerLine(`${empty}:`)
  const [name, value] = headerLine(text)
  return [name, value === '' ? null : value]
}
