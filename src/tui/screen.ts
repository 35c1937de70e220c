// The alternate screen: taken at the start, given back whatever happens.

/** The terminal of the process, where both its streams are one. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
}

export interface Screen {
  /** Gives the screen back; once, however often it is called. */
  leave(): void
}

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H'
// Emptied from the top: tmux lets lines of a screen that has grown fall through otherwise.
const LEAVE = '\u001b[?2026l\u001b[0m\u001b[H\u001b[2J\u001b[?25h\u001b[?1049l'

/** @param onExit calls its argument when the process ends without having been asked */
export function enterScreen({ stdin, stdout }: Terminal, onExit: (leave: () => void) => () => void): Screen {
  let there = true
  stdout.write(ENTER)
  const leave = () => {
    if (!there) return
    there = false
    stopWatching()
    if (stdin.isRaw) stdin.setRawMode(false)
    stdout.write(LEAVE)
  }
  const stopWatching = onExit(leave)
  return { leave }
}
