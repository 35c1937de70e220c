/** A recording cannot be used. The message names the file, and the entry or line if it is known. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  /** The next step. */
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
