// The server, the terminal and the programs that a view uses.
import type { Client } from '../client/client.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Terminal } from './screen.ts'

export interface ViewOptions {
  readonly client: Client
  readonly url: string
  /** True if the server runs in this process. */
  readonly runsServer: boolean
  readonly payUrl: string
  readonly terminal: Terminal
  readonly colour: boolean
  readonly unicode: boolean
  readonly systemClock: SystemClock
  /** Opens the page of a payment in a browser. */
  readonly openPage: (id: string, address: string) => Promise<void>
  /** Opens text in the user's editor, and returns the saved text. The editor uses the terminal. */
  readonly edit: (name: string, text: string, signal: AbortSignal) => Promise<string>
  /** Suspends this process until the shell continues it. Absent if the system cannot suspend a process. */
  readonly suspend?: (() => Promise<void>) | undefined
  /** Returns the input from before the view opened: the characters of each read. */
  readonly earlyInput: () => readonly string[]
  /** Describes an error and the next step in one line. */
  readonly explain: (error: unknown) => string
  /** Prints a line on the shell after the screen was restored. */
  readonly report: (line: string) => void
  /** Registers a callback for an unexpected end of the process. Returns a function that removes the callback. */
  readonly onExit: (leave: () => void) => () => void
  /** Ends the view when aborted. */
  readonly signal: AbortSignal
}
