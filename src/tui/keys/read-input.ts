import type { SystemClock } from '../../system-clock/system-clock.ts'
import type { Terminal } from '../screen.ts'
import { createInputParser, type Input } from './input-parser.ts'

/** If no character follows an Escape within this many ms, the Escape is the key, not the beginning of a sequence. */
const ESCAPE_DELAY = 30

/**
 * Passes the inputs of each read to `onInput`. Returns a function that stops reading.
 * @param earlyInput the input from before the view opened: the characters of each read
 */
export function readInput(
  stdin: Terminal['stdin'],
  onInput: (inputs: readonly Input[]) => void,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  earlyInput: readonly string[] = [],
): () => void {
  const parser = createInputParser()
  let timer: { cancel(): void } | undefined
  const waiting = [...earlyInput]
  const earlyTimer = earlyInput.length === 0 ? undefined : systemClock.setTimeout(passEarly, 0)

  function pass(inputs: readonly Input[]): void {
    if (inputs.length > 0) onInput(inputs)
  }

  function passEarly(): void {
    for (const chunk of waiting.splice(0)) pass(parser.feed(chunk, true))
  }

  function onData(chunk: string): void {
    timer?.cancel()
    passEarly()
    pass(parser.feed(chunk))
    timer = parser.isPending ? systemClock.setTimeout(() => pass(parser.flush()), ESCAPE_DELAY) : undefined
  }

  stdin.setEncoding('utf8')
  stdin.setRawMode(true)
  stdin.on('data', onData)
  // A stream that was paused explicitly does not start by itself.
  stdin.resume()
  stdin.ref()
  return () => {
    timer?.cancel()
    earlyTimer?.cancel()
    stdin.off('data', onData)
    if (stdin.isRaw) stdin.setRawMode(false)
    stdin.pause()
    stdin.unref()
  }
}
