import type { Adapter } from './adapter.ts'

/** A test of one promise of the public API, through any adapter. */
export interface ContractCase {
  /** Section of the specification. */
  readonly section: string
  readonly promise: string
  /** Whether it needs state in the memory of one process, such as streams and rate limits. */
  readonly needsProcessState: boolean
  /**
   * The part of an adapter that the case proves.
   * - `calls`: the adapter passes on this kind of request and response.
   * - `state`: the next call finds the state of an earlier one. The calls have the form of those in other cases.
   * - `body`: nothing, because the values in a JSON body decide. Other cases prove that adapters pass the bytes of bodies on.
   */
  readonly about: 'calls' | 'state' | 'body'
  run(adapter: Adapter): Promise<void>
}

type CaseOptions = Partial<Pick<ContractCase, 'needsProcessState' | 'about'>>

export function section(
  number: string,
): (name: string, run: ContractCase['run'], options?: CaseOptions) => ContractCase {
  return (name, run, { needsProcessState = false, about = 'calls' } = {}) => ({
    section: number,
    promise: name,
    run,
    needsProcessState,
    about,
  })
}
