import type { SandboxOptions } from '../../src/sandbox.ts'
import type { Door } from './door.ts'

/** One promise of the public API, checked through whatever door it is given. */
export interface ContractCase {
  /** Of the spec. */
  readonly section: string
  readonly name: string
  readonly options?: SandboxOptions
  run(door: Door): Promise<void>
}

export function section(
  number: string,
): (name: string, run: ContractCase['run'], options?: SandboxOptions) => ContractCase {
  return (name, run, options) => ({ section: number, name, run, ...(options === undefined ? {} : { options }) })
}
