import type { ExitName } from '../../src/cli/exit-codes.ts'

/** When a command ends with it; the reference of exit codes is made from this. */
export const EXIT_MEANINGS = {
  done: 'done',
  failed: 'anything that is not listed here, or the API answered 5xx',
  usage:
    'wrong usage, seen before anything is asked: an unknown command, flag, setting or word of a fixed list, or a value of the wrong form',
  forbidden: 'the API answered 401 or 403',
  not_found: 'the API answered 404',
  refused: 'the API refused what only it can judge: 400, 405, 409, 413, 415, 422 or 429',
  unreachable: 'the server, or the handler under audit, cannot be reached',
  timed_out: '`wait`, or another command with a deadline, saw the time run out',
  not_verified: '`verify` found a signature that does not fit, or `audit` a check that failed',
  busy: 'the port is in use, a live process holds the data folder, or another `listen` took over the address',
  not_runnable: '`exec`: the program cannot be run',
  no_such_program: '`exec`: there is no such program',
  hung_up: 'ended by SIGHUP: its terminal was closed',
  interrupted: 'ended by SIGINT',
  terminated: 'ended by SIGTERM',
} as const satisfies Record<ExitName, string>
