import type { Adapter } from './adapter.ts'

/** One promise of the public API, checked through whatever adapter it is given. */
export interface ContractCase {
  /** Of the spec. */
  readonly section: string
  readonly promise: string
  /** It is about what lives as long as a process: streams, the window of a rate. */
  readonly needsProcessState: boolean
  run(adapter: Adapter): Promise<void>
}

export function section(
  number: string,
): (name: string, run: ContractCase['run'], options?: { needsProcessState: true }) => ContractCase {
  return (name, run, options) => ({ section: number, promise: name, run, needsProcessState: options !== undefined })
}
