import type { ExitName } from '../../src/cli/failure.ts'

/** The meaning of each exit code, for the reference. */
export const EXIT_MEANINGS = {
  done: 'done',
  failed: 'any other failure, or the API returned 5xx',
  usage:
    'wrong usage, detected before any request: an unknown command, flag or setting, a value that is not in a fixed list or has a wrong format, or a file that cannot be used',
  forbidden: 'the API returned 401 or 403',
  not_found: 'the API returned 404',
  refused: 'the API returned 400, 405, 409, 413, 415, 422 or 429',
  unreachable: 'the server, or the handler under audit, cannot be reached',
  timed_out: 'the time limit of `wait` or another command has passed',
  not_verified:
    '`verify` or `events import` found an invalid signature, `events export` left out a step, a check of `audit` failed, or `compare` found a difference',
  busy: 'the port is in use, a running process owns the data directory, or another `listen` took over the address',
  not_runnable: '`exec`: the program cannot be run',
  no_such_program: '`exec`: the program does not exist',
  hung_up: 'ended by SIGHUP, because its terminal was closed',
  interrupted: 'ended by SIGINT',
  terminated: 'ended by SIGTERM',
} as const satisfies Record<ExitName, string>
