// Switches to the terminal's alternate screen, and back however the view ends.

/** The terminal of the process. Stdin and stdout must be the same terminal. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
}

export interface Screen {
  /** Switches back to the main screen. Further calls do nothing. */
  leave(): void
}

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H'
// The alternate screen is cleared first. Otherwise tmux copies its lines to the main screen if the window grew.
const LEAVE = '\u001b[?2026l\u001b[0m\u001b[H\u001b[2J\u001b[?25h\u001b[?1049l'

/** @param onExit registers a callback for an unexpected end of the process, and returns how to remove it */
export function enterScreen({ stdin, stdout }: Terminal, onExit: (leave: () => void) => () => void): Screen {
  let entered = true
  stdout.write(ENTER)
  const leave = () => {
    if (!entered) return
    entered = false
    unregister()
    if (stdin.isRaw) stdin.setRawMode(false)
    stdout.write(LEAVE)
  }
  const unregister = onExit(leave)
  return { leave }
}
