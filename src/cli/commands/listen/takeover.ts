// Two `psp listen` for one address would take the stream from each other for ever, so the older one ends.
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
