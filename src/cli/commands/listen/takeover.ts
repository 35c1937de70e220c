// If two `psp listen` processes use one URL, the older one ends. Otherwise they would take the stream from each other forever.
import { CliError } from '../../failure.ts'

export class TakenOverError extends CliError {
  constructor() {
    super(
      'busy',
      'Another psp listen now forwards to the same address, so this one ends.',
      'To run both, forward to different addresses or select different --events.',
      'taken_over',
    )
  }
}
