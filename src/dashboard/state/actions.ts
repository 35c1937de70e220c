import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Perform } from './perform.ts'

export interface Actions {
  /** Performs an effect and shows its result as a toast. */
  readonly perform: Perform
}

export const ActionsContext = createContext<Actions | undefined>(undefined)

export const useActions = (): Actions => useContext(ActionsContext) as Actions
