import type { Door } from './door.ts'

/** One promise of the public API, checked through whatever door it is given. */
export interface ContractCase {
  /** Of the spec. */
  readonly section: string
  readonly name: string
  /** It is about what lives as long as a process: streams, the window of a rate. */
  readonly lasts: boolean
  run(door: Door): Promise<void>
}

export function section(
  number: string,
): (name: string, run: ContractCase['run'], options?: { lasts: true }) => ContractCase {
  return (name, run, options) => ({ section: number, name, run, lasts: options !== undefined })
}
