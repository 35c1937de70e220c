import type { Adapter } from './adapter.ts'

/** A test of one promise of the public API, through any adapter. */
export interface ContractCase {
  /** Section of the specification. */
  readonly section: string
  readonly promise: string
  /** Whether it needs state in the memory of one process, such as streams and rate limits. */
  readonly needsProcessState: boolean
  run(adapter: Adapter): Promise<void>
}

export function section(
  number: string,
): (name: string, run: ContractCase['run'], options?: { needsProcessState: true }) => ContractCase {
  return (name, run, options) => ({ section: number, promise: name, run, needsProcessState: options !== undefined })
}
