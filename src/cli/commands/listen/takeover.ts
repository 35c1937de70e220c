// Two `psp listen` for one address would take the stream from each other for ever: the older one gives way.
import { CliError } from '../../failure.ts'

export class TakenOver extends CliError {
  constructor() {
    super(
      'busy',
      'Another psp listen forwards to the same address now.',
      'End one of them, or forward to another address.',
      'taken_over',
    )
  }
}
