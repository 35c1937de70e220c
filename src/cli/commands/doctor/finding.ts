import type { Session } from '../../session.ts'

export interface Finding {
  readonly name: string
  readonly result: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly fix?: string
}

/** The result of a check, without the name of the check. */
export type Found = Omit<Finding, 'name'>

export type Check = (session: Session) => Found | Promise<Found>

export const ok = (found: string): Found => ({ result: 'ok', found })
export const warn = (found: string, fix: string): Found => ({ result: 'warn', found, fix })
export const fail = (found: string, fix: string): Found => ({ result: 'fail', found, fix })
