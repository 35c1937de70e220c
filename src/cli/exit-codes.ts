// The exit codes.

export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  forbidden: 3,
  not_found: 4,
  refused: 5,
  unreachable: 6,
  timed_out: 7,
  not_verified: 8,
  busy: 9,
  not_runnable: 126,
  no_such_program: 127,
  hung_up: 129,
  interrupted: 130,
  terminated: 143,
} as const
export type ExitName = keyof typeof EXIT_CODES

/** Maps an HTTP error status to an exit code. A status that is not listed counts as failed. */
const BY_STATUS: Readonly<Record<number, ExitName>> = {
  400: 'refused',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  405: 'refused',
  409: 'refused',
  413: 'refused',
  415: 'refused',
  422: 'refused',
  429: 'refused',
}

export function exitCodeOfStatus(status: number): number {
  if (status >= 200 && status < 400) return EXIT_CODES.done
  return EXIT_CODES[BY_STATUS[status] ?? 'failed']
}
