// Every command there is, as data. What a command does is loaded when it is called.
import type { Group } from '../command.ts'
import { clock } from './clock/group.ts'
import { demo } from './demo/group.ts'
import { listen } from './listen/group.ts'
import { payments } from './payments/group.ts'
import { serve } from './serve/group.ts'
import { sign, verify } from './signatures/group.ts'
import { tail } from './tail/group.ts'

export const COMMANDS: Group = {
  name: 'psp',
  about: 'A whole payment service provider on your machine: API, hosted page, webhooks, event stream.',
  commands: [serve, demo, payments, listen, tail, sign, verify, clock],
}
