// Checks for the usual reasons why a sandbox does not work, each with a fix.
import type { Check } from './checks-contract.ts'
import { checkClock } from './clock.ts'
import { checkConfig } from './config.ts'
import { checkData } from './data.ts'
import { checkDisk } from './disk.ts'
import { checkLock } from './lock.ts'
import { checkLoopback, checkProxies } from './network.ts'
import { checkPort } from './port.ts'
import { checkServer, checkVersions } from './server.ts'
import { checkTerminal } from './terminal.ts'

export const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['versions', checkVersions],
  ['config', checkConfig],
  ['server', checkServer],
  ['lock', checkLock],
  ['port', checkPort],
  ['disk', checkDisk],
  ['data', checkData],
  ['proxies', checkProxies],
  ['loopback', checkLoopback],
  ['clock', checkClock],
  ['terminal', checkTerminal],
]
